//! The rate-limit headers of a response: `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11),
//! and the older `X-RateLimit` headers, which most clients read.

use hyper::header::{HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use super::bucket::{Charge, Policy};

/// Length of the time window of every rate limit, in seconds.
const WINDOW_SECONDS: u64 = 60;

/// The rate-limit headers of a response, which state the user's remaining quota. Empty if there are no limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RateLimitStatus {
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl RateLimitStatus {
    pub(super) fn new(
        policies: impl Iterator<Item = Policy>,
        charges: impl Iterator<Item = Charge>,
    ) -> RateLimitStatus {
        let charges: Vec<Charge> = charges.collect();
        // The X-RateLimit headers describe one limit: the limit with the fewest remaining requests.
        let Some(tightest) = charges.iter().min_by_key(|charge| charge.remaining) else {
            return RateLimitStatus::default();
        };
        let policies: Vec<String> = policies
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

    /// Adds the rate-limit headers to a response. A 401 response has none: a revoked token is authenticated and counted
    /// before the ledger rejects it, and the headers would reveal that the token was once valid.
    pub(crate) fn add_headers<B>(self, response: &mut Response<B>) {
        if response.status() != StatusCode::UNAUTHORIZED {
            response.headers_mut().extend(self.headers);
        }
    }
}
