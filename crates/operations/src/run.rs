//! Runs one operation over a ledger.

use passbook_domain::access::Credential;
use passbook_domain::ports::Ledger;
use tracing::Instrument as _;

use crate::context::Context;
use crate::error::Error;
use crate::operation::Operation;
use crate::user_locks::UserLocks;

/// Runs one operation for a caller, over the ledger of a service or of a snapshot.
pub(crate) async fn run<O: Operation>(
    ledger: &dyn Ledger,
    credential: &Credential,
    params: O::Params,
    user_locks: &UserLocks,
) -> Result<O::Output, Error> {
    let context = Context::new(ledger, credential, O::SPEC.scope, user_locks);
    O::run(&context, params).instrument(tracing::debug_span!("operation", id = O::SPEC.id)).await
}
