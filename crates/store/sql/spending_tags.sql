-- One user's expenses in the session's days by tag and currency, and without a tag those that have any.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text, $7 own categories, $8 tags, $9 merchants
with sets as materialized (
  select t.tag_ids, case when t.converted_cents is null then t.currency else '' end as unconverted_currency, count(*) as count,
    sum(coalesce(t.converted_cents, t.amount_cents)) as cents
  from passbook_read.counted_transactions(
    passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, row($6, $7, $8, $9)::passbook_read.row_search) as t
  where t.user_id = $1 and t.type = 'EXPENSE' and t.tag_ids is not null
  group by 1, 2
)
select
  l.label_id, l.name, l.category, l.parent_id,
  coalesce(nullif(s.unconverted_currency, ''), profile.preferred_currency) as currency, s.count, s.amount_cents,
  case when s.unconverted_currency = '' then s.amount_cents end as converted_cents
from (
  select tag_id as label_id, sets.unconverted_currency, sum(sets.count)::bigint as count, sum(sets.cents)::bigint as amount_cents
  from sets cross join unnest(sets.tag_ids) as tag_id group by 1, 2
  union all
  select null, sets.unconverted_currency, sum(sets.count)::bigint, sum(sets.cents)::bigint from sets group by 2
) as s
join passbook_read.current_user_profile as profile on profile.user_id = $1
left join passbook_read.labels as l on l.user_id = $1 and l.kind = 'tag' and l.label_id = s.label_id
