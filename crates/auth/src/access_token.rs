//! Verification of access tokens that an identity provider signed (RFC 7519, RFC 9068), as RFC 8725 recommends.
//!
//! A token is checked in three steps: its header, which may only name a signature algorithm and a key; its signature,
//! with a key that the provider publishes; its claims. Everything that is not explicitly accepted is rejected.
//!
//! The library `jsonwebtoken` verifies signatures only. Its own checks of headers and claims skip members that are
//! absent or of another type, and read the system's clock. The modules here check every rule themselves.

mod claims;
mod invalid;
mod verified_tokens;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::Algorithm;
use jsonwebtoken::crypto::{aws_lc, verify};
use passbook_input::Object;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::error::Error;
use crate::provider::key::{KEY_ID_BYTES_MAX, Key, parse_algorithm};
use crate::provider::{KeyError, Provider, Unavailable};
use verified_tokens::{CacheEntry, VerifiedToken, VerifiedTokens};

pub(crate) use claims::Claims;
pub use claims::Rules;
pub use invalid::Invalid;

/// Maximum length of a token, in bytes.
const TOKEN_BYTES_MAX: usize = 8 * 1024;

/// Verifies access tokens of one identity provider.
#[derive(Debug)]
pub(crate) struct AccessTokenVerifier {
    provider: Provider,
    rules: Rules,
    verified: VerifiedTokens,
}

impl AccessTokenVerifier {
    pub(crate) fn new(provider: Provider, rules: Rules) -> AccessTokenVerifier {
        // If another crate of the program enables the second cryptography implementation of `jsonwebtoken`, the
        // library panics because it cannot choose. An implementation that was installed before stays installed.
        let _ = aws_lc::DEFAULT_PROVIDER.install_default();
        AccessTokenVerifier { provider, rules, verified: VerifiedTokens::default() }
    }

    /// Returns the claims of a valid token. `charge` counts the check of a signature, for a client whose checks are limited.
    /// With `charge`, the unverified claims are checked first, because that check costs less: a token that they exclude is
    /// rejected and not counted. Unverified claims have no other effect. A token that was verified before and has not
    /// expired is not counted.
    ///
    /// # Errors
    /// [`Error::Malformed`], [`Error::Invalid`], [`Error::Expired`], or [`Error::Provider`] if the keys are not
    /// available.
    pub(crate) async fn verify(
        &self,
        token: &str,
        charge: Option<impl FnOnce() -> Result<(), Error>>,
    ) -> Result<Claims, Error> {
        let parts = Parts::parse(token).ok_or(Error::Malformed)?;
        let header = Header::read(&parts.header)?;
        let generation = self.provider.keys().await.map_err(unavailable)?.generation;
        let hash = Sha256::digest(token).into();
        let clock = self.provider.clock().as_ref();
        match (self.verified.find(&hash, generation, clock), charge) {
            (CacheEntry::Current(claims), _) => return Ok(claims),
            // The user of a verified token is not affected by unseen tokens of other clients with the same address.
            (CacheEntry::Stale, _) | (CacheEntry::Absent, None) => {}
            (CacheEntry::Absent, Some(charge)) => match self.read_claims(&parts) {
                // The caller learns that a token has expired only if its signature is valid.
                Ok(_) | Err(Error::Expired) => charge()?,
                Err(error) => return Err(error),
            },
        }
        let verified = self.verify_uncached(&parts, &header).await;
        match &verified {
            Ok(verified) => self.verified.insert(hash, verified.clone(), clock),
            Err(Error::Provider { .. }) => {}
            // Otherwise an invalid token with a stale entry would never be charged.
            Err(_) => self.verified.remove(&hash),
        }
        verified.map(|verified| verified.claims)
    }

    /// Checks signature and claims of a token that the cache cannot answer for.
    async fn verify_uncached(&self, parts: &Parts<'_>, header: &Header) -> Result<VerifiedToken, Error> {
        let generation = self.check_signature(parts, header).await?;
        let claims = self.read_claims(parts)?;
        Ok(VerifiedToken { claims, generation, verified_at: self.provider.clock().elapsed() })
    }

    /// Parses the claims and checks every rule, times included.
    fn read_claims(&self, parts: &Parts<'_>) -> Result<Claims, Error> {
        let claims = Claims::read(&parts.claims, self.provider.issuer(), &self.rules)?;
        claims.check_times(self.provider.clock().unix_seconds(), self.rules.lifetime_max)?;
        Ok(claims)
    }

