-- Stores the named own categories that are new, and replaces their identifiers by those of the stored ones. A category is found
-- by its identifier, so that a new name stays, and else by its name. Of a parent that the person moved, its parent is used.
insert into passbook.own_categories (user_id, own_category_id, name, category)
select distinct on (passbook_read.search_text(named.parent)) named.user_id, named.parent_id, named.parent, named.parent_category
from pg_temp.named_categories as named
where named.parent is not null and named.is_new and not exists (
  select from passbook.own_categories as known
  where known.user_id = named.user_id and (known.own_category_id in (named.parent_id, named.own_category_id)
    or known.parent_id is null and known.search_name = passbook_read.search_text(named.parent)))
order by passbook_read.search_text(named.parent), named.parent;

update pg_temp.named_categories as named set parent_id = (
  select coalesce(known.parent_id, known.own_category_id) from passbook.own_categories as known
  where known.user_id = named.user_id and (known.own_category_id = named.parent_id
    or known.parent_id is null and known.search_name = passbook_read.search_text(named.parent))
  order by known.own_category_id = named.parent_id desc limit 1)
where named.parent is not null;

insert into passbook.own_categories (user_id, own_category_id, name, category, parent_id)
select distinct on (named.parent_id, passbook_read.search_text(named.name))
  named.user_id, named.own_category_id, named.name, named.category, named.parent_id
from pg_temp.named_categories as named
where named.is_new and not exists (
  select from passbook.own_categories as known
  where known.user_id = named.user_id and (known.own_category_id = named.own_category_id
    or known.parent_id is not distinct from named.parent_id
      and known.search_name = passbook_read.search_text(named.name)))
order by named.parent_id, passbook_read.search_text(named.name), named.rule nulls last, named.name
-- A name that contains ": " has the identifier of a category with a parent.
on conflict (user_id, own_category_id) do nothing;

update pg_temp.named_categories as named set own_category_id = (
  select known.own_category_id from passbook.own_categories as known
  where known.user_id = named.user_id and (known.own_category_id = named.own_category_id
    or (named.parent is null or named.parent_id is not null) and known.parent_id is not distinct from named.parent_id
      and known.search_name = passbook_read.search_text(named.name))
  order by known.own_category_id = named.own_category_id desc limit 1);
