-- A base other than the stored one while rates are stored: every stored rate would change its meaning.
-- $1 number of rows wanted
select staged.place, staged.currency, count(*) over ()
from pg_temp.load_rate_base as staged
where staged.currency <> (select stored.currency from passbook.rate_base as stored)
  and exists (select from passbook.exchange_rates)
order by staged.position
limit $1
