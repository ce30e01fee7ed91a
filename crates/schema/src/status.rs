//! Where a database stands, without changing it.

use tokio_postgres::GenericClient;

use crate::error::Error;
use crate::migrations::{MIGRATIONS, latest_version};

/// Where a database stands against this program's migrations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// No schema at all.
    Absent,
    /// Some migrations are still to be applied.
    Behind {
        /// The database's version.
        version: i32,
        /// Names of the migrations to come.
        missing: Vec<&'static str>,
    },
    /// Everything is applied.
    Current,
    /// Made by a newer program.
    Ahead {
        /// The database's version.
        version: i32,
    },
    /// A recorded migration differs from this program's.
    Edited {
        /// The migration's version.
        version: i32,
        /// The migration's name as recorded.
        name: String,
    },
}

/// Reads where a database stands. The role must be the owner, the writer or a superuser.
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
