//! Compares a database with this program's migrations. Changes nothing.

use tokio_postgres::GenericClient;

use crate::error::Error;
use crate::migrations::{MIGRATIONS, latest_version};

/// The schema of a database compared with this program's migrations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The database has no Passbook schema.
    Absent,
    /// Migrations are missing.
    Behind {
        /// Version of the database.
        version: i32,
        /// Names of the missing migrations, in order.
        missing: Vec<&'static str>,
    },
    /// All migrations are applied.
    Current,
    /// The database has migrations of a newer program.
    Ahead {
        /// Version of the database.
        version: i32,
    },
    /// The SHA-256 of a recorded migration differs from this program's.
    Edited {
        /// Version of the migration.
        version: i32,
        /// Name of the migration as recorded.
        name: String,
    },
}

/// Reads the status of a database. The role must be the owner, the writer or a superuser.
///
/// # Errors
/// [`Error::Database`] if the record of migrations cannot be read.
pub async fn status(client: &impl GenericClient) -> Result<Status, Error> {
    let reading = Error::database("reading the record of migrations");
    let exists = client
        .query_one("select to_regclass('passbook.migrations') is not null", &[])
        .await
        .map_err(Error::database("looking for the record of migrations"))?;
    if !exists.get::<_, bool>(0) {
        return Ok(Status::Absent);
    }
    let rows = client
        .query("select version, name, sha256 from passbook.migrations order by version", &[])
        .await
        .map_err(reading)?;
    let recorded = rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect();
    Ok(compare(recorded))
}

/// Compares recorded migrations, given as version, name and SHA-256 in order of version, with this program's.
fn compare(recorded: Vec<(i32, String, String)>) -> Status {
    let newest = recorded.last().map_or(0, |(version, ..)| *version);
    if newest > latest_version() {
        return Status::Ahead { version: newest };
    }
    for (version, name, sha256) in recorded {
        let known = MIGRATIONS.iter().find(|migration| migration.version == version);
        if known.is_none_or(|migration| migration.sha256() != sha256) {
            return Status::Edited { version, name };
        }
    }
    if newest == latest_version() {
        return Status::Current;
    }
    let missing = MIGRATIONS.iter().filter(|migration| migration.version > newest);
    Status::Behind { version: newest, missing: missing.map(|migration| migration.name).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The record of a database with the first migrations.
    fn recorded(count: usize) -> Vec<(i32, String, String)> {
        let known = MIGRATIONS.iter().take(count);
        known.map(|migration| (migration.version, migration.name.to_owned(), migration.sha256())).collect()
    }

    #[test]
    fn missing_migrations_are_listed_in_order() {
        assert_eq!(compare(recorded(MIGRATIONS.len())), Status::Current);
        let missing = MIGRATIONS.iter().skip(2).map(|migration| migration.name).collect();
        assert_eq!(compare(recorded(2)), Status::Behind { version: 2, missing });
    }

    #[test]
    fn newer_database_is_ahead() {
        let mut newer = recorded(MIGRATIONS.len());
        newer.push((latest_version() + 1, "future".to_owned(), String::new()));
        assert_eq!(compare(newer), Status::Ahead { version: latest_version() + 1 });
    }

    #[test]
    fn changed_hash_of_a_migration_is_edited() {
        let mut edited = recorded(3);
        edited[1].2 = "0".repeat(64);
        assert_eq!(compare(edited), Status::Edited { version: 2, name: MIGRATIONS[1].name.to_owned() });
    }
}
