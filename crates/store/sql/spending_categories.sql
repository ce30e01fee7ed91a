-- One user's expenses in the session's days, by category, period and currency. The stored totals are read: converted rows
-- are one sum in the preferred currency.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 period: month; null for none
with stored as (
  select
    t.category, date_trunc($6, t.day::timestamp)::date as period, t.unconverted_currency,
    sum(t.transaction_count)::bigint as count, sum(t.cents)::bigint as cents
  from passbook_read.counted_totals(
    passbook_read.first_day(), passbook_read.last_day(), passbook_read.coarsest_period($6), $2, $3, $4, $5, true) as t
  where t.user_id = $1 and t.measure = 'EXPENSE'
  -- The period first: it differs most, so that sorting compares few texts.
  group by 2, 1, 3
)
select
  s.category, s.period, coalesce(nullif(s.unconverted_currency, ''), profile.preferred_currency) as currency, s.count,
  s.cents as amount_cents, case when s.unconverted_currency = '' then s.cents end as converted_cents
from stored as s
join passbook_read.current_user_profile as profile on profile.user_id = $1
