-- One user's refunds in the session's days, by the category of the purchase they are linked to, and currency. The filter
-- by category selects purchases; the other filters select refunds.
-- A variant without the search text reads stored totals only (`crates/store/src/query.rs`).
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text
select
  s.category, s.currency, s.count, s.amount_cents, s.converted_cents
from passbook_read.counted_sums(
  passbook_read.first_day(), passbook_read.last_day(), null, $2, $3, $4, $5, $6, true) as s
where s.user_id = $1 and s.measure = 'REFUND'
