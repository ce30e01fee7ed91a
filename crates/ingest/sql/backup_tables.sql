-- The tables that a backup contains, with what is needed to copy and restore them. $1: names of tables that a backup
-- omits. $2: names of columns that a backup omits, of all tables or as table.column. A partition is part of its partitioned
-- table.
with visible_policies as (
  -- Policies that decide which rows the current role may read. Role 0 is PUBLIC.
  select policy.polrelid, policy.polpermissive, pg_get_expr(policy.polqual, policy.polrelid) as condition
  from pg_policy as policy
  where policy.polcmd in ('r', '*')
    and exists (
      select from unnest(policy.polroles) as of_role (id)
      where case when id = 0 then true else pg_has_role(current_user, id, 'usage') end)
)
select
  found.relname::text as name,
  array(
    select attname::text from pg_attribute
    where attrelid = found.oid and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> all ($2) and concat(found.relname, '.', attname) <> all ($2)
    order by attnum
  ) as columns,
  format('%I.%I', 'passbook', found.relname) as qualified,
  (
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = found.oid and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> all ($2) and concat(found.relname, '.', attname) <> all ($2)
  ) as column_list,
  -- The collation "C" gives the same order in every database.
  coalesce(
    (
      select string_agg(quote_ident(attname) || case when attcollation <> 0 then ' collate "C"' else '' end, ', '
        order by position)
      from pg_index
      cross join unnest(indkey::smallint[]) with ordinality as key (number, position)
      join pg_attribute on attrelid = found.oid and attnum = key.number
      where indrelid = found.oid and indisprimary
    ),
    '1'
  ) as sort_key,
  array(
    select distinct target.relname::text
    from pg_constraint as reference join pg_class as target on target.oid = reference.confrelid
    where reference.contype = 'f' and reference.conrelid = found.oid and reference.confrelid <> found.oid
  ) as referenced,
  not row_security_active(found.oid) or (
    exists (
      select from visible_policies
      where polrelid = found.oid and polpermissive and condition = 'true')
    and not exists (
      select from visible_policies
      where polrelid = found.oid and not polpermissive and condition is distinct from 'true')
  ) as shows_all_rows
from pg_class as found
where found.relnamespace = to_regnamespace('passbook') and found.relkind in ('r', 'p') and not found.relispartition
  and found.relname <> all ($1)
order by found.relname collate "C"
