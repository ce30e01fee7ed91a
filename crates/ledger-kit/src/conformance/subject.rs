//! The ledger under test, and the grants under which the kit calls it.

use std::sync::Arc;

use passbook_domain::access::Credential;
use passbook_domain::ports::Ledger;

/// A ledger that has stored the rows of [`sample`](crate::sample()), with the sample's day as today.
pub trait Subject: Sync {
    /// Returns the ledger, and a credential for a person of the sample under a grant. None if the ledger has no grants of
    /// this kind: the report then lists the rules about the grant as skipped. [`Grant::Full`] must exist.
    fn open(&self, person: &str, grant: Grant) -> Option<OpenLedger>;
}

/// A kind of grant that the kit needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// A live grant with every scope, that allows REST.
    Full,
    /// A live grant with exactly the scopes `spending:read` and `cashflow:read`.
    Spending,
    /// A grant that was revoked.
    Revoked,
    /// A grant that has expired.
    Expired,
    /// A live grant with every scope that allows REST and not the tool server.
    RestOnly,
    /// A live grant of another person, in a credential of this person.
    OfAnotherPerson,
}

/// A ledger, and the credential of a caller.
#[derive(Clone)]
pub struct OpenLedger {
    /// The ledger under test.
    pub ledger: Arc<dyn Ledger>,
    /// The credential, without a surface.
    pub credential: Credential,
}

impl std::fmt::Debug for OpenLedger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenLedger").field("credential", &self.credential).finish_non_exhaustive()
    }
}
