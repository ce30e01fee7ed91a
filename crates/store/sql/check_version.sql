-- The newest recorded migration. The SHA-256 distinguishes development versions.
select schema_version.version, schema_version.sha256 from passbook_read.schema_version
