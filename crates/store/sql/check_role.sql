-- The attributes and privileges of the connected role. Reads system catalogs only.
select
  current_user::text as role,
  roles.rolsuper as superuser,
  roles.rolbypassrls as bypasses_row_security,
  array(
    select member_of.rolname::text from pg_catalog.pg_roles as member_of
    where member_of.rolname in ('passbook_owner', 'passbook_writer')
      and pg_catalog.pg_has_role(current_user, member_of.oid, 'member')
    order by member_of.rolname
  ) as writing_roles,
  array(
    select format('%I.%I', namespaces.nspname, relations.relname)
    from pg_catalog.pg_class as relations
    join pg_catalog.pg_namespace as namespaces on namespaces.oid = relations.relnamespace
    where relations.relkind in ('r', 'p', 'v', 'f')
      and namespaces.nspname not in ('pg_catalog', 'information_schema') and namespaces.nspname not like 'pg\_%'
      and (relations.relowner = roles.oid
        or pg_catalog.has_table_privilege(current_user, relations.oid, 'insert, update, delete, truncate')
        or pg_catalog.has_any_column_privilege(current_user, relations.oid, 'insert, update'))
    order by 1
  ) as writable,
  -- Roles that the role may become, inherited or not, and that bypass row-level security, read or write files of the
  -- server's machine, run programs there, or may write to any relation.
  array(
    select others.rolname::text
    from pg_catalog.pg_roles as others
    where others.rolname not in (current_user, 'passbook_owner', 'passbook_writer', 'passbook_reader')
      and pg_catalog.pg_has_role(current_user, others.oid, 'member')
      and (others.rolsuper or others.rolbypassrls or others.rolcreaterole or others.rolreplication
        or others.rolname in ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files') or exists (
        select from pg_catalog.pg_class as relations
        join pg_catalog.pg_namespace as namespaces on namespaces.oid = relations.relnamespace
        where relations.relkind in ('r', 'p', 'v', 'f')
          and namespaces.nspname not in ('pg_catalog', 'information_schema') and namespaces.nspname not like 'pg\_%'
          and (relations.relowner = others.oid
            or pg_catalog.has_table_privilege(others.oid, relations.oid, 'insert, update, delete, truncate')
            or pg_catalog.has_any_column_privilege(others.oid, relations.oid, 'insert, update'))))
    order by others.rolname
  ) as stronger_roles,
  roles.rolcreaterole as creates_roles,
  roles.rolreplication as replicates,
  array(
    select format('schema %I', namespaces.nspname)
    from pg_catalog.pg_namespace as namespaces
    where namespaces.nspname not like 'pg\_%' and pg_catalog.has_schema_privilege(current_user, namespaces.oid, 'create')
    union all
    select format('database %I', current_database())
    where pg_catalog.has_database_privilege(current_user, current_database(), 'create')
    order by 1
  ) as creates_in,
  -- The stored setting counts for the next sessions, that of this session for the others of its age.
  current_setting('default_transaction_read_only') = 'on' and coalesce((
    select lower(split_part(stored.setting, '=', 2)) in ('on', 'true', 'yes', '1')
    from pg_catalog.pg_db_role_setting as settings
    cross join unnest(settings.setconfig) as stored (setting)
    where settings.setrole in (0, roles.oid) and stored.setting like 'default\_transaction\_read\_only=%'
      and settings.setdatabase in (
        0, (select databases.oid from pg_catalog.pg_database as databases where databases.datname = current_database()))
    order by settings.setrole = 0 or settings.setdatabase = 0, settings.setrole = 0
    limit 1), true) as read_only,
  (select settings.setting::integer from pg_catalog.pg_settings as settings where settings.name = 'statement_timeout')
    as statement_milliseconds_max,
  exists (select from pg_catalog.pg_namespace where nspname = 'passbook_read') as schema_exists,
  coalesce((
    select pg_catalog.has_schema_privilege(current_user, namespaces.oid, 'usage')
    from pg_catalog.pg_namespace as namespaces where namespaces.nspname = 'passbook_read'), false) as may_read
from pg_catalog.pg_roles as roles
where roles.rolname = current_user
