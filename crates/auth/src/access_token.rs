//! Access tokens that an identity provider signed (RFC 7519, RFC 9068), checked as RFC 8725 asks.
//!
//! Three things are looked at in this order: the header, which says how the token is signed and may say nothing else;
//! the signature, with a key that the provider publishes; the claims. Whatever is not known to be right is refused.
//! The library verifies signatures only. What it could check of header and claims depends on whether a member is there
//! and of the right type, and on the system's clock; here each rule stands once, and refuses what it does not know.

mod claims;
mod header;
mod invalid;
mod members;
mod verified;

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::crypto::{aws_lc, verify};
use sha2::{Digest as _, Sha256};

pub(crate) use claims::Claims;
pub use invalid::Invalid;

use crate::Error;
use crate::provider::{NoKey, Provider, Unavailable};
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
    verified: VerifiedTokens,
}

impl AccessTokens {
    pub(crate) fn new(provider: Provider, rules: Rules) -> AccessTokens {
        // In a program where some other crate switches the library's second implementation on, it would not know which
        // one to take, and panic. Whoever has chosen one keeps it.
        let _ = aws_lc::DEFAULT_PROVIDER.install_default();
        AccessTokens { provider, rules, verified: VerifiedTokens::default() }
    }

    /// What a token says, once everything about it has been found right.
    pub(crate) async fn check(&self, token: &str) -> Result<Claims, Error> {
        let parts = Parts::of(token).ok_or(Error::Malformed)?;
        let header = Header::read(&parts.header)?;
        let generation = self.provider.keys().await.map_err(unavailable)?.generation;
        let hash = Sha256::digest(token).into();
        let clock = self.provider.clock();
        if let Some(claims) = self.verified.find(&hash, generation, clock) {
            return Ok(claims);
        }
        let (key, generation) =
            self.provider.key(header.key_id.as_deref()).await.map_err(|none| match none {
                NoKey::Unknown => Invalid::Key.into(),
                NoKey::Unavailable(why) => unavailable(why),
            })?;
        if key.algorithm != header.algorithm {
            return Err(Invalid::Algorithm.into());
        }
        let signed = verify(parts.signature, parts.message.as_bytes(), &key.material, key.algorithm);
        if !signed.is_ok_and(|signed| signed) {
            return Err(Invalid::Signature.into());
        }
        let claims = Claims::read(&parts.claims, self.provider.issuer(), &self.rules)?;
        claims.check_times(clock.unix_seconds(), self.rules.lifetime_max)?;
        let verified = Verified { claims: claims.clone(), generation, at: clock.elapsed() };
        self.verified.insert(hash, verified, clock);
        Ok(claims)
    }
}

fn unavailable(why: Unavailable) -> Error {
    Error::Provider(Box::new(why))
}

/// A token in compact form (RFC 7515 section 7.1): header and claims decoded and not believed, and what is signed.
struct Parts<'t> {
    header: Vec<u8>,
    claims: Vec<u8>,
    message: &'t str,
    signature: &'t str,
}

impl Parts<'_> {
    fn of(token: &str) -> Option<Parts<'_>> {
        if token.len() > TOKEN_BYTES_MAX {
            return None;
        }
        let (message, signature) = token.rsplit_once('.')?;
        let (header, claims) = message.split_once('.')?;
        decoded(signature)?;
        Some(Parts { header: decoded(header)?, claims: decoded(claims)?, message, signature })
    }
}

/// The bytes of a segment, of which there must be some. A point is no character of base64, so there is no fourth.
fn decoded(segment: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(segment).ok().filter(|bytes| !bytes.is_empty())
}
