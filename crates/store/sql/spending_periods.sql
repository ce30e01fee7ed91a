-- One user's expenses in the session's days, and the refunds of expenses, by period and currency.
-- Variants without a search text, and without any filter, read stored totals only (`crates/store/src/query.rs`).
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories,
-- $4 period: month, week or day, or null for none; $5 categories, $6 accounts, $7 search text, $8 own categories, $9 tags,
-- $10 merchants
select
  s.period, s.currency, s.count, s.amount_cents, s.converted_cents, s.refund_count, s.refund_cents, s.first_counted,
  s.last_counted
from passbook_read.counted_sums(
  passbook_read.first_day(), passbook_read.last_total_day(), $4, $2, $3, $5, $6,
  row($7, $8, $9, $10)::passbook_read.row_search, 'total') as s
where s.user_id = $1 and s.measure = 'EXPENSE' and (s.count, s.refund_count) <> (0, 0)
