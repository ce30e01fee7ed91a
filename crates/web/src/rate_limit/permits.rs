//! Concurrency permits, and the turns of users whose requests are slow.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use passbook_domain::person::UserId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// Maximum number of concurrent requests per user. Further requests wait up to [`PERMIT_TIMEOUT_SECONDS`].
pub const CONCURRENT_REQUESTS_MAX: usize = 16;
/// Maximum time that a request waits for a permit, in seconds.
pub const PERMIT_TIMEOUT_SECONDS: u64 = 1;
/// Duration of a slow request, in milliseconds. Most requests take a tenth.
const SLOW_MILLISECONDS: u64 = 25;

/// The permits of all users who have a request in progress. The end of a user's last request removes the user's permits.
#[derive(Debug)]
pub(super) struct Permits {
    per_user: usize,
    users: Mutex<HashMap<UserId, Arc<UserPermits>>>,
}

/// The permits and turns of one user.
///
/// Several slow requests of one user would take all processors of the database, and the requests of others would wait. So a
/// request needs a turn besides its permit. There are as many turns as permits at first. Each slow request takes one away
/// until one is left, and each quick request gives one back.
#[derive(Debug)]
struct UserPermits {
    permits: Arc<Semaphore>,
    turns: Arc<Semaphore>,
    /// Number of turns, whether they are taken or free.
    turns_total: AtomicUsize,
    turns_max: usize,
}

/// A concurrency permit with its turn, or the wait for them. Dropping the value releases both.
#[derive(Debug)]
pub(crate) struct Permit {
    permits: Arc<Permits>,
    user: UserId,
    of_user: Option<Arc<UserPermits>>,
    permit: Option<OwnedSemaphorePermit>,
    turn: Option<(OwnedSemaphorePermit, Instant)>,
}

impl Permits {
    /// Creates the semaphores with this number of permits for each user.
    pub(super) fn new(per_user: usize) -> Permits {
        Permits { per_user, users: Mutex::default() }
    }

    /// Waits for a concurrency permit of the user, and then for a turn. Returns `None` if no permit becomes free in time. The
    /// wait for a turn has no limit of its own: it ends with the requests of the same user that are in progress.
    pub(super) async fn acquire(self: &Arc<Permits>, user: UserId) -> Option<Permit> {
        let of_user = self.of_user(user);
        let (permits, turns) = (of_user.permits.clone(), of_user.turns.clone());
        let mut permit =
            Permit { permits: self.clone(), user, of_user: Some(of_user), permit: None, turn: None };
        let wait = Duration::from_secs(PERMIT_TIMEOUT_SECONDS);
        let acquired = tokio::time::timeout(wait, permits.acquire_owned()).await.ok()?;
        permit.permit = Some(acquired.expect("the semaphore is never closed"));
        let turn = turns.acquire_owned().await.expect("the semaphore is never closed");
        permit.turn = Some((turn, Instant::now()));
        Some(permit)
    }

    /// Returns the number of users who have a request in progress or waiting for a permit.
    pub(super) fn users(&self) -> usize {
        self.users.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn of_user(&self, user: UserId) -> Arc<UserPermits> {
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        users.entry(user).or_insert_with(|| Arc::new(UserPermits::new(self.per_user))).clone()
    }
}

impl UserPermits {
    fn new(number: usize) -> UserPermits {
        UserPermits {
            permits: Arc::new(Semaphore::new(number)),
            turns: Arc::new(Semaphore::new(number)),
            turns_total: AtomicUsize::new(number),
            turns_max: number,
        }
    }

    /// Ends the turn of a request, and decides how many turns there are from now on.
    fn end_turn(&self, turn: OwnedSemaphorePermit, duration: Duration) {
        let is_slow = duration >= Duration::from_millis(SLOW_MILLISECONDS);
        let change = |total: usize| match is_slow {
            true => (total > 1).then(|| total - 1),
            false => (total < self.turns_max).then_some(total + 1),
        };
        let changed = self.turns_total.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change).is_ok();
        match (changed, is_slow) {
            (true, true) => turn.forget(),
            (true, false) => self.turns.add_permits(1),
            (false, _) => {}
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let (Some(of_user), Some((turn, since))) = (&self.of_user, self.turn.take()) {
            of_user.end_turn(turn, since.elapsed());
        }
        self.permit = None;
        self.of_user = None;
        let mut users = self.permits.users.lock().unwrap_or_else(PoisonError::into_inner);
        // They are cloned only under this lock, so a count of 1 proves that no other request of the user holds them.
        if users.get(&self.user).is_some_and(|of_user| Arc::strong_count(of_user) == 1) {
            users.remove(&self.user);
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    /// Runs as many requests of a user at the same time as have a turn. Returns their number.
    async fn run_at_once(permits: &Arc<Permits>, user: UserId, duration: Duration) -> usize {
        let mut running = Vec::new();
        // No other task ends a turn meanwhile, so a request that gets none at once would have to wait.
        while let Ok(permit) = tokio::time::timeout(Duration::ZERO, permits.acquire(user)).await {
            running.push(permit.expect("a permit is free"));
        }
        tokio::time::advance(duration).await;
        running.len()
    }

    #[expect(clippy::disallowed_methods, reason = "these tests take the place of authentication")]
    #[tokio::test(start_paused = true)]
    async fn slow_requests_of_a_user_follow_each_other_until_requests_are_quick() {
        let permits = Arc::new(Permits::new(4));
        let user = UserId::from_authenticated(Uuid::from_u128(1));
        let (slow, quick) = (Duration::from_millis(SLOW_MILLISECONDS), Duration::from_millis(1));
        // A further request waits throughout, so the turns are not forgotten.
        let _waiting = permits.of_user(user);
        let mut at_once = Vec::new();
        for duration in [slow, slow, quick, quick, quick] {
            at_once.push(run_at_once(&permits, user, duration).await);
        }
        assert_eq!(at_once, [4, 1, 1, 2, 4]);
    }
}
