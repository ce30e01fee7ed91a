//! The SQL that runs before the first migration.

/// Creates the three roles if they are missing.
pub(crate) const ROLES: &str = include_str!("../roles.sql");
/// Creates the two schemas and the table of applied migrations if they are missing.
pub(crate) const BOOTSTRAP: &str = include_str!("../bootstrap.sql");
