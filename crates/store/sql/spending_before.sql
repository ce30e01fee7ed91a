-- One user's expenses in the days directly before the session's days, as many as the session has up to today, and its expenses
-- after today, by currency. Returns no rows before a range without a start.
-- Variants without a search text, and without any filter, read stored totals only (`crates/store/src/query.rs`).
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text, $7 own categories, $8 tags, $9 merchants
select
  spans.is_before, s.currency, s.count, s.amount_cents, s.converted_cents
from passbook_read.current_user_profile as profile
cross join lateral (
  select least(passbook_read.last_day(), profile.today) as last_day,
    case when isfinite(passbook_read.first_day()) then passbook_read.first_day() end as first_day) as elapsed
cross join lateral (values
  (true, elapsed.first_day - (elapsed.last_day - elapsed.first_day + 1), elapsed.first_day - 1),
  (false, greatest(passbook_read.first_day(), elapsed.last_day + 1), passbook_read.last_day())
) as spans (is_before, first_day, last_day)
cross join lateral passbook_read.counted_sums(
  spans.first_day, spans.last_day, null, $2, $3, $4, $5, row($6, $7, $8, $9)::passbook_read.row_search, 'total') as s
where profile.user_id = $1 and s.user_id = $1 and s.measure = 'EXPENSE' and s.count <> 0 and spans.first_day <= spans.last_day
