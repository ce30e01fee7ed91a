-- New own categories whose parent has a parent, stored or in the input, or which are the parent of another one and have one.
-- $1 maximum number of rows
with related as (
  select user_id, own_category_id, parent_id from passbook.own_categories
  union all
  select staged.user_id, staged.own_category_id, staged.parent_id from pg_temp.load_own_categories as staged
  where not exists (
    select from passbook.own_categories as stored
    where stored.user_id = staged.user_id and stored.own_category_id = staged.own_category_id)
)
select staged.place, null::text, count(*) over ()
from pg_temp.load_own_categories as staged
where staged.parent_id is not null and not exists (
  select from passbook.own_categories as stored
  where stored.user_id = staged.user_id and stored.own_category_id = staged.own_category_id)
and exists (
  select from related
  where related.user_id = staged.user_id and related.parent_id is not null
    and (related.own_category_id = staged.parent_id or related.parent_id = staged.own_category_id))
order by staged.position
limit $1
