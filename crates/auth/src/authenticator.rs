//! From the text of an Authorization header to a credential.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::access::{Credential, GrantReference};
use domain::person::UserId;
use domain::ports::{TokenDirectory, TokenHash, TokenOwner};
use domain::scope::Surface;
use uuid::Uuid;

#[cfg(feature = "provider")]
use crate::access_token::{AccessTokens, Claims, Rules};
use crate::error::Error;
use crate::personal_access_token::PlainToken;
#[cfg(feature = "provider")]
use crate::provider::Provider;

/// The longest Authorization header that is looked at, in bytes.
const HEADER_BYTES_MAX: usize = 8 * 1024;
/// Owners of tokens kept in memory. Whose a token is never changes; whether it is live is never kept.
const OWNERS_CACHED_MAX: usize = 10_000;

/// How to recognise tokens.
#[derive(Clone, Debug)]
pub struct Config {
    /// What personal access tokens start with.
    pub token_prefix: String,
}

/// Finds out whose a bearer token is. Cheap to clone; clones share what they remember, so a host gives one to each of
/// its adapters.
#[derive(Clone)]
pub struct Authenticator {
    config: Config,
    directory: Arc<dyn TokenDirectory>,
    owners: Arc<Mutex<HashMap<TokenHash, TokenOwner>>>,
    #[cfg(feature = "provider")]
    access_tokens: Option<Arc<AccessTokens>>,
}

impl std::fmt::Debug for Authenticator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authenticator").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Authenticator {
    /// An authenticator that looks tokens up in `directory`, and knows no other kind.
    pub fn new(config: Config, directory: Arc<dyn TokenDirectory>) -> Authenticator {
        Authenticator {
            config,
            directory,
            owners: Arc::default(),
            #[cfg(feature = "provider")]
            access_tokens: None,
        }
    }

    /// The same, and it accepts the access tokens of an identity provider, too.
    #[cfg(feature = "provider")]
    #[must_use]
    pub fn with_provider(self, provider: Provider, rules: Rules) -> Authenticator {
        Authenticator { access_tokens: Some(Arc::new(AccessTokens::new(provider, rules))), ..self }
    }

    /// The credential that the Authorization headers of a request carry (RFC 6750 section 2.1): exactly one
    /// header with the scheme `Bearer`, in any case, and one token.
    ///
    /// A token that arrives over the network is used through a surface, and the person may have kept it from that
    /// one. So an adapter names the surface here, where it cannot be forgotten: [`Surface::Mcp`] if it serves an
    /// assistant's tools, [`Surface::Rest`] if it serves anything else.
    ///
    /// # Errors
    /// [`Error`]; [`Error::is_outage`] says which are ours, all others are the caller's.
    pub async fn authenticate<'h>(
        &self,
        surface: Surface,
        mut headers: impl Iterator<Item = &'h [u8]>,
    ) -> Result<Credential, Error> {
        let header = headers.next().ok_or(Error::Missing)?;
        if headers.next().is_some() || header.len() > HEADER_BYTES_MAX {
            return Err(Error::Malformed);
        }
        let text = std::str::from_utf8(header).map_err(|_| Error::Malformed)?;
        let (scheme, token) = text.split_once(' ').ok_or(Error::Malformed)?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(Error::Malformed);
        }
        Ok(self.credential(token.trim_matches(' ')).await?.through(surface))
    }

    /// The credential of a token that this process holds itself, such as a job that asks for one person: tied to no
    /// surface. What starts with the prefix of personal access tokens is one or nothing; anything else can only be an
    /// access token of the identity provider.
    ///
    /// # Errors
    /// [`Error`], but never [`Error::Missing`].
    pub async fn credential(&self, token: &str) -> Result<Credential, Error> {
        if !token.starts_with(&self.config.token_prefix) {
            return self.of_provider(token).await;
        }
        let token = PlainToken::parse(&self.config.token_prefix, token).ok_or(Error::Malformed)?;
        let owner = self.owner(token.hash()).await?;
        Ok(Credential::new(authenticated(owner.user), GrantReference::PersonalAccessToken(owner.token)))
    }

    /// Whether a text is a token or looks like one, wherever it was found: a personal access token, or a signed one in
    /// compact form (RFC 7515 section 7.1), whose header always begins with the same three characters.
    pub fn is_token(&self, text: &str) -> bool {
        let signed = text.starts_with("eyJ") && text.split('.').count() == 3;
        signed || PlainToken::parse(&self.config.token_prefix, text).is_some()
    }

    #[cfg(feature = "provider")]
    async fn of_provider(&self, token: &str) -> Result<Credential, Error> {
        let access_tokens = self.access_tokens.as_ref().ok_or(Error::Malformed)?;
        Ok(of_client(access_tokens.check(token).await?))
    }

    /// There is no other kind of token.
    #[cfg(not(feature = "provider"))]
    async fn of_provider(&self, _token: &str) -> Result<Credential, Error> {
        Err(Error::Malformed)
    }

    async fn owner(&self, hash: TokenHash) -> Result<TokenOwner, Error> {
        if let Some(owner) = self.owners.lock().unwrap_or_else(PoisonError::into_inner).get(&hash) {
            return Ok(*owner);
        }
        let owner = self.directory.find(hash).await.map_err(Error::Directory)?.ok_or(Error::Unknown)?;
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if owners.len() >= OWNERS_CACHED_MAX {
            owners.clear();
        }
        owners.insert(hash, owner);
        Ok(owner)
    }
}

/// The credential of an access token: the one place where its claims become one.
#[cfg(feature = "provider")]
fn of_client(claims: Claims) -> Credential {
    let grant = GrantReference::OauthClient { client_id: claims.client, session_id: claims.session };
    Credential::new(authenticated(claims.user), grant)
}

#[expect(clippy::disallowed_methods, reason = "presenting the token has authenticated its owner")]
fn authenticated(user: Uuid) -> UserId {
    UserId::from_authenticated(user)
}
