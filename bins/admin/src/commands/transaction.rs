//! The transaction of a command that writes, which a dry run rolls back, and the end of every revocation.

use clap::Args;
use passbook_ingest::Revocation;
use passbook_input::Fault;
use tokio_postgres::Transaction;

use crate::error::CommandError;
use crate::output;

/// The flag for a dry run.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Rehearsal {
    /// Do everything, including all checks, but store nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Commits the transaction, or rolls it back and prints a note in a dry run.
pub(super) async fn end(transaction: Transaction<'_>, rehearsal: Rehearsal) -> Result<(), CommandError> {
    let ended = if rehearsal.dry_run { transaction.rollback().await } else { transaction.commit().await };
    ended?;
    note_dry_run(rehearsal);
    Ok(())
}

/// Ends the transaction and prints the result for the credential `id`. `unknown` is the fault for a credential that does
/// not exist.
pub(super) async fn end_revocation(
    transaction: Transaction<'_>,
    rehearsal: Rehearsal,
    revocation: Revocation,
    id: &str,
    unknown: impl FnOnce() -> Fault,
) -> Result<(), CommandError> {
    end(transaction, rehearsal).await?;
    match revocation {
        Revocation::Done => output::lines([format!("revoked {id}")]),
        Revocation::Unrecorded => output::lines([format!("revoked {id}, which was not recorded before")]),
        Revocation::Already => output::lines([format!("{id} was already revoked")]),
        Revocation::Unknown => Err(CommandError::input(unknown())),
    }
}

/// Prints a note if the command is a dry run.
pub(super) fn note_dry_run(rehearsal: Rehearsal) {
    if rehearsal.dry_run {
        output::note("dry run: nothing was stored");
    }
}
