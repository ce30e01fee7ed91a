-- One user's expenses in the period of equal length directly before the session's days, by currency. Returns no rows
-- for an open range.
-- A variant without the search text reads stored totals only (`crates/store/src/query.rs`).
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text
select
  s.currency, s.count, s.amount_cents, s.converted_cents
from passbook_read.counted_sums(
  passbook_read.previous_first_day(), passbook_read.previous_last_day(), null, $2, $3, $4, $5, $6, false) as s
where s.user_id = $1 and s.measure = 'EXPENSE'
