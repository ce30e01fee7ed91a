//! The end of every revocation: stored or rehearsed, and said.

use formats::Fault;
use ingest::revocation::Revocation;
use jiff::Timestamp;
use tokio_postgres::Transaction;

use crate::arguments::Rehearsal;
use crate::exit::Failure;
use crate::output;

/// Ends the transaction of a revocation and says what became of it. `unknown` is the fault where there is nothing to
/// take back.
pub(super) async fn end(
    transaction: Transaction<'_>,
    rehearsal: Rehearsal,
    revocation: Revocation,
    id: &str,
    unknown: impl FnOnce() -> Fault,
) -> Result<(), Failure> {
    let ended = if rehearsal.dry_run { transaction.rollback().await } else { transaction.commit().await };
    ended.map_err(|error| Failure::database(&error))?;
    super::remark_on_rehearsal(rehearsal);
    match revocation {
        Revocation::Done => output::lines([format!("revoked {id}")]),
        Revocation::Unrecorded => output::lines([format!("revoked {id}, which had not been recorded")]),
        Revocation::Already => output::lines([format!("{id} had been revoked before")]),
        Revocation::Unknown => Err(Failure::input(unknown())),
    }
}

/// How a list shows whether something has been taken back.
pub(super) fn state(revoked_at: Option<Timestamp>) -> &'static str {
    if revoked_at.is_some() { "revoked" } else { "active" }
}
