//! The context of a running operation: the ledger and the caller's access.

use passbook_domain::access::{Access, Credential};
use passbook_domain::ports::Ledger;
use passbook_domain::scope::{Scope, Surface};

use crate::user_locks::UserLocks;

/// The ledger and the caller's access to it. Only [`Service`](crate::Service) creates a context, so every query names
/// the caller and the operation's scope.
pub struct Context<'a> {
    ledger: &'a dyn Ledger,
    access: Access<'a>,
    user_locks: &'a UserLocks,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("access", &self.access).finish_non_exhaustive()
    }
}

impl<'a> Context<'a> {
    /// Creates the context of one call. `scope` is the scope that the grant must include.
    #[expect(clippy::disallowed_methods, reason = "the only place that creates an access to the ledger")]
    pub(crate) fn new(
        ledger: &'a dyn Ledger,
        credential: &'a Credential,
        scope: Option<Scope>,
        user_locks: &'a UserLocks,
    ) -> Context<'a> {
        Context { ledger, access: Access::for_operation(credential, scope), user_locks }
    }

    /// Returns the ledger that the operation queries.
    pub fn ledger(&self) -> &'a dyn Ledger {
        self.ledger
    }

    /// Returns the locks of the service, for work that must not run twice at the same time for one user.
    pub(crate) fn user_locks(&self) -> &'a UserLocks {
        self.user_locks
    }

    /// Returns true if the result is for a tool. A model reads every value of the result, so a tool returns fewer.
    pub fn is_tool(&self) -> bool {
        self.access.credential().surface() == Some(Surface::Mcp)
    }

    /// Returns the caller's credential together with the scope that the operation needs.
    pub fn access(&self) -> &Access<'a> {
        &self.access
    }
}
