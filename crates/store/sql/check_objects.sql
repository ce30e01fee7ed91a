-- The objects of the schemas passbook and passbook_read with their definitions. A view has no definition here, because
-- each version of PostgreSQL prints a view in another way. The columns of the view grants are absent, because a
-- deployment may redefine that view. The query must run with an empty search_path, so that all names have their schema.
with relations as (
  select
    classes.oid, classes.relkind, namespaces.nspname, classes.relname,
    format('%I.%I', namespaces.nspname, classes.relname) as name
  from pg_catalog.pg_class as classes
  join pg_catalog.pg_namespace as namespaces on namespaces.oid = classes.relnamespace
  where namespaces.nspname in ('passbook', 'passbook_read') and classes.relkind in ('r', 'p', 'v')
), redefined as (
  -- One row if the view grants reads something besides the recorded grants.
  select from relations as grants
  where grants.name = 'passbook_read.grants' and exists (
    select from pg_catalog.pg_rewrite as rules
    join pg_catalog.pg_depend as uses
      on uses.classid = 'pg_catalog.pg_rewrite'::regclass and uses.objid = rules.oid
      and uses.refclassid = 'pg_catalog.pg_class'::regclass
    where rules.ev_class = grants.oid and uses.refobjid <> grants.oid
      and uses.refobjid not in (
        select stored.oid from relations as stored where stored.name = 'passbook.stored_grants'))
), objects as (
  select
    case relations.relkind when 'v' then 'view' else 'table' end as kind,
    relations.name as relation,
    '' as name,
    '' as definition,
    false as is_definer,
    false as is_replaced,
    relations.nspname = 'passbook' or pg_catalog.has_table_privilege(current_user, relations.oid, 'select') as usable
  from relations
  union all
  select
    'column', relations.name, format('%I', columns.attname),
    concat_ws(' ',
      format_type(columns.atttypid, columns.atttypmod),
      case when columns.attgenerated <> '' then 'generated always as' when columns.atthasdef then 'default' end,
      pg_get_expr(defaults.adbin, defaults.adrelid),
      case when columns.attgenerated <> '' then 'stored' end,
      case when columns.attnotnull then 'not null' end),
    false, false, true
  from relations
  join pg_catalog.pg_attribute as columns on columns.attrelid = relations.oid
  left join pg_catalog.pg_attrdef as defaults
    on defaults.adrelid = columns.attrelid and defaults.adnum = columns.attnum
  where columns.attnum > 0 and not columns.attisdropped
    and not (relations.nspname = 'passbook_read' and relations.relname = 'grants')
  union all
  -- PostgreSQL 18 also lists "not null" here; older versions have it at the column only.
  select
    'constraint', relations.name, format('%I', constraints.conname), pg_get_constraintdef(constraints.oid), false,
    false, true
  from relations
  join pg_catalog.pg_constraint as constraints on constraints.conrelid = relations.oid
  where constraints.contype <> 'n'
  union all
  select
    'index', relations.name, format('%I', classes.relname),
    replace(pg_get_indexdef(indexes.indexrelid), ' ON ONLY ', ' ON ')
      || case when indexes.indisvalid then '' else ' (invalid)' end,
    false, false, true
  from relations
  join pg_catalog.pg_index as indexes on indexes.indrelid = relations.oid
  join pg_catalog.pg_class as classes on classes.oid = indexes.indexrelid
  where not exists (
    select from pg_catalog.pg_constraint as constraints
    where constraints.conindid = indexes.indexrelid and constraints.contype in ('p', 'u', 'x'))
  union all
  select
    'trigger', relations.name, format('%I', triggers.tgname),
    pg_get_triggerdef(triggers.oid) || case when triggers.tgenabled in ('O', 'A') then '' else ' (disabled)' end,
    false, false, true
  from relations
  join pg_catalog.pg_trigger as triggers on triggers.tgrelid = relations.oid
  where not triggers.tgisinternal
  union all
  -- The complete definition of the functions on which tenant isolation and derived data depend; of other functions the
  -- signature only.
  select
    'function',
    format('%I.%I(%s)', namespaces.nspname, procedures.proname, oidvectortypes(procedures.proargtypes)),
    '',
    case
      when procedures.prosecdef or namespaces.nspname = 'passbook'
        then pg_get_functiondef(procedures.oid)
      else concat_ws(' ',
        'returns', pg_get_function_result(procedures.oid),
        'set ' || array_to_string(procedures.proconfig, ', '))
    end,
    procedures.prosecdef,
    -- A deployment that redefines the grants over its own tokens may also redefine the search for a token.
    (procedures.prosecdef and exists (select from redefined)
      and namespaces.nspname = 'passbook_read' and procedures.proname = 'find_personal_access_token'
      and pg_get_function_result(procedures.oid) = 'TABLE(token_id uuid, user_id uuid)'
      and procedures.proconfig = array['search_path=pg_catalog, pg_temp']) is true,
    namespaces.nspname = 'passbook' or pg_catalog.has_function_privilege(current_user, procedures.oid, 'execute')
  from pg_catalog.pg_proc as procedures
  join pg_catalog.pg_namespace as namespaces on namespaces.oid = procedures.pronamespace
  where namespaces.nspname in ('passbook', 'passbook_read') and procedures.prokind in ('f', 'p')
)
select
  objects.kind, objects.relation, objects.name,
  btrim(regexp_replace(objects.definition, '\s+', ' ', 'g')) as definition,
  objects.is_definer, objects.is_replaced, objects.usable
from objects
order by objects.kind collate "C", objects.relation collate "C", objects.name collate "C"
