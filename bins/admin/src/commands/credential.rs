//! The end of every revocation, and the surfaces of a credential as lists show them.

use passbook_ingest::Revocation;
use passbook_input::Fault;
use tokio_postgres::Transaction;

use super::transaction::{self, Rehearsal};
use crate::error::CommandError;
use crate::output;

/// Ends the transaction and prints the result for the credential `id`. `unknown` is the fault for a credential that does
/// not exist.
pub(super) async fn end(
    transaction: Transaction<'_>,
    rehearsal: Rehearsal,
    revocation: Revocation,
    id: &str,
    unknown: impl FnOnce() -> Fault,
) -> Result<(), CommandError> {
    transaction::end(transaction, rehearsal).await?;
    match revocation {
        Revocation::Done => output::lines([format!("revoked {id}")]),
        Revocation::Unrecorded => output::lines([format!("revoked {id}, which was not recorded before")]),
        Revocation::Already => output::lines([format!("{id} was already revoked")]),
        Revocation::Unknown => Err(CommandError::input(unknown())),
    }
}

/// Returns values, such as the surfaces that accept a credential, in one text.
pub(super) fn joined(values: &[String]) -> String {
    if values.is_empty() { "none".to_owned() } else { values.join(",") }
}
