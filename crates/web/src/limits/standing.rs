//! What an answer says of the limits: `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11), and
//! the `X-RateLimit` headers that most clients read.

use hyper::header::{HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use super::bucket::{Charge, Policy};

/// Seconds of the window that a limit counts in.
const WINDOW_SECONDS: u64 = 60;

/// Where a user stands after a request: headers of its answer. Without limits there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Standing {
    pub(super) fn new(
        policies: impl Iterator<Item = Policy>,
        charges: impl Iterator<Item = Charge>,
    ) -> Standing {
        let charges: Vec<Charge> = charges.collect();
        // The limit that is reached first.
        let Some(tightest) = charges.iter().min_by_key(|charge| charge.remaining) else {
            return Standing::default();
        };
        let policies: Vec<String> = policies
            .map(|policy| format!("\"{}\";q={};w={WINDOW_SECONDS}", policy.name, policy.per_minute))
            .collect();
        let left: Vec<String> = charges
            .iter()
            .map(|charge| {
                let Charge { policy, remaining, more_after_seconds, .. } = charge;
                format!("\"{}\";r={remaining};t={more_after_seconds}", policy.name)
            })
            .collect();
        let headers = [
            ("ratelimit-policy", policies.join(", ")),
            ("ratelimit", left.join(", ")),
            ("x-ratelimit-limit", tightest.policy.per_minute.to_string()),
            ("x-ratelimit-remaining", tightest.remaining.to_string()),
            ("x-ratelimit-reset", tightest.more_after_seconds.to_string()),
        ];
        let header = |(name, value): (&'static str, String)| {
            let value = HeaderValue::try_from(value).expect("names and numbers are ASCII");
            (HeaderName::from_static(name), value)
        };
        Standing { headers: headers.into_iter().map(header).collect() }
    }

    /// Puts the headers on the answer. A 401 has none: whether a token was once good must not show.
    pub fn tell<B>(self, response: &mut Response<B>) {
        if response.status() != StatusCode::UNAUTHORIZED {
            response.headers_mut().extend(self.headers);
        }
    }
}
