-- One user's income and expenses in the session's days, by type, category, period and currency. The type EXPENSE has all
-- expenses, EXCLUDED those of the excluded categories among them, and OUTGOING those that moved to accounts that are not stored.
-- PLANNED has the number of transactions that a missing end leaves out.
-- Variants without a search text, and without any filter, read stored totals only (`crates/store/src/query.rs`).
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories,
-- $4 period: month, or null for none; $5 categories, $6 accounts, $7 search text
select
  s.measure as type, s.category, s.period, s.currency, s.count, s.amount_cents, s.converted_cents, s.first_counted,
  s.last_counted
from passbook_read.counted_sums(
  passbook_read.first_day(), passbook_read.last_day(), $4, $2, $3, $5, $6, $7, 'parts') as s
where s.user_id = $1 and s.measure <> 'REFUND'
union all
select 'PLANNED', null, null, null, passbook_read.planned_count(
  $1, '{INCOME,EXPENSE}', $5, $6, null, null, $7, case when not $2 then false end, $3), null, null, null, null
where passbook_read.last_planned_day() > '-infinity'