    /// Checks the signature with the key that the header names. Returns the generation of the key set that has the key.
    ///
    /// If the signature does not verify, the provider may have replaced the key under its identifier. Then the signature
    /// is checked again with the new key.
    async fn check_signature(&self, parts: &Parts<'_>, header: &Header) -> Result<u64, Error> {
        let id = header.key_id.as_deref();
        let (key, keys) = self.provider.key(id).await.map_err(|error| match error {
            KeyError::Unknown => Invalid::Key.into(),
            KeyError::Unavailable(error) => unavailable(error),
        })?;
        let Err(invalid) = parts.check_signature(header, &key) else { return Ok(keys.generation) };
        let (key, keys) = self.provider.replacing_key(id, &keys).await.ok_or(invalid)?;
        parts.check_signature(header, &key)?;
        Ok(keys.generation)
    }
}

fn unavailable(error: Unavailable) -> Error {
    Error::Provider { retry_after_seconds: error.retry_after_seconds(), source: Box::new(error) }
}

/// The parts of a token in compact form (RFC 7515 section 7.1). Nothing in them is verified yet.
struct Parts<'t> {
    /// The decoded header of the token, as JSON text.
    header: Vec<u8>,
    /// The decoded claims of the token, as JSON text.
    claims: Vec<u8>,
    /// The signed part of the token's text: header and claims in base64url, as they were sent.
    message: &'t str,
    /// The signature in base64url.
    signature: &'t str,
}

impl Parts<'_> {
    fn parse(token: &str) -> Option<Parts<'_>> {
        if token.len() > TOKEN_BYTES_MAX {
            return None;
        }
        let (message, signature) = token.rsplit_once('.')?;
        let (header, claims) = message.split_once('.')?;
        decode(signature)?;
        Some(Parts { header: decode(header)?, claims: decode(claims)?, message, signature })
    }

    fn check_signature(&self, header: &Header, key: &Key) -> Result<(), Invalid> {
        if key.algorithm != header.algorithm {
            return Err(Invalid::Algorithm);
        }
        let signed = verify(self.signature, self.message.as_bytes(), &key.material, key.algorithm);
        if signed.is_ok_and(|signed| signed) { Ok(()) } else { Err(Invalid::Signature) }
    }
}

/// Decodes a segment of a token; `None` if it is empty or not base64url. A token with four segments fails here,
/// because `.` is not a character of base64url.
fn decode(segment: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(segment).ok().filter(|bytes| !bytes.is_empty())
}

/// Members of a token's header that Passbook rejects. They change how the token is read or supply a key: extensions,
/// unencoded or compressed payloads, keys, and addresses of keys.
const REJECTED: &[&str] = &["crit", "b64", "zip", "enc", "jwk", "jku", "x5u", "x5c"];
/// Accepted values of the header member `typ`, compared without regard to case. The member may be absent.
const TYPES: [&str; 3] = ["JWT", "at+jwt", "application/at+jwt"];

/// A header that passed all checks.
#[derive(Debug)]
struct Header {
    algorithm: Algorithm,
    key_id: Option<String>,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Header, Error> {
        let members: Object<Value> = serde_json::from_slice(bytes).map_err(|_| Invalid::Header)?;
        // Of two members with one name, this parser and the provider's could each read another one (RFC 8725 section
        // 3.13 of its revision).
        if members.repeated_name().is_some() {
            return Err(Invalid::Header.into());
        }
        if REJECTED.iter().any(|name| members.contains(name)) {
            return Err(Invalid::HeaderMember.into());
        }
        match members.get("typ") {
            None => {}
            Some(Value::String(named)) if TYPES.iter().any(|known| named.eq_ignore_ascii_case(known)) => {}
            Some(_) => return Err(Invalid::Type.into()),
        }
        let algorithm =
            members.get("alg").and_then(Value::as_str).and_then(parse_algorithm).ok_or(Invalid::Algorithm)?;
        let key_id = match members.get("kid") {
            None => None,
            Some(Value::String(id)) if (1..=KEY_ID_BYTES_MAX).contains(&id.len()) => Some(id.clone()),
            Some(_) => return Err(Invalid::Key.into()),
        };
        Ok(Header { algorithm, key_id })
    }
}
