-- One user's income and expenses in the session's days, by type, category (null for expenses), period and currency, with
-- the days they span. Each row is converted once.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text, $7 period: month; null for none
with counted as materialized (
  select
    t.type, case when t.type = 'INCOME' then t.category end as category, t.date,
    date_trunc($7, t.date::timestamp)::date as period, t.currency, t.amount_cents, t.converted_cents
  from plain.counted_transactions(
    passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, $6) as t
  where t.user_id = $1
)
select
  c.type, c.category, c.period, c.currency, count(*) as count, sum(c.amount_cents)::bigint as amount_cents,
  sum(c.converted_cents)::bigint as converted_cents, min(c.date) as first_counted, max(c.date) as last_counted
from counted as c
group by c.type, c.category, c.period, c.currency, c.converted_cents is null
