-- Deviations from the row-level security of the migrations, each with the statement that fixes it. Examines the
-- policies under which the owners of views read, the policy of the writer, view owners that are members of the writer,
-- and the owners of security definer functions. Policy expressions are compared as PostgreSQL prints them, without white
-- space, brackets, the name that PostgreSQL gives to an inner column, and the `select` around a call.
with tables as (
  select relations.oid, relations.relname, format('%I.%I', namespaces.nspname, relations.relname) as name
  from pg_catalog.pg_class as relations
  join pg_catalog.pg_namespace as namespaces on namespaces.oid = relations.relnamespace
  join pg_catalog.pg_attribute as columns on columns.attrelid = relations.oid
  where namespaces.nspname = 'passbook' and relations.relkind in ('r', 'p') and columns.attname = 'user_id'
    and not relations.relispartition
), functions as (
  select
    procedures.proowner, procedures.prosecdef,
    format('%I.%I(%s)', namespaces.nspname, procedures.proname, pg_get_function_identity_arguments(procedures.oid))
      as signature
  from pg_catalog.pg_proc as procedures
  join pg_catalog.pg_namespace as namespaces on namespaces.oid = procedures.pronamespace
  where namespaces.nspname in ('passbook', 'passbook_read')
), readers as (
  select roles.oid from pg_catalog.pg_roles as roles where roles.rolname = 'passbook_owner'
  union
  select relations.relowner
  from pg_catalog.pg_class as relations
  join pg_catalog.pg_namespace as namespaces on namespaces.oid = relations.relnamespace
  where namespaces.nspname in ('passbook', 'passbook_read') and relations.relkind = 'v'
  union
  select functions.proowner from functions where functions.prosecdef
), wanted as (
  select
    tables.oid, 'own_rows' as policy, 'passbook_owner' as role, '*' as command,
    case tables.relname when 'users' then 'NOTuser_idISDISTINCTFROM' else 'user_id=' end || 'passbook.current_user_id'
      as expression, null as check_expression,
    format('to passbook_owner using (user_id %s)', case tables.relname
      when 'users' then 'is not distinct from passbook.current_user_id()'
      else '= (select passbook.current_user_id())' end) as definition
  from tables
  union all
  select
    tables.oid, 'writer', 'passbook_writer', '*', 'true', 'true', 'to passbook_writer using (true) with check (true)'
  from tables
  union all
  select
    tables.oid, 'deriver', 'passbook_deriver', 'r', 'true', null, 'for select to passbook_deriver using (true)'
  from tables
  where tables.relname in (
    'oauth_clients', 'personal_access_tokens', 'excluded_categories', 'accounts', 'bank_connections', 'own_categories', 'tags')
  union all
  select
    tables.oid, 'shared_clients', 'passbook_owner', 'r', 'user_idISNULL', null,
    'for select to passbook_owner using (user_id is null)'
  from tables where tables.relname = 'oauth_clients'
  union all
  select
    tables.oid, 'deriver', 'passbook_deriver', '*', 'true', 'true', 'to passbook_deriver using (true) with check (true)'
  from tables
  where tables.relname in (
    'users', 'transactions', 'transaction_labels', 'transaction_tags', 'category_totals', 'account_category_totals',
    'merchant_totals', 'merchant_upper_bounds')
), found as (
  select
    policies.polrelid as oid, policies.polname::text as policy, policies.polcmd::text as command,
    regexp_replace(pg_get_expr(policies.polqual, policies.polrelid), '\s+AS current_user_id|SELECT|[\s()]', '', 'g')
      as expression,
    regexp_replace(pg_get_expr(policies.polwithcheck, policies.polrelid), '[\s()]', '', 'g') as check_expression,
    policies.polpermissive as is_permissive,
    array(
      select pg_get_userbyid(bound.oid)::text from unnest(policies.polroles) as bound (oid) where bound.oid <> 0
      union all
      select 'public' from unnest(policies.polroles) as bound (oid) where bound.oid = 0) as roles
  from pg_catalog.pg_policy as policies
  where policies.polname = 'writer' or exists (
    select from unnest(policies.polroles) as bound (oid)
    where bound.oid = 0 or exists (
      select from readers
      where pg_catalog.pg_has_role(readers.oid, bound.oid, 'usage')
        and bound.oid <> (select roles.oid from pg_catalog.pg_roles as roles where roles.rolname = 'passbook_writer')))
)
select
  case when wanted.oid is not null then format('policy %I on %s', wanted.policy, tables.name) end as object,
  case
    when wanted.oid is null then format('the policy %I on %s is not one of Passbook''s', found.policy, tables.name)
    when found.oid is null then format('the policy %I on %s is missing', wanted.policy, tables.name)
    else format('the policy %I on %s differs from the one that the migrations created', wanted.policy, tables.name)
  end as finding,
  concat_ws('; ',
    case when found.oid is not null then format('drop policy %I on %s', found.policy, tables.name) end,
    case when wanted.oid is not null
      then format('create policy %I on %s %s', wanted.policy, tables.name, wanted.definition) end) as remedy
from found
full join wanted on wanted.oid = found.oid and wanted.policy = found.policy
join tables on tables.oid = coalesce(found.oid, wanted.oid)
where (found.is_permissive and found.roles = array[wanted.role] and found.command = wanted.command
  and found.expression = wanted.expression
  and found.check_expression is not distinct from wanted.check_expression) is not true
union all
select
  null,
  format('the role %I owns views or security definer functions and is a member of passbook_writer, which sees all rows',
    roles.rolname),
  format('revoke passbook_writer from %I', roles.rolname)
from readers
join pg_catalog.pg_roles as roles on roles.oid = readers.oid
where pg_catalog.pg_has_role(readers.oid, 'passbook_writer', 'member') and not roles.rolsuper
union all
select
  null,
  format('the function %s runs as a role that bypasses row-level security', functions.signature),
  format('alter function %s owner to passbook_deriver', functions.signature)
from functions
join pg_catalog.pg_roles as owners on owners.oid = functions.proowner
where functions.prosecdef and (owners.rolsuper or owners.rolbypassrls)
order by finding
