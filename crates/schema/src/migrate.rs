//! Applies missing migrations in order, under a lock and in one transaction.

use tokio_postgres::{Client, GenericClient, Transaction};

use super::error::Error;
use super::migrations::{MIGRATIONS, latest_version};
use super::status::status;

/// The role that owns all tables and views. Neither superuser nor BYPASSRLS, so row-level security applies to it.
pub const OWNER: &str = "passbook_owner";
/// The role of the operator's tool and of synchronisation jobs. Reads and writes the rows of all users.
pub const WRITER: &str = "passbook_writer";
/// The role of the server. May only select from the views and call the functions of `passbook_read`.
pub const READER: &str = "passbook_reader";

/// Key of the advisory lock that serialises concurrent migrations of one database.
const LOCK_KEY: i64 = 0x7061_7373_626f_6f6b;

const LOCAL_LOGINS: &str = "
    alter role passbook_reader login;
    alter role passbook_writer login;
    do $$
    begin
      execute format('revoke temporary on database %I from public', current_database());
      execute format('grant temporary on database %I to passbook_writer', current_database());
    end
    $$";

/// The result of a run of [`migrate`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Version before the run; 0 without a schema.
    pub from: i32,
    /// Version after the run.
    pub to: i32,
    /// Names of the applied migrations, in order.
    pub names: Vec<&'static str>,
}

/// Applies all missing migrations in one transaction. A failure changes nothing.
///
/// The role of the connection must either be allowed to create roles, or be a member of the owner in a cluster in
/// which the four roles exist.
///
/// # Errors
/// [`Error::Ahead`] and [`Error::Edited`] for a database that does not fit this program, [`Error::Migration`] if a
/// migration fails, else [`Error::Database`].
pub async fn migrate(client: &mut Client) -> Result<Applied, Error> {
    let transaction = client.transaction().await.map_err(Error::database("beginning"))?;
    let applied = migrate_to(&transaction, latest_version()).await?;
    transaction.commit().await.map_err(Error::database("committing"))?;
    Ok(applied)
}

/// Applies the missing migrations up to a version in the caller's transaction, which the caller commits. Changes
/// nothing if the database has that version or a newer one. Afterwards the transaction has the role of its session.
///
/// # Errors
/// Those of [`migrate`].
pub async fn migrate_to(transaction: &Transaction<'_>, version: i32) -> Result<Applied, Error> {
    transaction
        .query("select pg_advisory_xact_lock($1)", &[&LOCK_KEY])
        .await
        .map_err(Error::database("waiting for another migration of this database"))?;
    let from = status(transaction).await?.version()?.unwrap_or(0);
    if from >= version {
        return Ok(Applied { from, to: from, names: Vec::new() });
    }
    if from > 0 {
        // The first migration takes this role itself, after it has created it.
        transaction
            .batch_execute(&format!("set local role {OWNER}"))
            .await
            .map_err(Error::database("taking the role of the owner"))?;
    }
    let mut names = Vec::new();
    for migration in MIGRATIONS.iter().filter(|next| next.version > from && next.version <= version) {
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
    // The migrations ran as the owner.
    transaction
        .batch_execute("set local role to default")
        .await
        .map_err(Error::database("leaving the role"))?;
    Ok(Applied { from, to: version, names })
}

/// Lets the reader and the writer log in without a password, and only the writer create temporary tables. Only for a private
/// server whose socket no other user can reach, and whose database nobody else uses.
///
/// # Errors
/// [`Error::Database`] if the role of the connection may not alter the roles.
pub async fn allow_local_logins(client: &impl GenericClient) -> Result<(), Error> {
    client.batch_execute(LOCAL_LOGINS).await.map_err(Error::database("allowing the roles to log in"))
}
