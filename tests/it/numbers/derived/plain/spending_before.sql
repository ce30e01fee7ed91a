-- One user's expenses in the period of equal length directly before the session's days, by currency. Returns no rows
-- for an open range. Each row is converted once.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text
with counted as materialized (
  select t.currency, t.amount_cents, t.converted_cents
  from plain.counted_transactions(
    passbook_read.previous_first_day(), passbook_read.previous_last_day(), $2, $3, $4, $5, $6) as t
  where t.user_id = $1 and t.type = 'EXPENSE'
)
select
  c.currency, count(*) as count, sum(c.amount_cents)::bigint as amount_cents,
  sum(c.converted_cents)::bigint as converted_cents
from counted as c
group by c.currency, c.converted_cents is null
