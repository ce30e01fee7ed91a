-- A base that differs from the stored base while rates are stored: every stored rate would become wrong. Rates that the
-- input deletes do not count.
-- $1 maximum number of rows
select staged.place, staged.currency, count(*) over ()
from pg_temp.load_rate_base as staged
where staged.currency <> (select stored.currency from passbook.base_currency as stored)
  and exists (
    select from passbook.exchange_rates as rate
    where not exists (
      select from pg_temp.delete_exchange_rates as gone
      where gone.currency = rate.currency and gone.date = rate.date))
order by staged.position
limit $1
