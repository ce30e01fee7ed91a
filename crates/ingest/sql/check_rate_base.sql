-- A base that differs from the stored base while rates are stored: every stored rate would become wrong.
-- $1 maximum number of rows
select staged.place, staged.currency, count(*) over ()
from pg_temp.load_rate_base as staged
where staged.currency <> (select stored.currency from passbook.rate_base as stored)
  and exists (select from passbook.exchange_rates)
order by staged.position
limit $1
