-- The tags of a person, with the number of their transactions.
-- $1 user id
select tags.tag_id, tags.name::text, coalesce(used.transactions, 0) as transactions
from passbook.tags
left join (
  select tag_id, count(*) as transactions
  from passbook.transactions as t cross join unnest(t.tag_ids) as tag_id
  where t.user_id = $1 and t.tag_ids is not null and not t.is_superseded
  group by tag_id) as used using (tag_id)
where tags.user_id = $1
order by tags.search_name collate "C"
