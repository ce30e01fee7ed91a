-- One user's expenses in the period of equal length directly before the session's days, by currency. Returns no rows
-- for an open range. The stored totals are read.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts
with stored as (
  select t.unconverted_currency, sum(t.transaction_count)::bigint as count, sum(t.cents)::bigint as cents
  from passbook_read.counted_totals(
    passbook_read.previous_first_day(), passbook_read.previous_last_day(), 'year', $2, $3, $4, $5, false) as t
  where t.user_id = $1 and t.measure = 'EXPENSE'
  group by 1
  having sum(t.transaction_count) <> 0
)
select
  coalesce(nullif(s.unconverted_currency, ''), profile.preferred_currency) as currency, s.count, s.cents as amount_cents,
  case when s.unconverted_currency = '' then s.cents end as converted_cents
from stored as s
join passbook_read.current_user_profile as profile on profile.user_id = $1
