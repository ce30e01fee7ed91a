//! The database: schema, roles, stored rows, statements per request, TLS, replication, and the private PostgreSQL.

mod efficiency;
mod embedded;
mod replication;
mod roles;
mod schema_versions;
mod stored_rows;
mod tls;
