-- One user's income and expenses in the session's days, by type, category, period and currency. The type EXPENSE has all
-- expenses, EXCLUDED those of the excluded categories among them, and OUTGOING those that moved to accounts that are not stored.
-- Variants without a search text, and without any filter, read stored totals only (`crates/store/src/query.rs`).
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories,
-- $4 period: month, or null for none; $5 categories, $6 accounts, $7 search text, $8 own categories, $9 tags, $10 merchants
select
  s.measure as type, s.category, s.period, s.currency, s.count, s.amount_cents, s.converted_cents, s.first_counted,
  s.last_counted
from passbook_read.counted_sums(
  passbook_read.first_day(), passbook_read.last_total_day(), $4, $2, $3, $5, $6,
  row($7, $8, $9, $10)::passbook_read.row_search, 'parts') as s
where s.user_id = $1 and s.count <> 0
