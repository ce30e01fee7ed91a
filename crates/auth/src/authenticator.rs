//! Resolves the `Authorization` header of a request to a credential, and to the fingerprint of its token for the log.

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use passbook_domain::access::{Credential, GrantReference};
use passbook_domain::person::UserId;
use passbook_domain::ports::{TokenDirectory, TokenHash, TokenOwner};
use passbook_domain::scope::Surface;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

#[cfg(feature = "provider")]
use crate::access_token::{AccessTokenVerifier, Claims, Rules};
use crate::clock::{Clock, SystemClock};
use crate::error::Error;
use crate::personal_access_token::{DEFAULT_PREFIX, PlainToken};
#[cfg(feature = "provider")]
use crate::provider::Provider;
use crate::unseen_tokens::UnseenTokens;

/// Maximum length of the `Authorization` header, in bytes.
const HEADER_BYTES_MAX: usize = 8 * 1024;
/// Maximum number of owners of personal access tokens in the cache. Only the owner is cached, because a token never
/// changes its owner. The grant is read with each request.
const OWNERS_CACHED_MAX: usize = 10_000;
/// Number of bytes of the hash of a token that its fingerprint has.
const FINGERPRINT_BYTES: usize = 6;

/// Settings of an [`Authenticator`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AuthenticatorConfig {
    /// Text at the start of every personal access token, such as `pbk_`.
    pub token_prefix: String,
}

impl AuthenticatorConfig {
    /// Creates settings for personal access tokens that start with `token_prefix`.
    pub fn new(token_prefix: impl Into<String>) -> AuthenticatorConfig {
        AuthenticatorConfig { token_prefix: token_prefix.into() }
    }
}

/// Personal access tokens start with [`DEFAULT_PREFIX`].
impl Default for AuthenticatorConfig {
    fn default() -> AuthenticatorConfig {
        AuthenticatorConfig::new(DEFAULT_PREFIX)
    }
}

/// Resolves bearer tokens to credentials. Cheap to clone; clones share their caches, so a host gives a clone to each
/// adapter.
#[derive(Clone)]
pub struct Authenticator {
    config: Arc<AuthenticatorConfig>,
    directory: Arc<dyn TokenDirectory>,
    owners: Arc<Mutex<HashMap<TokenHash, TokenOwner>>>,
    unseen: Arc<UnseenTokens>,
    #[cfg(feature = "provider")]
    access_tokens: Option<Arc<AccessTokenVerifier>>,
}

