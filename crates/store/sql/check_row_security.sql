-- The tables whose row-level security is not forced, and the views whose owner bypasses row-level security. Partitions
-- are not examined: reads go through the partitioned table, whose row-level security applies.
select
  array(
    select format('%I.%I', namespaces.nspname, relations.relname)
    from pg_catalog.pg_class as relations
    join pg_catalog.pg_namespace as namespaces on namespaces.oid = relations.relnamespace
    join pg_catalog.pg_attribute as columns on columns.attrelid = relations.oid
    where namespaces.nspname = 'passbook' and relations.relkind in ('r', 'p') and columns.attname = 'user_id' and not relations.relispartition
      and not (relations.relrowsecurity and relations.relforcerowsecurity)
    order by 1
  ) as unprotected_tables,
  array(
    select format('%I.%I', namespaces.nspname, relations.relname)
    from pg_catalog.pg_class as relations
    join pg_catalog.pg_namespace as namespaces on namespaces.oid = relations.relnamespace
    join pg_catalog.pg_roles as owners on owners.oid = relations.relowner
    where namespaces.nspname in ('passbook', 'passbook_read') and relations.relkind = 'v' and (owners.rolsuper or owners.rolbypassrls)
    order by 1
  ) as bypassing_views
