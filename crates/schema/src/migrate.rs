//! Brings a database up to date: in order, under a lock, recorded, all or nothing.

use tokio_postgres::Client;

use crate::error::Error;
use crate::migrations::{MIGRATIONS, latest_version};
use crate::status::{Status, status};

pub(crate) const ROLES: &str = include_str!("../roles.sql");
pub(crate) const BOOTSTRAP: &str = include_str!("../bootstrap.sql");

/// The advisory lock that makes two set-ups of one database wait for each other.
const LOCK_KEY: i64 = 0x7061_7373_626f_6f6b;

/// What a run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The version before.
    pub from: i32,
    /// The version after.
    pub to: i32,
    /// Names of the migrations applied, in order.
    pub names: Vec<&'static str>,
}

/// Applies every migration that is missing, in one transaction: a failure changes nothing.
///
/// The connection needs a role that may create roles, or the three roles to exist and to be a member of the
/// owner. Refuses a database that is ahead of this program or whose record was edited.
pub async fn migrate(client: &mut Client) -> Result<Applied, Error> {
    let transaction = client.transaction().await.map_err(Error::database("beginning"))?;
    transaction
        .query("select pg_advisory_xact_lock($1)", &[&LOCK_KEY])
        .await
        .map_err(Error::database("waiting for another set-up of this database"))?;
    let from = match status(&transaction).await? {
        Status::Absent => 0,
        Status::Behind { version, .. } => version,
        Status::Current => latest_version(),
        Status::Ahead { version } => return Err(Error::Ahead { found: version, known: latest_version() }),
        Status::Edited { version, name } => return Err(Error::Edited { version, name }),
    };
    if from == latest_version() {
        return Ok(Applied { from, to: from, names: Vec::new() });
    }
    transaction.batch_execute(ROLES).await.map_err(Error::database("making the roles"))?;
    transaction.batch_execute(BOOTSTRAP).await.map_err(Error::database("making the schemas"))?;
    let mut names = Vec::new();
    for migration in MIGRATIONS.iter().filter(|migration| migration.version > from) {
        let failed = |source| Error::Migration { version: migration.version, name: migration.name, source };
        transaction.batch_execute(migration.sql).await.map_err(failed)?;
        transaction
            .execute(
                "insert into passbook.migrations (version, name, sha256) values ($1, $2, $3)",
                &[&migration.version, &migration.name, &migration.sha256()],
            )
            .await
            .map_err(failed)?;
        names.push(migration.name);
    }
    transaction.commit().await.map_err(Error::database("committing"))?;
    Ok(Applied { from, to: latest_version(), names })
}

/// Lets the reader and the writer log in without a password. For a private server only, whose socket nobody
/// else can reach.
pub async fn allow_local_logins(client: &Client) -> Result<(), Error> {
    client
        .batch_execute("alter role passbook_reader login; alter role passbook_writer login;")
        .await
        .map_err(Error::database("letting the roles log in"))
}
