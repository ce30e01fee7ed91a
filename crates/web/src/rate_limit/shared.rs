//! The port of a store in which several processes count requests together, such as Redis.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use passbook_domain::access::{Credential, GrantReference};

use super::bucket::{Charge, Policy, whole_seconds};

/// One rate limit of a request: a bucket that fills at a constant rate (the generic cell rate algorithm).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedLimit {
    /// The key of the bucket, the same in every process. The part in braces is the user, so that a store which spreads keys
    /// by it has all buckets of a user in one place.
    pub key: String,
    /// Time in which the bucket gets one more request.
    pub interval: Duration,
    /// Number of requests that a full bucket allows at once.
    pub burst: u32,
}

/// The result of counting one request against one limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedCharge {
    /// True if the bucket is empty. The request was not counted.
    pub is_exceeded: bool,
    /// Number of further requests that would succeed now.
    pub remaining: u32,
    /// Time until the next request would succeed, if the limit is exceeded.
    pub wait: Duration,
}

/// The result of counting one request: one entry for each limit up to the first that is exceeded; `None` if the store
/// cannot be reached.
pub type SharedCharges<'a> = Pin<Box<dyn Future<Output = Option<Vec<SharedCharge>>> + Send + 'a>>;

/// A store in which several processes count requests together.
pub trait SharedRateLimits: Debug + Send + Sync {
    /// Counts one request against the limits in their order. A request that exceeds a limit does not count against the
    /// limits after it. The store has a time limit of its own, so that a request never waits long.
    fn charge<'a>(&'a self, limits: &'a [SharedLimit]) -> SharedCharges<'a>;
}

impl SharedCharge {
    pub(super) fn of(self, policy: Policy, interval: Duration) -> Charge {
        let wait = if self.is_exceeded { self.wait } else { interval };
        Charge {
            policy,
            is_exceeded: self.is_exceeded,
            remaining: self.remaining,
            more_after_seconds: whole_seconds(wait),
        }
    }
}

/// Returns the key of a user's bucket.
pub(super) fn user_key(credential: &Credential) -> String {
    format!("passbook:{{{}}}:user", credential.user())
}

/// Returns the key of the bucket of a user's client. The key has no session, as that of a process has none.
pub(super) fn client_key(credential: &Credential) -> String {
    let client = match credential.grant() {
        GrantReference::PersonalAccessToken(id) => format!("token:{id}"),
        GrantReference::OauthClient { client_id, .. } => format!("client:{client_id}"),
        GrantReference::Host { id } => format!("host:{}", id.as_str()),
        // A kind of a later version of `domain`.
        other => format!("other:{other:?}"),
    };
    format!("passbook:{{{}}}:{client}", credential.user())
}
