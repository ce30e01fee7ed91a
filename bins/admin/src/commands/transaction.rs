//! The transaction of a command that writes, which a dry run rolls back.

use clap::Args;
use tokio_postgres::{Client, Transaction};

use crate::error::CommandError;
use crate::output;

/// The flag for a dry run.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Rehearsal {
    /// Do everything, including all checks, but store nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Begins a transaction.
pub(super) async fn begin(client: &mut Client) -> Result<Transaction<'_>, CommandError> {
    Ok(client.transaction().await?)
}

/// Commits the transaction, or rolls it back and prints a note in a dry run.
pub(super) async fn end(transaction: Transaction<'_>, rehearsal: Rehearsal) -> Result<(), CommandError> {
    let ended = if rehearsal.dry_run { transaction.rollback().await } else { transaction.commit().await };
    ended?;
    note_dry_run(rehearsal);
    Ok(())
}

/// Prints a note if the command is a dry run.
pub(super) fn note_dry_run(rehearsal: Rehearsal) {
    if rehearsal.dry_run {
        output::note("dry run: nothing was stored");
    }
}
