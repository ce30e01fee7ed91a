//! Per-user rate and concurrency limits.
//!
//! Each process keeps its own counters: several servers behind a balancer multiply the limits, unless they share a store
//! ([`SharedRateLimits`]). Only authenticated requests are counted, so an attacker without a token can neither fill the
//! maps nor consume another user's quota.

mod bucket;
mod permits;
mod shared;

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use governor::clock::{Clock, MonotonicClock};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use passbook_domain::access::{Credential, GrantReference};
use passbook_domain::person::UserId;

use crate::http_error::HttpError;
use bucket::{Bucket, Charge};
use permits::Permits;

pub(crate) use permits::Permit;
pub use permits::{CONCURRENT_REQUESTS_MAX, PERMIT_TIMEOUT_SECONDS};
pub use shared::{SharedCharge, SharedCharges, SharedLimit, SharedRateLimits};

/// The burst of a user is the user's rate per minute divided by this number.
pub const USER_BURST_DIVISOR: u32 = 5;
/// The burst of a client is the client's rate per minute divided by this number.
pub const CLIENT_BURST_DIVISOR: u32 = 3;
/// Value of `Retry-After`, in seconds, in the response to a request that got no concurrency permit in time.
const PERMIT_RETRY_SECONDS: u64 = 1;
/// Length of the time window of every rate limit, in seconds.
const WINDOW_SECONDS: u64 = 60;

/// The rate and concurrency limits of a process. Cheap to clone. Clones share their counters.
#[derive(Clone)]
pub struct RateLimiter {
    rates: Arc<Rates<MonotonicClock>>,
    permits: Arc<Permits>,
    shared: Option<Arc<dyn SharedRateLimits>>,
    /// Number of requests that only this process has counted, because the shared store could not be reached.
    unshared: Arc<AtomicU64>,
}

impl std::fmt::Debug for RateLimiter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RateLimiter").finish_non_exhaustive()
    }
}

impl RateLimiter {
    /// Creates a rate limiter with [`CONCURRENT_REQUESTS_MAX`] permits for each user. Both rates are requests per minute:
    /// `user_per_minute` for a user over all clients, `client_per_minute` for each client of a user. 0 disables a rate.
    pub fn new(user_per_minute: u32, client_per_minute: u32) -> RateLimiter {
        RateLimiter {
            rates: Arc::new(Rates::new(user_per_minute, client_per_minute, MonotonicClock)),
            permits: Arc::new(Permits::new(CONCURRENT_REQUESTS_MAX)),
            shared: None,
            unshared: Arc::default(),
        }
    }

    /// Counts each request in a store that other processes share too. While the store cannot be reached, the limits of this
    /// process hold.
    #[must_use]
    pub fn with_shared(self, shared: Arc<dyn SharedRateLimits>) -> RateLimiter {
        RateLimiter { shared: Some(shared), ..self }
    }

    /// Returns the number of requests that only this process has counted, because the shared store could not be reached.
    pub fn requests_unshared(&self) -> u64 {
        self.unshared.load(Ordering::Relaxed)
    }

    /// Sets the number of permits of each user for a store with this number of database connections: half of them, at
    /// least 1 and at most [`CONCURRENT_REQUESTS_MAX`]. One user then cannot occupy every connection.
    #[must_use]
    pub fn with_database_connections(self, connections: usize) -> RateLimiter {
        let permits = (connections / 2).clamp(1, CONCURRENT_REQUESTS_MAX);
        RateLimiter { permits: Arc::new(Permits::new(permits)), ..self }
    }

    /// Returns the number of users who have a request in progress or waiting for a permit.
    pub fn users_active(&self) -> usize {
        self.permits.users()
    }

    /// Counts one request against the limits: of this process, and then of the shared store if there is one.
    pub(crate) async fn charge(&self, credential: &Credential, counted: Counted) -> Charged {
        let own = self.rates.charge(credential, counted);
        match &self.shared {
            Some(shared) if own.exceeded.is_none() => {
                match self.rates.charge_shared(&**shared, credential, counted).await {
                    Some(charged) => charged,
                    None => {
                        self.unshared.fetch_add(1, Ordering::Relaxed);
                        own
                    }
                }
            }
            _ => own,
        }
    }

