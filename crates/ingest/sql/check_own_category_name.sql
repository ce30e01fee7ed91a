-- Own categories with the name of another one of the same user and parent, stored or earlier in the input. A stored category
-- keeps its name. Own categories that the input deletes do not count.
-- $1 maximum number of rows
select staged.place, staged.name, count(*) over ()
from pg_temp.load_own_categories as staged
cross join lateral (
  select other.own_category_id, other.parent_id, other.search_name
  from passbook.own_categories as other
  where other.user_id = staged.user_id and not exists (
    select from pg_temp.delete_own_categories as gone
    where gone.user_id = other.user_id and gone.own_category_id = other.own_category_id)
  union all
  select other.own_category_id, other.parent_id, passbook_read.search_text(passbook_read.trim_white_space(other.name))
  from pg_temp.load_own_categories as other
  where other.user_id = staged.user_id and other.position < staged.position) as other
where other.own_category_id <> staged.own_category_id and other.parent_id is not distinct from staged.parent_id
  and other.search_name = passbook_read.search_text(passbook_read.trim_white_space(staged.name))
  and not exists (
    select from passbook.own_categories as stored
    where stored.user_id = staged.user_id and stored.own_category_id = staged.own_category_id)
order by staged.position
limit $1
