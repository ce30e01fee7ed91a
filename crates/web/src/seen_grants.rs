//! Remembers for a few seconds whether a grant was live when the ledger read it last.
//!
//! The holder of a revoked credential can still send requests with it. They must not use up the quota or the permits of
//! the owner: a grant that was dead a moment ago is rejected from memory, before anything is counted. Later the ledger
//! reads it again, alone and without the data. The memory never gives access.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use passbook_domain::access::{Credential, GrantReference};
use passbook_domain::person::UserId;
use passbook_operations::{Error, Service};
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// Time for which the state of a grant is used, in seconds.
const REMEMBERED_SECONDS: u64 = 5;
/// Maximum number of grants. A full memory keeps only the grants that were read a moment ago.
const GRANTS_MAX: usize = 10_000;

type Key = (UserId, GrantReference);

/// The grants that the ledger has read.
#[derive(Debug)]
pub(crate) struct SeenGrants {
    seen: Mutex<HashMap<Key, (State, Instant)>>,
    /// One dead grant is read at a time, so that many of them together occupy one database connection.
    checks: Semaphore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Live,
    Dead { expired: bool },
}

impl Default for SeenGrants {
    fn default() -> SeenGrants {
        SeenGrants { seen: Mutex::default(), checks: Semaphore::new(1) }
    }
}

impl SeenGrants {
    /// Returns true if the grant was live a moment ago.
    pub(crate) fn is_live(&self, credential: &Credential) -> bool {
        matches!(self.get(credential), Some((State::Live, true)))
    }

    /// Checks that the grant was not dead a moment ago.
    ///
    /// # Errors
    /// The error of the ledger for a grant that is revoked, expired or absent.
    pub(crate) fn check(&self, credential: &Credential) -> Result<(), Error> {
        match self.get(credential) {
            Some((State::Dead { expired }, true)) => Err(Error::Unauthorized { expired }),
            _ => Ok(()),
        }
    }

    /// Lets the ledger read the grant again if it was dead when it was read last.
    ///
    /// # Errors
    /// Those of [`Service::check_grant`].
    #[expect(clippy::disallowed_methods, reason = "the pipeline has authenticated the caller")]
    pub(crate) async fn check_again(&self, service: &Service, credential: &Credential) -> Result<(), Error> {
        let was_dead = || matches!(self.get(credential), Some((State::Dead { .. }, false)));
        if was_dead() {
            let _permit = self.checks.acquire().await.expect("the semaphore is never closed");
            if was_dead() {
                let checked = service.check_grant(credential).await;
                self.record(credential, &checked);
                return checked;
            }
        }
        self.check(credential)
    }

    /// Records the state of a grant after the ledger has read it. Other results tell nothing about the grant.
    pub(crate) fn record<T>(&self, credential: &Credential, result: &Result<T, Error>) {
        let state = match result {
            Ok(_) | Err(Error::InsufficientScope(_)) => State::Live,
            Err(Error::Unauthorized { expired }) => State::Dead { expired: *expired },
            Err(_) => return,
        };
        let mut seen = self.seen();
        if seen.len() >= GRANTS_MAX {
            seen.retain(|_, (_, at)| is_recent(*at));
            if seen.len() >= GRANTS_MAX {
                seen.clear();
            }
        }
        seen.insert(key(credential), (state, Instant::now()));
    }

    /// Returns the state of the grant when it was read last, and true if that was a moment ago.
    fn get(&self, credential: &Credential) -> Option<(State, bool)> {
        self.seen().get(&key(credential)).map(|(state, at)| (*state, is_recent(*at)))
    }

    fn seen(&self) -> MutexGuard<'_, HashMap<Key, (State, Instant)>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_recent(at: Instant) -> bool {
    at.elapsed() < Duration::from_secs(REMEMBERED_SECONDS)
}

fn key(credential: &Credential) -> Key {
    (credential.user(), credential.grant().clone())
}

#[cfg(test)]
mod tests {
    use passbook_domain::access::MissingScope;
    use passbook_domain::scope::Scope;
    use uuid::Uuid;

    use super::*;

    #[expect(clippy::disallowed_methods, reason = "this test takes the place of authentication")]
    fn credential(token: u128) -> Credential {
        let user = UserId::from_authenticated(Uuid::from_u128(1));
        Credential::new(user, GrantReference::PersonalAccessToken(Uuid::from_u128(token)))
    }

    #[tokio::test(start_paused = true)]
    async fn state_of_a_grant_is_used_for_five_seconds_and_memory_is_bounded() {
        let seen = SeenGrants::default();
        let dead = |expired| Err::<(), Error>(Error::Unauthorized { expired });
        seen.record(&credential(1), &Ok(()));
        seen.record(&credential(2), &dead(true));
        seen.record(&credential(3), &Err::<(), Error>(Error::Forbidden));
        let states = || [1, 2, 3].map(|token| seen.get(&credential(token)));
        let expired = State::Dead { expired: true };
        assert_eq!(states(), [Some((State::Live, true)), Some((expired, true)), None]);
        assert!(matches!(seen.check(&credential(2)), Err(Error::Unauthorized { expired: true })));
        let without_scope = MissingScope::new(Scope::SpendingRead, Vec::new());
        seen.record(&credential(4), &Err::<(), Error>(Error::InsufficientScope(without_scope)));
        assert!(seen.is_live(&credential(4)));
        tokio::time::advance(Duration::from_secs(REMEMBERED_SECONDS)).await;
        assert_eq!(states(), [Some((State::Live, false)), Some((expired, false)), None]);
        assert!(seen.check(&credential(2)).is_ok() && !seen.is_live(&credential(1)));
        for token in 0..2 * GRANTS_MAX {
            seen.record(&credential(token as u128), &dead(false));
            assert!(seen.seen().len() <= GRANTS_MAX);
        }
    }
}
