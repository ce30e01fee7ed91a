-- One user's expenses in the session's days by own category and currency, and without an own category those that have any.
-- A variant reads stored totals of all accounts (`crates/store/src/query.rs`).
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text, $7 own categories, $8 tags, $9 merchants
select
  l.label_id, l.name, l.category, l.parent_id,
  coalesce(nullif(s.unconverted_currency, ''), profile.preferred_currency) as currency, s.count, s.amount_cents,
  case when s.unconverted_currency = '' then s.amount_cents end as converted_cents
from (
  select s.label_id, s.unconverted_currency, sum(s.transaction_count)::bigint as count, sum(s.cents)::bigint as amount_cents
  from passbook_read.own_category_sums(
    passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, row($6, $7, $8, $9)::passbook_read.row_search) as s
  where s.user_id = $1
  group by grouping sets ((s.label_id, s.unconverted_currency), (s.unconverted_currency))
) as s
join passbook_read.current_user_profile as profile on profile.user_id = $1
left join passbook_read.labels as l on l.user_id = $1 and l.kind = 'own category' and l.label_id = s.label_id