    /// Acquires a concurrency permit of the user, waiting up to [`PERMIT_TIMEOUT_SECONDS`].
    ///
    /// # Errors
    /// `RATE_LIMITED` if no permit becomes free in time.
    pub(crate) async fn acquire_permit(&self, user: UserId) -> Result<Permit, HttpError> {
        self.permits.acquire(user).await.ok_or_else(|| HttpError::rate_limited(PERMIT_RETRY_SECONDS))
    }
}

/// The key of a client of one user: the user with the grant of a personal access token, or with an OAuth client over
/// all of its sessions.
type ClientKey = (UserId, GrantReference);

/// The rate limits per user and per client of a user. `None` disables a limit.
struct Rates<C: Clock> {
    user: Option<Bucket<UserId, C>>,
    client: Option<Bucket<ClientKey, C>>,
}

/// The limits against which a request is counted.
#[derive(Clone, Copy)]
pub(crate) enum Counted {
    /// The limit of the client, and then that of the user.
    ClientAndUser,
    /// The limit of the client only, because the grant may be revoked. A revoked credential must not use up the quota of
    /// its owner.
    Client,
    /// The limit of the user, for a request that was counted against its client before.
    User(Option<Charge>),
}

/// The result of counting a request against the rate limits.
pub(crate) struct Charged {
    /// The charge of the client, for [`Counted::User`].
    pub(crate) client: Option<Charge>,
    pub(crate) status: RateLimitStatus,
    /// Number of seconds until the next request would succeed, at least 1. `None` if this request may be handled.
    pub(crate) retry_after_seconds: Option<u64>,
    /// The name of the exceeded limit: `user` or `client`.
    pub(crate) exceeded: Option<&'static str>,
}

impl<C: Clock + Clone> Rates<C> {
    fn new(user_per_minute: u32, client_per_minute: u32, clock: C) -> Rates<C> {
        Rates {
            user: NonZeroU32::new(user_per_minute)
                .map(|rate| Bucket::new("user", rate, USER_BURST_DIVISOR, clock.clone())),
            client: NonZeroU32::new(client_per_minute)
                .map(|rate| Bucket::new("client", rate, CLIENT_BURST_DIVISOR, clock)),
        }
    }

    /// Counts the request against the client's limit first. A request that exceeds this limit is not counted against
    /// the user's limit, so it does not reduce the quota of the user's other clients.
    fn charge(&self, credential: &Credential, counted: Counted) -> Charged {
        let client = match counted {
            Counted::User(before) => before,
            _ => self.client.as_ref().map(|bucket| bucket.charge(&client_key(credential))),
        };
        if matches!(client, Some(Charge { is_exceeded: true, .. })) || matches!(counted, Counted::Client) {
            return self.charged(client, None);
        }
        self.charged(client, self.user.as_ref().map(|bucket| bucket.charge(&credential.user())))
    }

    /// Counts the request in a shared store. Returns `None` if the store cannot be reached.
    async fn charge_shared(
        &self,
        shared: &dyn SharedRateLimits,
        credential: &Credential,
        counted: Counted,
    ) -> Option<Charged> {
        let (client, user) = match counted {
            Counted::ClientAndUser => (self.client.as_ref(), self.user.as_ref()),
            Counted::Client => (self.client.as_ref(), None),
            Counted::User(_) => (None, self.user.as_ref()),
        };
        let client = client.map(|bucket| {
            let key = shared::client_key(credential);
            (bucket.policy, SharedLimit { key, interval: bucket.interval, burst: bucket.burst.get() })
        });
        let user = user.map(|bucket| {
            let key = shared::user_key(credential);
            (bucket.policy, SharedLimit { key, interval: bucket.interval, burst: bucket.burst.get() })
        });
        let (policies, limits): (Vec<_>, Vec<_>) = client.iter().chain(&user).cloned().unzip();
        if limits.is_empty() {
            let Counted::User(before) = counted else { return Some(self.charged(None, None)) };
            return Some(self.charged(before, None));
        }
        let charges = shared.charge(&limits).await?;
        let mut charges = charges
            .iter()
            .zip(policies)
            .zip(&limits)
            .map(|((charge, policy), limit)| charge.of(policy, limit.interval));
        let client = match counted {
            Counted::User(before) => before,
            _ => client.and_then(|_| charges.next()),
        };
        let user = user.and_then(|_| charges.next());
        Some(self.charged(client, user))
    }

