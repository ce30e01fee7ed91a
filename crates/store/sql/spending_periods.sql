-- One user's expenses and refunds in the session's days, by period and currency.
-- A variant without the search text reads stored totals only (`crates/store/src/query.rs`).
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 period: month, week or day, or null for none; $7 search text
select
  s.measure as type, s.period, s.currency, s.count, s.amount_cents, s.converted_cents, s.first_counted, s.last_counted
from passbook_read.counted_sums(
  passbook_read.first_day(), passbook_read.last_day(), $6, $2, $3, $4, $5, $7, false) as s
where s.user_id = $1 and (s.measure = 'EXPENSE' or s.measure = 'INCOME' and s.category = 'REFUND')
