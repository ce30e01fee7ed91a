//! What the identity provider says of itself (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2).

use std::time::Duration;

use reqwest::Url;

use super::address::Trust;
use super::fetch::{Fetcher, Refused};
use super::kept::Source;

/// What the identity provider says of itself: the fields that Passbook uses or hands on, checked, and no others.
///
/// Every address is `https`, or `http` on a loopback address, and on the issuer's host or an allowed one.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[non_exhaustive]
pub struct Metadata {
    /// Its identifier, the configured one byte for byte.
    pub issuer: String,
    /// Where people sign in.
    pub authorization_endpoint: String,
    /// Where codes become tokens.
    pub token_endpoint: String,
    /// Where its signing keys are.
    pub jwks_uri: String,
    /// Where a client asks who signed in.
    pub userinfo_endpoint: Option<String>,
    /// Where a client gives a token back (RFC 7009).
    pub revocation_endpoint: Option<String>,
    /// Where people sign out (OpenID Connect RP-Initiated Logout 1.0).
    pub end_session_endpoint: Option<String>,
    /// Scopes it knows.
    #[serde(default)]
    pub scopes_supported: Vec<String>,
    /// Kinds of answer of the authorization endpoint.
    #[serde(default)]
    pub response_types_supported: Vec<String>,
    /// Ways in which the authorization endpoint answers.
    #[serde(default)]
    pub response_modes_supported: Vec<String>,
    /// Grants it gives.
    #[serde(default)]
    pub grant_types_supported: Vec<String>,
    /// How clients authenticate at the token endpoint.
    #[serde(default)]
    pub token_endpoint_auth_methods_supported: Vec<String>,
    /// Kinds of subject identifiers.
    #[serde(default)]
    pub subject_types_supported: Vec<String>,
    /// Algorithms that ID tokens are signed with.
    #[serde(default)]
    pub id_token_signing_alg_values_supported: Vec<String>,
    /// Claims it may give.
    #[serde(default)]
    pub claims_supported: Vec<String>,
    /// Methods of PKCE (RFC 7636).
    #[serde(default)]
    pub code_challenge_methods_supported: Vec<String>,
    /// Whether the redirect back names the issuer (RFC 9207).
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
}

impl Metadata {
    /// Reads a document of the provider; why it will not do.
    fn read(body: &[u8], issuer: &str, trust: &Trust) -> Result<Metadata, String> {
        let metadata: Metadata =
            serde_json::from_slice(body).map_err(|error| format!("it is no metadata document: {error}"))?;
        if metadata.issuer != issuer {
            return Err(format!("it names the issuer {:?}, and {issuer:?} is configured", metadata.issuer));
        }
        for (name, address) in metadata.addresses() {
            trust.endpoint(address).map_err(|why| format!("its {name} {why}"))?;
        }
        Ok(metadata)
    }

    fn addresses(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let optional = [
            ("userinfo_endpoint", &self.userinfo_endpoint),
            ("revocation_endpoint", &self.revocation_endpoint),
            ("end_session_endpoint", &self.end_session_endpoint),
        ];
        let optional = optional.into_iter().filter_map(|(name, address)| Some((name, address.as_deref()?)));
        [
            ("authorization_endpoint", self.authorization_endpoint.as_str()),
            ("token_endpoint", self.token_endpoint.as_str()),
            ("jwks_uri", self.jwks_uri.as_str()),
        ]
        .into_iter()
        .chain(optional)
    }
}

/// Finds the document.
#[derive(Debug)]
pub(super) struct Discovery {
    issuer: String,
    trust: Trust,
    fetcher: Fetcher,
}

impl Discovery {
    pub(super) fn new(issuer: &str, trust: Trust, fetcher: Fetcher) -> Discovery {
        Discovery { issuer: issuer.to_owned(), trust, fetcher }
    }

    /// Where the document may be, in order: as OpenID Connect has it, then as RFC 8414 section 3.1 has it, appended and
    /// inserted.
    fn places(&self) -> Vec<Url> {
        let issuer = self.trust.issuer();
        let path = issuer.path().trim_end_matches('/');
        let mut places = vec![
            format!("{path}/.well-known/openid-configuration"),
            format!("{path}/.well-known/oauth-authorization-server"),
        ];
        if !path.is_empty() {
            places.push(format!("/.well-known/oauth-authorization-server{path}"));
        }
        let at = |path: String| {
            let mut url = issuer.clone();
            url.set_path(&path);
            url
        };
        places.into_iter().map(at).collect()
    }
}

impl Source for Discovery {
    type Document = Metadata;
    const NAME: &'static str = "metadata";

    async fn fetch(&self) -> Result<(Metadata, Option<Duration>), String> {
        // All places together take no longer than one may.
        let found = tokio::time::timeout(self.fetcher.timeout(), self.find()).await;
        found.unwrap_or_else(|_elapsed| Err("it takes too long".to_owned()))
    }
}

impl Discovery {
    async fn find(&self) -> Result<(Metadata, Option<Duration>), String> {
        for place in self.places() {
            match self.fetcher.get(place).await {
                Ok(fetched) => {
                    let metadata = Metadata::read(&fetched.body, &self.issuer, &self.trust)?;
                    return Ok((metadata, fetched.max_age));
                }
                Err(Refused::NotFound) => {}
                Err(Refused::Failed(why)) => return Err(why),
            }
        }
        Err("it answers 404 at every well-known address".to_owned())
    }
}
