//! Compares a database with this program's migrations. Changes nothing.

use std::cmp::Ordering;

use tokio_postgres::GenericClient;

use crate::error::Error;
use crate::migrations::{MIGRATIONS, Migration, latest_version};

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

impl Status {
    /// Returns the version of the database; `None` if it has no Passbook schema.
    ///
    /// # Errors
    /// [`Error::Ahead`] and [`Error::Edited`]: a schema that this program does not know.
    pub fn version(self) -> Result<Option<i32>, Error> {
        match self {
            Status::Absent => Ok(None),
            Status::Behind { version, .. } => Ok(Some(version)),
            Status::Current => Ok(Some(latest_version())),
            Status::Ahead { version } => Err(Error::Ahead { found: version, known: latest_version() }),
            Status::Edited { version, name } => Err(Error::Edited { version, name }),
        }
    }
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
    Ok(compare(recorded, MIGRATIONS))
}

/// Compares recorded migrations, given as version, name and SHA-256 in order of version, with those of a program. An edited
/// migration is reported first: versions of another history mean nothing.
fn compare(recorded: Vec<(i32, String, String)>, known: &[Migration]) -> Status {
    let newest = recorded.last().map_or(0, |(version, ..)| *version);
    for (version, name, sha256) in recorded {
        if known.iter().any(|migration| migration.version == version && migration.sha256() != sha256) {
            return Status::Edited { version, name };
        }
    }
    let latest = known.last().map_or(0, |migration| migration.version);
    match newest.cmp(&latest) {
        Ordering::Greater => Status::Ahead { version: newest },
        Ordering::Equal => Status::Current,
        Ordering::Less => {
            let missing = known.iter().filter(|migration| migration.version > newest);
            Status::Behind { version: newest, missing: missing.map(|migration| migration.name).collect() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [Migration; 3] = [
        Migration { version: 1, name: "schema", sql: "create schema passbook" },
        Migration { version: 2, name: "receipts", sql: "create table passbook.receipts ()" },
        Migration { version: 3, name: "tags", sql: "create table passbook.tags ()" },
    ];

    /// The record of a database with the first migrations.
    fn recorded(count: usize) -> Vec<(i32, String, String)> {
        let known = KNOWN.iter().take(count);
        known.map(|migration| (migration.version, migration.name.to_owned(), migration.sha256())).collect()
    }

    #[test]
    fn missing_migrations_are_listed_in_order() {
        assert_eq!(compare(recorded(3), &KNOWN), Status::Current);
        let behind = Status::Behind { version: 1, missing: vec!["receipts", "tags"] };
        assert_eq!(compare(recorded(1), &KNOWN), behind);
    }

    #[test]
    fn newer_database_is_ahead() {
        assert_eq!(compare(recorded(3), &KNOWN[..2]), Status::Ahead { version: 3 });
    }

    #[test]
    fn changed_hash_of_a_migration_is_edited_also_in_a_newer_database() {
        let mut edited = recorded(3);
        edited[0].2 = "0".repeat(64);
        let expected = Status::Edited { version: 1, name: "schema".to_owned() };
        assert_eq!(compare(edited.clone(), &KNOWN), expected);
        assert_eq!(compare(edited, &KNOWN[..2]), expected);
    }
}
