-- One user's expenses in the session's days in some categories, by category and currency: the excluded categories that
-- `cashflow.sql` leaves out, and the given categories that it counts.
-- A variant without the search text reads stored totals only (`crates/store/src/query.rs`).
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 given categories, $7 search text
with wanted as materialized (
  select array(
    select named.category
    from (
      select excluded.category from passbook_read.excluded_categories as excluded
      where excluded.user_id = $1 and not $3 and $4::text[] is null
      union
      select given.category from unnest($6::text[]) as given (category)
      where $4::text[] is null or given.category = any ($4)) as named) as categories
)
select
  s.category, s.currency, s.count, s.amount_cents, s.converted_cents
from wanted
cross join lateral passbook_read.counted_sums(
  passbook_read.first_day(), passbook_read.last_day(), null, $2, true, wanted.categories, $5, $7, true) as s
where s.user_id = $1 and s.measure = 'EXPENSE'