    /// Returns the result of both limits. `user` is `None` if the client's limit is exceeded.
    fn charged(&self, client: Option<Charge>, user: Option<Charge>) -> Charged {
        if let Some(exceeded @ Charge { is_exceeded: true, .. }) = client {
            return self.exceeded("client", exceeded, exceeded.retry_after_seconds());
        }
        if let Some(exceeded @ Charge { is_exceeded: true, .. }) = user {
            // This request counts against the client's limit, so the next request of the client may have to wait
            // longer.
            let client_seconds = client.map_or(0, |client| client.retry_after_seconds());
            return self.exceeded("user", exceeded, exceeded.retry_after_seconds().max(client_seconds));
        }
        Charged { client, status: self.status([user, client]), retry_after_seconds: None, exceeded: None }
    }

    /// Returns the result for an exceeded limit. It reports only this limit, so that no header names a later time than
    /// `Retry-After`.
    fn exceeded(&self, limit: &'static str, charge: Charge, seconds: u64) -> Charged {
        Charged {
            client: None,
            status: self.status([Some(charge), None]),
            retry_after_seconds: Some(seconds),
            exceeded: Some(limit),
        }
    }

    fn status(&self, charges: [Option<Charge>; 2]) -> RateLimitStatus {
        let charges: Vec<Charge> = charges.into_iter().flatten().collect();
        // The X-RateLimit headers describe one limit: the limit with the fewest remaining requests.
        let Some(tightest) = charges.iter().min_by_key(|charge| charge.remaining) else {
            return RateLimitStatus::default();
        };
        let policies =
            [self.user.as_ref().map(|user| user.policy), self.client.as_ref().map(|client| client.policy)];
        let policies: Vec<String> = policies
            .into_iter()
            .flatten()
            .map(|policy| format!("\"{}\";q={};w={WINDOW_SECONDS}", policy.name, policy.per_minute))
            .collect();
        let remaining: Vec<String> = charges
            .iter()
            .map(|charge| {
                let Charge { policy, remaining, more_after_seconds, .. } = charge;
                format!("\"{}\";r={remaining};t={more_after_seconds}", policy.name)
            })
            .collect();
        let headers = [
            ("ratelimit-policy", policies.join(", ")),
            ("ratelimit", remaining.join(", ")),
            ("x-ratelimit-limit", tightest.policy.per_minute.to_string()),
            ("x-ratelimit-remaining", tightest.remaining.to_string()),
            ("x-ratelimit-reset", tightest.more_after_seconds.to_string()),
        ];
        let header = |(name, value): (&'static str, String)| {
            let value = HeaderValue::try_from(value).expect("names and numbers are ASCII");
            (HeaderName::from_static(name), value)
        };
        RateLimitStatus { headers: headers.into_iter().map(header).collect() }
    }
}

/// The rate-limit headers of a response, `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11), and
/// the older `X-RateLimit` headers, which most clients read. They state the user's remaining quota. Empty if there are no
/// limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RateLimitStatus {
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl RateLimitStatus {
    /// Adds the rate-limit headers to a response. A 401 response has none: a revoked token is authenticated and counted
    /// before the ledger rejects it, and the headers would reveal that the token was once valid.
    pub(crate) fn add_headers<B>(self, response: &mut Response<B>) {
        if response.status() != StatusCode::UNAUTHORIZED {
            response.headers_mut().extend(self.headers);
        }
    }
}

/// Returns the key of the client in `credential`. The key has no session, so that signing in again gives a client no
/// new quota.
fn client_key(credential: &Credential) -> ClientKey {
    let grant = match credential.grant() {
        GrantReference::OauthClient { client_id, .. } => {
            GrantReference::OauthClient { client_id: client_id.clone(), session_id: None }
        }
        other => other.clone(),
    };
    (credential.user(), grant)
}

#[cfg(test)]
mod tests;
