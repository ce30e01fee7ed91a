-- The own categories of a person, each after the one that contains it, with the number of their transactions.
-- $1 user id
select own.own_category_id, own.name::text, own.category, own.parent_id, parent.name::text as parent,
  (
    select count(*) from passbook.transactions as t
    where t.user_id = own.user_id and t.own_category_id = own.own_category_id and not t.is_superseded) as transactions
from passbook.own_categories as own
left join passbook.own_categories as parent on parent.user_id = own.user_id and parent.own_category_id = own.parent_id
where own.user_id = $1
order by coalesce(parent.search_name, own.search_name) collate "C", parent.own_category_id nulls first,
  own.search_name collate "C"
