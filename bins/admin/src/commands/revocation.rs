//! The end of every revocation: commit or roll back, and print the result.

use jiff::Timestamp;
use passbook_ingest::revocation::Revocation;
use passbook_input::Fault;
use serde::Serialize;
use tokio_postgres::Transaction;

use super::transaction;
use crate::arguments::Rehearsal;
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

/// The state of a credential, as lists show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    Active,
    Expired,
    Revoked,
}

impl State {
    /// The state of a credential that does not expire.
    pub(super) fn new(revoked_at: Option<Timestamp>) -> State {
        if revoked_at.is_some() { State::Revoked } else { State::Active }
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            State::Active => "active",
            State::Expired => "expired",
            State::Revoked => "revoked",
        }
    }
}
