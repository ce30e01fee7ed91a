//! The transaction of a command that writes.

use tokio_postgres::{Client, Transaction};

use crate::arguments::Rehearsal;
use crate::error::CommandError;
use crate::output;

/// Begins a transaction.
pub(super) async fn begin(client: &mut Client) -> Result<Transaction<'_>, CommandError> {
    client.transaction().await.map_err(|error| CommandError::database(&error))
}

/// Commits the transaction, or rolls it back and prints a note in a dry run.
pub(super) async fn end(transaction: Transaction<'_>, rehearsal: Rehearsal) -> Result<(), CommandError> {
    let ended = if rehearsal.dry_run { transaction.rollback().await } else { transaction.commit().await };
    ended.map_err(|error| CommandError::database(&error))?;
    note_dry_run(rehearsal);
    Ok(())
}

/// Prints a note if the command is a dry run.
pub(super) fn note_dry_run(rehearsal: Rehearsal) {
    if rehearsal.dry_run {
        output::note("dry run: nothing was stored");
    }
}
