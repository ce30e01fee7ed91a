//! The context of a running operation: the ledger, the caller's access, and a lock for each user.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use passbook_domain::access::{Access, Credential};
use passbook_domain::names::Resolved;
use passbook_domain::person::UserId;
use passbook_domain::ports::{Ledger, ReadError};
use passbook_domain::scope::{Scope, Surface};
use tokio::sync::OwnedMutexGuard;

/// The ledger and the caller's access to it. Only [`Service`](crate::Service) creates a context, so every query names
/// the caller and the operation's scope.
pub struct Context<'a> {
    ledger: &'a dyn Ledger,
    access: Access<'a>,
    user_locks: &'a UserLocks,
    resolved: Vec<Resolved>,
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
        let access = Access::for_operation(credential, scope);
        Context { ledger, access, user_locks, resolved: Vec::new() }
    }

    /// Returns the context of the same call for data that needs another scope.
    pub(crate) fn with_scope(&'a self, scope: Scope) -> Context<'a> {
        Context::new(self.ledger, self.access.credential(), Some(scope), self.user_locks)
    }

    /// Returns the ledger that the operation queries.
    pub fn ledger(&self) -> &'a dyn Ledger {
        self.ledger
    }

    /// Opens a snapshot if an operation reads `several` times, so that its figures agree. Returns none for one reading, within
    /// a snapshot, and if the ledger has no snapshots.
    pub(crate) async fn snapshot(&self, several: bool) -> Result<Option<Box<dyn Ledger + '_>>, ReadError> {
        if !several {
            return Ok(None);
        }
        match self.ledger.snapshot(self.access.credential()).await {
            Err(ReadError::NotOffered(_)) => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// Returns the context with what the names of the request were taken for.
    pub(crate) fn with_resolved(self, resolved: Vec<Resolved>) -> Context<'a> {
        Context { resolved, ..self }
    }

    /// Returns what the names of the request were taken for.
    pub fn resolved(&self) -> Vec<Resolved> {
        self.resolved.clone()
    }

    /// Waits for the lock of the caller, for work that must not run twice at the same time for one user.
    pub(crate) async fn lock_user(&self) -> UserLock<'a> {
        self.user_locks.lock(self.access.credential().user()).await
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

/// The locks of all users who hold one or wait for one. The end of the last removes a user's lock.
#[derive(Debug, Default)]
pub(crate) struct UserLocks {
    users: Mutex<HashMap<UserId, Arc<tokio::sync::Mutex<()>>>>,
}

/// The lock of a user, or the wait for it. Dropping the value releases the lock.
#[derive(Debug)]
pub(crate) struct UserLock<'a> {
    locks: &'a UserLocks,
    user: UserId,
    lock: Option<Arc<tokio::sync::Mutex<()>>>,
    guard: Option<OwnedMutexGuard<()>>,
}

impl UserLocks {
    /// Waits for the lock of a user.
    pub(crate) async fn lock(&self, user: UserId) -> UserLock<'_> {
        let lock = self.users().entry(user).or_default().clone();
        let mut user_lock = UserLock { locks: self, user, lock: Some(lock.clone()), guard: None };
        user_lock.guard = Some(lock.lock_owned().await);
        user_lock
    }

    fn users(&self) -> MutexGuard<'_, HashMap<UserId, Arc<tokio::sync::Mutex<()>>>> {
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UserLock<'_> {
    fn drop(&mut self) {
        self.guard = None;
        self.lock = None;
        let mut users = self.locks.users();
        // The lock is cloned only under this lock, so a count of 1 proves that no other request of the user has it.
        if users.get(&self.user).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            users.remove(&self.user);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future as _;
    use std::pin::pin;
    use std::task::{self, Poll, Waker};

    use uuid::Uuid;

    use super::*;

    #[expect(clippy::disallowed_methods, reason = "this test takes the place of authentication")]
    fn person(number: u128) -> UserId {
        UserId::from_authenticated(Uuid::from_u128(number))
    }

    #[test]
    fn lock_of_a_user_waits_for_this_user_only_and_is_forgotten() {
        let locks = UserLocks::default();
        let mut context = task::Context::from_waker(Waker::noop());
        let Poll::Ready(first) = pin!(locks.lock(person(1))).poll(&mut context) else { panic!("free") };
        {
            let mut second = pin!(locks.lock(person(1)));
            assert!(second.as_mut().poll(&mut context).is_pending());
            assert!(pin!(locks.lock(person(2))).poll(&mut context).is_ready());
            drop(first);
            assert!(second.poll(&mut context).is_ready());
        }
        {
            let Poll::Ready(_held) = pin!(locks.lock(person(1))).poll(&mut context) else { panic!("free") };
            // A request that is cancelled while it waits.
            assert!(pin!(locks.lock(person(1))).poll(&mut context).is_pending());
        }
        assert!(locks.users().is_empty());
    }
}
