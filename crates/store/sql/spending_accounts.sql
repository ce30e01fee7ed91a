-- One user's expenses in the session's days by account and currency, and without an account all of them. Without a search, stored
-- totals of each account are read.
-- Variants read stored totals only (`crates/store/src/query.rs`).
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text, $7 own categories, $8 tags, $9 merchants
with sums as materialized (
  select a.account_id, t.currency, t.count, t.amount_cents, t.converted_cents
  from passbook_read.account_names as a
  cross join lateral passbook_read.counted_sums(
    passbook_read.first_day(), passbook_read.last_day(), null, $2, $3, $4, array[a.account_id], null, 'total') as t
  where row($6, $7, $8, $9)::passbook_read.row_search is null and a.user_id = $1 and t.user_id = $1
    and t.measure = 'EXPENSE' and t.count <> 0 and ($5::uuid[] is null or a.account_id = any ($5))
  union all
  select t.account_id, t.currency, count(*), sum(t.amount_cents)::bigint, sum(t.converted_cents)::bigint
  from passbook_read.counted_transactions(
    passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, row($6, $7, $8, $9)::passbook_read.row_search) as t
  where not (row($6, $7, $8, $9)::passbook_read.row_search is null) and t.user_id = $1 and t.type = 'EXPENSE'
  group by t.account_id, t.currency, t.converted_cents is null
)
select
  s.label_id, a.account_name as name, null::text as category, null::uuid as parent_id, s.currency, s.count, s.amount_cents,
  s.converted_cents
from (
  select sums.account_id as label_id, sums.currency, sums.count, sums.amount_cents, sums.converted_cents from sums
  union all
  select null, sums.currency, sums.count, sums.amount_cents, sums.converted_cents from sums
) as s
left join passbook_read.account_names as a on a.user_id = $1 and a.account_id = s.label_id
