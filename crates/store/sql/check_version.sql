-- The schema version of the database: the newest recorded migration.
select schema_version.version from passbook_read.schema_version
