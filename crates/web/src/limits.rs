//! How much one user may ask of this process: requests a minute, for the user and for each of their clients, and
//! requests at the same time.
//!
//! Every process counts for itself. Only authenticated requests are counted, so nobody can fill the memory with keys or
//! use up what is another's.

mod bucket;
mod places;
mod standing;

use std::num::NonZeroU32;
use std::sync::Arc;

use domain::access::{Credential, GrantReference};
use domain::person::UserId;
use governor::clock::{Clock, MonotonicClock};

use crate::refusal::Refusal;
use bucket::{Bucket, Charge};
use places::{Place, Places};

pub use standing::Standing;

/// A user's burst is what a minute allows, divided by this.
pub const USER_BURST_DIVISOR: u32 = 5;
/// A client's burst, likewise.
pub const CLIENT_BURST_DIVISOR: u32 = 3;
/// Requests of one user at the same time; a further one waits for up to [`WAIT_SECONDS_MAX`].
pub const CONCURRENT_REQUESTS_MAX: usize = 16;
/// Seconds that a request waits for a place.
pub const WAIT_SECONDS_MAX: u64 = 1;
/// Seconds after which a request that got no place may be sent again.
const NO_PLACE_RETRY_SECONDS: u64 = 1;

/// The limits. Cheap to clone; clones count together, so a host gives one to each of its adapters.
#[derive(Clone)]
pub struct Limits {
    rates: Arc<Rates<MonotonicClock>>,
    places: Option<Arc<Places>>,
}

impl std::fmt::Debug for Limits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits").finish_non_exhaustive()
    }
}

/// What a request that was admitted holds until it is answered.
#[derive(Debug)]
pub struct Admitted {
    _place: Option<Place>,
}

impl Limits {
    /// Requests a minute for a user through all their clients, and for each client of a user. 0 is no limit; without one
    /// for users their requests at the same time have none either.
    pub fn new(user_per_minute: u32, client_per_minute: u32) -> Limits {
        Limits {
            rates: Arc::new(Rates::new(user_per_minute, client_per_minute, MonotonicClock)),
            places: (user_per_minute > 0).then(Arc::default),
        }
    }

    /// Counts a request, waiting for a place if need be, and notes for the answer where the user stands.
    ///
    /// # Errors
    /// `RATE_LIMITED`, with the seconds after which a request gets through.
    pub async fn admit(&self, credential: &Credential, standing: &mut Standing) -> Result<Admitted, Refusal> {
        let charged = self.rates.charge(credential);
        *standing = charged.standing;
        if let Some(seconds) = charged.retry_after_seconds {
            return Err(Refusal::rate_limited(seconds));
        }
        let Some(places) = &self.places else { return Ok(Admitted { _place: None }) };
        let place = places.take(credential.user()).await;
        let place = place.ok_or_else(|| Refusal::rate_limited(NO_PLACE_RETRY_SECONDS))?;
        Ok(Admitted { _place: Some(place) })
    }
}

/// A user's client: a personal access token, or a program in whatever session.
type ClientKey = (UserId, GrantReference);

/// Both rates, by a clock.
struct Rates<C: Clock> {
    user: Option<Bucket<UserId, C>>,
    client: Option<Bucket<ClientKey, C>>,
}

/// What came of counting a request.
struct Charged {
    standing: Standing,
    /// Whole seconds, at least 1; none when the request may go on.
    retry_after_seconds: Option<u64>,
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

    /// The client comes first: what it is refused is not taken from the user's other clients.
    fn charge(&self, credential: &Credential) -> Charged {
        let client = self.client.as_ref().map(|bucket| bucket.charge(&client_key(credential)));
        if let Some(refused @ Charge { is_refused: true, .. }) = client {
            return self.refused(refused, refused.retry_after_seconds());
        }
        let user = self.user.as_ref().map(|bucket| bucket.charge(&credential.user()));
        if let Some(refused @ Charge { is_refused: true, .. }) = user {
            // The client has paid for this request too, and may have to wait longer for its next one.
            let client_seconds = client.map_or(0, |client| client.retry_after_seconds());
            return self.refused(refused, refused.retry_after_seconds().max(client_seconds));
        }
        Charged { standing: self.standing([user, client]), retry_after_seconds: None }
    }

    /// A refusal tells of the limit that refused, and of no time later than its own `Retry-After`.
    fn refused(&self, charge: Charge, seconds: u64) -> Charged {
        Charged { standing: self.standing([Some(charge), None]), retry_after_seconds: Some(seconds) }
    }

    fn standing(&self, charges: [Option<Charge>; 2]) -> Standing {
        let user = self.user.as_ref().map(Bucket::policy);
        let client = self.client.as_ref().map(Bucket::policy);
        Standing::new([user, client].into_iter().flatten(), charges.into_iter().flatten())
    }
}

/// One client stays one, however often its person signs in.
fn client_key(credential: &Credential) -> ClientKey {
    let grant = match credential.grant() {
        GrantReference::OauthClient { client_id, .. } => {
            GrantReference::OauthClient { client_id: client_id.clone(), session_id: None }
        }
        token @ GrantReference::PersonalAccessToken(_) => token.clone(),
    };
    (credential.user(), grant)
}

#[cfg(test)]
mod tests;
