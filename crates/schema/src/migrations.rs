//! The list of all migrations.

use sha2::{Digest, Sha256};

use crate::setup::{BOOTSTRAP, ROLES};

/// One migration.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// Position in the list, from 1 without gaps.
    pub version: i32,
    /// Name, as in the file name.
    pub name: &'static str,
    /// SQL text.
    pub sql: &'static str,
}

impl Migration {
    /// Returns the SHA-256 of the SQL text, comments included, in hexadecimal.
    pub fn sha256(&self) -> String {
        hexadecimal(&Sha256::digest(self.sql.as_bytes()))
    }
}

macro_rules! migration {
    ($version:literal, $name:literal, $($file:literal),+) => {
        Migration {
            version: $version,
            name: $name,
            sql: concat!($(include_str!(concat!("../migrations/", $file))),+),
        }
    };
}

/// All migrations, oldest first.
pub const MIGRATIONS: &[Migration] = &[
    migration!(1, "reference", "0001_reference.sql"),
    migration!(2, "people_and_money", "0002_people_and_money.sql"),
    migration!(3, "portfolio", "0003_portfolio.sql"),
    migration!(4, "credentials", "0004_credentials.sql"),
    migration!(5, "row_security", "0005_row_security.sql"),
    migration!(6, "reading_contract", "0006_reading_contract.sql"),
    migration!(7, "banks_and_portfolio", "0007_banks_and_portfolio.sql"),
    migration!(8, "portfolio_history", "0008_portfolio_history.sql"),
    migration!(9, "oauth_sessions", "0009_oauth_sessions.sql"),
    migration!(10, "function_dependencies", "0010_function_dependencies.sql"),
    migration!(11, "ledgers", "0011_ledgers.sql"),
    migration!(12, "filters_and_series", "0012_filters_and_series.sql"),
    migration!(13, "derived_facts", "0013_derived_facts.sql", "0013_derived_triggers.sql"),
    migration!(14, "totals", "0014_totals.sql", "0014_totals_triggers.sql", "0014_totals_reading.sql"),
    migration!(15, "session", "0015_session.sql"),
    migration!(16, "bounds", "0016_totals.sql", "0016_totals_triggers.sql", "0016_totals_reading.sql"),
    migration!(17, "imports", "0017_imports.sql"),
    migration!(18, "account_names", "0018_account_names.sql"),
    migration!(19, "recreated_users", "0019_recreated_users.sql"),
    migration!(20, "upserts_and_rates", "0020_upserts_and_rates.sql"),
    migration!(21, "conversion_range", "0021_conversion_range.sql"),
    migration!(22, "plans_without_statistics", "0022_plans_without_statistics.sql"),
    migration!(23, "rates_of_a_statement", "0023_rates_of_a_statement.sql"),
];

/// Returns the version of a database with all migrations.
pub fn latest_version() -> i32 {
    MIGRATIONS.last().map_or(0, |migration| migration.version)
}

/// Returns an identifier of this exact schema: the SHA-256 of all SQL in hexadecimal. Tests name template databases
/// after it.
pub fn fingerprint() -> String {
    let mut hash = Sha256::new();
    for part in [ROLES, BOOTSTRAP] {
        hash.update(part.as_bytes());
    }
    for migration in MIGRATIONS {
        hash.update(migration.sql.as_bytes());
    }
    hexadecimal(&hash.finalize())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
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
