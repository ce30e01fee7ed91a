-- Returns the schema version, the tables whose row-level security is not forced, and the views whose owner bypasses
-- row-level security. The column sees_people is true if rows of the view people are visible although app.user_id is
-- not set.
select
  (select schema_version.version from passbook_read.schema_version) as version,
  array(
    select format('%I.%I', namespaces.nspname, relations.relname)
    from pg_catalog.pg_class as relations
    join pg_catalog.pg_namespace as namespaces on namespaces.oid = relations.relnamespace
    join pg_catalog.pg_attribute as columns on columns.attrelid = relations.oid
    where namespaces.nspname = 'passbook' and relations.relkind in ('r', 'p') and columns.attname = 'user_id'
      and not (relations.relrowsecurity and relations.relforcerowsecurity)
    order by 1
  ) as unprotected_tables,
  array(
    select format('%I.%I', namespaces.nspname, relations.relname)
    from pg_catalog.pg_class as relations
    join pg_catalog.pg_namespace as namespaces on namespaces.oid = relations.relnamespace
    join pg_catalog.pg_roles as owners on owners.oid = relations.relowner
    where namespaces.nspname = 'passbook_read' and relations.relkind = 'v' and (owners.rolsuper or owners.rolbypassrls)
    order by 1
  ) as bypassing_views,
  exists (select from passbook_read.people) as sees_people
