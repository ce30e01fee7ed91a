//! The list of all migrations.

use sha2::{Digest as _, Sha256};

/// One migration.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// Position in the list, from 1 without gaps.
    pub version: i32,
    /// Name.
    pub name: &'static str,
    /// SQL text.
    pub sql: &'static str,
}

impl Migration {
    /// Returns the SHA-256 of the SQL text, comments included, in hexadecimal.
    pub fn sha256(&self) -> String {
        Sha256::digest(self.sql.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

macro_rules! migration {
    ($version:literal, $name:literal, $($file:literal),+) => {
        Migration { version: $version, name: $name, sql: concat!($(include_str!(concat!("../sql/", $file))),+) }
    };
}

/// All migrations, oldest first.
pub const MIGRATIONS: &[Migration] = &[migration!(
    1,
    "schema",
    "00_roles.sql",
    "10_reference.sql",
    "20_people.sql",
    "30_accounts.sql",
    "40_transactions.sql",
    "45_labels.sql",
    "50_imports.sql",
    "60_totals.sql",
    "70_views.sql",
    "75_session.sql",
    "80_functions.sql",
    "85_history.sql",
    "90_security.sql"
)];

/// The last development version with another schema, whose backups [`FROM_VERSION_23`] restores.
pub const DEVELOPMENT_VERSION: i32 = 23;

/// The statements that restore a backup of version 23: those that create temporary tables for its rows, then `-- ROWS`, then
/// those that store the rows in the tables of this version.
pub const FROM_VERSION_23: &str = include_str!("../from_version_23.sql");

/// Returns the version of a database with all migrations.
pub fn latest_version() -> i32 {
    MIGRATIONS.last().map_or(0, |migration| migration.version)
}

/// Returns the SHA-256 of the newest migration in hexadecimal. It distinguishes the schemas of development versions, which
/// have the same version.
pub fn latest_sha256() -> String {
    MIGRATIONS.last().map(Migration::sha256).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_count_from_one_without_gaps() {
        let versions: Vec<i32> = MIGRATIONS.iter().map(|migration| migration.version).collect();
        let expected: Vec<i32> = (1..=latest_version()).collect();
        assert_eq!(versions, expected);
    }
}
