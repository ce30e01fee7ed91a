-- One user's refunds in the session's days, by the category of the purchase they are linked to, and currency. The filter
-- by category selects purchases; the other filters select refunds. The stored totals are read.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts
with stored as (
  select t.category, t.unconverted_currency, sum(t.transaction_count)::bigint as count, sum(t.cents)::bigint as cents
  from passbook_read.counted_totals(
    passbook_read.first_day(), passbook_read.last_day(), 'year', $2, $3, $4, $5, true) as t
  where t.user_id = $1 and t.measure = 'REFUND'
  group by 1, 2
)
select
  s.category, coalesce(nullif(s.unconverted_currency, ''), profile.preferred_currency) as currency, s.count, s.cents as amount_cents,
  case when s.unconverted_currency = '' then s.cents end as converted_cents
from stored as s
join passbook_read.current_user_profile as profile on profile.user_id = $1