impl fmt::Debug for Authenticator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authenticator").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Authenticator {
    /// Creates an authenticator for personal access tokens only, which are looked up in `directory`.
    pub fn new(config: AuthenticatorConfig, directory: Arc<dyn TokenDirectory>) -> Authenticator {
        Authenticator {
            config: Arc::new(config),
            directory,
            owners: Arc::default(),
            unseen: Arc::new(UnseenTokens::new(Arc::new(SystemClock::new()))),
            #[cfg(feature = "provider")]
            access_tokens: None,
        }
    }

    /// Returns an authenticator that accepts access tokens of an identity provider too.
    #[cfg(feature = "provider")]
    #[must_use]
    pub fn with_provider(self, provider: Provider, rules: Rules) -> Authenticator {
        Authenticator { access_tokens: Some(Arc::new(AccessTokenVerifier::new(provider, rules))), ..self }
    }

    /// Sets the clock of the limit on unseen tokens, for tests. The default is the system's clock.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Authenticator {
        Authenticator { unseen: Arc::new(UnseenTokens::new(clock)), ..self }
    }

    /// Returns the credential of a request. `headers` are the values of its `Authorization` headers (RFC 6750 section
    /// 2.1): exactly one, with the scheme `Bearer` in any case and one token.
    ///
    /// `surface` is the surface of the adapter: [`Surface::Mcp`] if it serves an assistant's tools, [`Surface::Rest`]
    /// otherwise. A user can exclude a token from a surface, so every credential from the network names its surface.
    ///
    /// `client` is the address of the client. A token that was not seen before costs a look-up or a signature check. Each
    /// address may cause 10 a second, and 50 at once. `None` has no such limit.
    ///
    /// # Errors
    /// Any [`Error`]. [`Error::is_outage`] separates outages of the service from errors of the caller.
    pub async fn authenticate<'h>(
        &self,
        surface: Surface,
        mut headers: impl Iterator<Item = &'h [u8]>,
        client: Option<IpAddr>,
    ) -> Result<Credential, Error> {
        let header = headers.next().ok_or(Error::Missing)?;
        if headers.next().is_some() || header.len() > HEADER_BYTES_MAX {
            return Err(Error::Malformed);
        }
        let (scheme, token) = scheme_and_token(header).ok_or(Error::Malformed)?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(Error::Malformed);
        }
        Ok(self.credential_of(token, client).await?.through(surface))
    }

    /// Returns the credential of a token that this process holds itself, such as a scheduled job for one user. The
    /// credential names no surface.
    ///
    /// A token with the prefix of personal access tokens is never tried as an access token of the identity provider.
    ///
    /// # Errors
    /// Any [`Error`] except [`Error::Missing`].
    pub async fn credential(&self, token: &str) -> Result<Credential, Error> {
        self.credential_of(token, None).await
    }

    /// Counts one check against the address of a client, as that of a token that was not seen before.
    ///
    /// # Errors
    /// [`Error::TooManyUnseen`] if the address has no check left.
    pub fn charge_unseen(&self, client: Option<IpAddr>) -> Result<(), Error> {
        self.unseen.charge(client)
    }

    async fn credential_of(&self, token: &str, client: Option<IpAddr>) -> Result<Credential, Error> {
        if !token.starts_with(&self.config.token_prefix) {
            return self.access_token_credential(token, client).await;
        }
        let token = PlainToken::parse(&self.config.token_prefix, token).ok_or(Error::Malformed)?;
        let owner = self.token_owner(token.hash(), client).await?;
        Ok(Credential::new(authenticated(owner.user), GrantReference::PersonalAccessToken(owner.token)))
    }

    #[cfg(feature = "provider")]
    async fn access_token_credential(
        &self,
        token: &str,
        client: Option<IpAddr>,
    ) -> Result<Credential, Error> {
        let access_tokens = self.access_tokens.as_ref().ok_or(Error::Malformed)?;
        let charge = client.map(|client| move || self.unseen.charge(Some(client)));
        Ok(client_credential(access_tokens.verify(token, charge).await?))
    }

    #[cfg(not(feature = "provider"))]
    async fn access_token_credential(&self, _: &str, _: Option<IpAddr>) -> Result<Credential, Error> {
        Err(Error::Malformed)
    }

    async fn token_owner(&self, hash: TokenHash, client: Option<IpAddr>) -> Result<TokenOwner, Error> {
        if let Some(owner) = self.cached_owner(&hash) {
            return owner;
        }
        let _look_up = self.unseen.look_ups.begin(hash).await;
        // Another request with the token may have ended its look-up in the meantime.
        if let Some(owner) = self.cached_owner(&hash) {
            return owner;
        }
        self.unseen.charge(client)?;
        let Some(owner) = self.directory.find(hash).await.map_err(Error::Directory)? else {
            self.unseen.insert_unknown(hash);
            return Err(Error::Unknown);
        };
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if owners.len() >= OWNERS_CACHED_MAX {
            owners.clear();
        }
        owners.insert(hash, owner);
        Ok(owner)
    }

    /// Returns the owner of a token that was seen before, or [`Error::Unknown`] for one that was not in the directory a
    /// moment ago; `None` if the token must be looked up.
    fn cached_owner(&self, hash: &TokenHash) -> Option<Result<TokenOwner, Error>> {
        let owner = self.owners.lock().unwrap_or_else(PoisonError::into_inner).get(hash).copied();
        owner.map(Ok).or_else(|| self.unseen.is_unknown(hash).then_some(Err(Error::Unknown)))
    }
}

/// Converts the verified claims of an access token to a credential.
#[cfg(feature = "provider")]
fn client_credential(claims: Claims) -> Credential {
    let grant = GrantReference::OauthClient { client_id: claims.client, session_id: claims.session };
    let credential = Credential::new(authenticated(claims.user), grant);
    match claims.scopes {
        Some(scopes) => credential.limited_to(scopes),
        None => credential,
    }
}

#[expect(clippy::disallowed_methods, reason = "presenting the token has authenticated its owner")]
fn authenticated(user: Uuid) -> UserId {
    UserId::from_authenticated(user)
}

/// Returns the scheme and the token of an `Authorization` header.
fn scheme_and_token(header: &[u8]) -> Option<(&str, &str)> {
    let (scheme, token) = std::str::from_utf8(header).ok()?.split_once(' ')?;
    Some((scheme, token.trim_matches(' ')))
}

/// The first 12 hexadecimal digits of the SHA-256 of a token. It connects the log lines of one token, and it is the start
/// of a personal access token's stored hash. Only for tokens that were verified: the fingerprint of a password that was
/// sent by mistake would help to guess it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint([u8; FINGERPRINT_BYTES]);

impl Fingerprint {
    /// Returns the fingerprint of the token in an `Authorization` header; `None` if the header has no token.
    pub fn of_header(header: &[u8]) -> Option<Fingerprint> {
        let (_scheme, token) = scheme_and_token(header)?;
        Sha256::digest(token).first_chunk().copied().map(Fingerprint)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests;
