//! Requests of one user at the same time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::person::UserId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{CONCURRENT_REQUESTS_MAX, WAIT_SECONDS_MAX};

/// The places of every user who has a request under way. Others are not remembered.
#[derive(Debug, Default)]
pub(super) struct Places {
    users: Mutex<HashMap<UserId, Arc<Semaphore>>>,
}

/// A place, or the wait for one: whoever drops the last of a user's forgets the user.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    user: UserId,
    semaphore: Option<Arc<Semaphore>>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Places {
    /// A place of the user; none when there is none in time.
    pub(super) async fn take(self: &Arc<Places>, user: UserId) -> Option<Place> {
        let semaphore = self.semaphore(user);
        let mut place =
            Place { places: self.clone(), user, semaphore: Some(semaphore.clone()), permit: None };
        let wait = Duration::from_secs(WAIT_SECONDS_MAX);
        let permit = tokio::time::timeout(wait, semaphore.acquire_owned()).await.ok()?;
        place.permit = Some(permit.expect("it is never closed"));
        Some(place)
    }

    /// Users who are remembered.
    #[cfg(test)]
    pub(super) fn users(&self) -> usize {
        self.users.lock().expect("nothing panics").len()
    }

    fn semaphore(&self, user: UserId) -> Arc<Semaphore> {
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        let semaphore =
            users.entry(user).or_insert_with(|| Arc::new(Semaphore::new(CONCURRENT_REQUESTS_MAX)));
        semaphore.clone()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.permit = None;
        self.semaphore = None;
        let mut users = self.places.users.lock().unwrap_or_else(PoisonError::into_inner);
        // Copies are made under this lock alone, so the last one out sees that nobody else is left.
        if users.get(&self.user).is_some_and(|semaphore| Arc::strong_count(semaphore) == 1) {
            users.remove(&self.user);
        }
    }
}
