//! Access tokens that an identity provider signed (RFC 7519, RFC 9068), checked as RFC 8725 asks.
//!
//! Three things are looked at in this order: the header, which says how the token is signed and may say nothing else;
//! the signature, with a key that the provider publishes; the claims. Whatever is not known to be right is refused.

mod claims;
mod header;
mod invalid;
mod members;
mod verified;

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::Validation;
use serde::de::IgnoredAny;
use sha2::{Digest as _, Sha256};

pub(crate) use claims::Claims;
pub use invalid::Invalid;

use crate::Error;
use crate::provider::key::{ALGORITHMS, Key};
use crate::provider::{NoKey, Provider};
use header::Header;
use members::Members;
use verified::{Verified, VerifiedTokens};

/// The longest token, in bytes.
const TOKEN_BYTES_MAX: usize = 8 * 1024;
/// The longest time that a token may be meant to live, in hours.
const LIFETIME_HOURS_MAX: u64 = 24;

/// What access tokens must say.
#[derive(Clone, Debug)]
pub struct Rules {
    /// One of these must be in a token's `aud`.
    pub audiences: Vec<String>,
    /// How long a token may be meant to live; none for no limit.
    pub lifetime_max: Option<Duration>,
}

impl Rules {
    /// Tokens for any of these audiences that live up to 24 hours.
    pub fn new(audiences: Vec<String>) -> Rules {
        Rules { audiences, lifetime_max: Some(Duration::from_secs(LIFETIME_HOURS_MAX * 60 * 60)) }
    }
}

/// Tells what an access token says, if it is one.
#[derive(Debug)]
pub(crate) struct AccessTokens {
    provider: Provider,
    rules: Rules,
    /// One for each algorithm: the library checks nothing right when a list names several families.
    validations: Vec<Validation>,
    verified: VerifiedTokens,
}

impl AccessTokens {
    pub(crate) fn new(provider: Provider, rules: Rules) -> AccessTokens {
        let validation = |(_, algorithm)| {
            let mut validation = Validation::new(algorithm);
            validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
            validation.set_issuer(&[provider.issuer()]);
            validation.set_audience(&rules.audiences);
            // The library asks the system what time it is: `Claims` does it with our clock.
            validation.validate_exp = false;
            validation.validate_nbf = false;
            validation
        };
        let validations = ALGORITHMS.map(validation).to_vec();
        AccessTokens { provider, rules, validations, verified: VerifiedTokens::default() }
    }

    /// What a token says, once everything about it has been found right.
    pub(crate) async fn check(&self, token: &str) -> Result<Claims, Error> {
        let parts = Parts::of(token).ok_or(Error::Malformed)?;
        let header = Header::read(&parts.header)?;
        let generation = self.provider.keys().await.map_err(Error::Provider)?.generation;
        let hash = Sha256::digest(token).into();
        let clock = self.provider.clock();
        if let Some(claims) = self.verified.find(&hash, generation, clock) {
            return Ok(claims);
        }
        let (key, generation) =
            self.provider.key(header.key_id.as_deref()).await.map_err(|none| match none {
                NoKey::Unknown => Error::Invalid(Invalid::Key),
                NoKey::Unavailable(unavailable) => Error::Provider(unavailable),
            })?;
        if key.algorithm != header.algorithm {
            return Err(Error::Invalid(Invalid::Algorithm));
        }
        self.verify(token, &key)?;
        let claims = Claims::read(&parts.claims, self.provider.issuer(), &self.rules)?;
        claims.check_times(clock.unix_seconds(), self.rules.lifetime_max)?;
        let verified = Verified { claims: claims.clone(), generation, at: clock.elapsed() };
        self.verified.insert(hash, verified, clock);
        Ok(claims)
    }

    /// The signature, and once more issuer, audience and presence of claims: with one key, for its one algorithm.
    fn verify(&self, token: &str, key: &Key) -> Result<(), Error> {
        let mut validations = self.validations.iter();
        let validation = validations
            .find(|validation| validation.algorithms == [key.algorithm])
            .expect("there is one for each algorithm a key may have");
        jsonwebtoken::decode::<IgnoredAny>(token, &key.material, validation)
            .map(drop)
            .map_err(|_| Error::Invalid(Invalid::Signature))
    }
}

/// Header and claims of a token in compact form (RFC 7515 section 7.1), decoded and not believed.
struct Parts {
    header: Vec<u8>,
    claims: Vec<u8>,
}

impl Parts {
    fn of(token: &str) -> Option<Parts> {
        if token.len() > TOKEN_BYTES_MAX {
            return None;
        }
        let mut segments = token.split('.').map(|segment| {
            let bytes = URL_SAFE_NO_PAD.decode(segment).ok()?;
            (!bytes.is_empty()).then_some(bytes)
        });
        let (header, claims, _signature) = (segments.next()??, segments.next()??, segments.next()??);
        segments.next().is_none().then_some(Parts { header, claims })
    }
}
