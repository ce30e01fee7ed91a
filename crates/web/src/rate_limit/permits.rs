//! Concurrency permits: a semaphore for each user who has a request in progress.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::person::UserId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum number of concurrent requests per user. Further requests wait up to [`PERMIT_TIMEOUT_SECONDS`].
pub const CONCURRENT_REQUESTS_MAX: usize = 16;
/// Maximum time that a request waits for a permit, in seconds.
pub const PERMIT_TIMEOUT_SECONDS: u64 = 1;

/// The semaphores of all users who have a request in progress. The end of a user's last request removes the user's
/// semaphore.
#[derive(Debug)]
pub(super) struct Permits {
    per_user: usize,
    users: Mutex<HashMap<UserId, Arc<Semaphore>>>,
}

/// A concurrency permit, or the wait for one.
#[derive(Debug)]
pub(super) struct Permit {
    permits: Arc<Permits>,
    user: UserId,
    semaphore: Option<Arc<Semaphore>>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Permits {
    /// Creates the semaphores with this number of permits for each user.
    pub(super) fn new(per_user: usize) -> Permits {
        Permits { per_user, users: Mutex::default() }
    }

    /// Waits for a concurrency permit of the user. Returns `None` if no permit becomes free in time.
    pub(super) async fn acquire(self: &Arc<Permits>, user: UserId) -> Option<Permit> {
        let semaphore = self.semaphore(user);
        let mut permit =
            Permit { permits: self.clone(), user, semaphore: Some(semaphore.clone()), permit: None };
        let wait = Duration::from_secs(PERMIT_TIMEOUT_SECONDS);
        let acquired = tokio::time::timeout(wait, semaphore.acquire_owned()).await.ok()?;
        permit.permit = Some(acquired.expect("the semaphore is never closed"));
        Some(permit)
    }

    /// Returns the number of users who have a semaphore.
    pub(super) fn users(&self) -> usize {
        self.users.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn semaphore(&self, user: UserId) -> Arc<Semaphore> {
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        let semaphore = users.entry(user).or_insert_with(|| Arc::new(Semaphore::new(self.per_user)));
        semaphore.clone()
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.permit = None;
        self.semaphore = None;
        let mut users = self.permits.users.lock().unwrap_or_else(PoisonError::into_inner);
        // The semaphore is cloned only under this lock, so a count of 1 proves that no other request of the user holds it.
        if users.get(&self.user).is_some_and(|semaphore| Arc::strong_count(semaphore) == 1) {
            users.remove(&self.user);
        }
    }
}
