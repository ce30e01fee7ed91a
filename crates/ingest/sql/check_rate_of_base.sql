-- Rates of the base currency itself. The base is in the input or stored.
-- $1 maximum number of rows
select staged.place, staged.currency, count(*) over ()
from pg_temp.load_exchange_rates as staged
where staged.currency = coalesce(
    (select base.currency from pg_temp.load_rate_base as base order by base.position limit 1),
    (select stored.currency from passbook.base_currency as stored))
order by staged.position
limit $1
