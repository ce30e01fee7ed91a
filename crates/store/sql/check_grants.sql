-- Problems of the view passbook_read.grants, which a deployment may redefine: missing columns and columns of another
-- type. Also lists the other views that use a security definer function whose
-- owner bypasses row-level security. Only the grants may use such a function, to read the identity provider's tables:
-- they contain no financial data.
with relations as (
  select classes.oid, classes.relname, format('%I.%I', namespaces.nspname, classes.relname) as name, namespaces.nspname
  from pg_catalog.pg_class as classes
  join pg_catalog.pg_namespace as namespaces on namespaces.oid = classes.relnamespace
  where namespaces.nspname in ('passbook', 'passbook_read') and classes.relkind = 'v'
), grants as (
  select relations.oid from relations where relations.nspname = 'passbook_read' and relations.relname = 'grants'
), wanted (name, type) as (
  values
    ('user_id', 'uuid'), ('credential', 'text'), ('reference', 'text'), ('owner_user_id', 'uuid'), ('scopes', 'text[]'),
    ('rest', 'boolean'), ('mcp', 'boolean'), ('revoked', 'boolean'), ('expired', 'boolean')
)
select
  format('column %s of passbook_read.grants', wanted.name) as object,
  format('the view passbook_read.grants has no column %s of type %s', wanted.name, wanted.type) as finding,
  'redefine it with the columns and types that docs/grants.md lists' as remedy
from wanted
where exists (select from grants) and not exists (
  select from grants
  join pg_catalog.pg_attribute as columns on columns.attrelid = grants.oid and not columns.attisdropped
  where columns.attname = wanted.name and pg_catalog.format_type(columns.atttypid, null) = wanted.type)
union all
select distinct
  null,
  format('the view %s uses the function %s, which runs as a role that bypasses row-level security',
    relations.name, procedures.oid::regprocedure),
  format('alter function %s owner to passbook_owner', procedures.oid::regprocedure)
from relations
join pg_catalog.pg_rewrite as rules on rules.ev_class = relations.oid
join pg_catalog.pg_depend as uses on uses.classid = 'pg_catalog.pg_rewrite'::regclass and uses.objid = rules.oid
  and uses.refclassid = 'pg_catalog.pg_proc'::regclass
join pg_catalog.pg_proc as procedures on procedures.oid = uses.refobjid
join pg_catalog.pg_roles as owners on owners.oid = procedures.proowner
where relations.oid not in (select grants.oid from grants) and procedures.prosecdef
  and (owners.rolsuper or owners.rolbypassrls)
order by finding
