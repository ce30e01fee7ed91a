//! The discovery document of the identity provider (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2).

use std::time::Duration;

use reqwest::Url;

use super::cached_document::Source;
use super::fetch::{FetchError, Fetcher};
use super::url_policy::UrlPolicy;

/// The discovery document: the members that Passbook uses or passes on to clients. Other members are dropped.
///
/// Every address is `https`, or `http` on a loopback address, and is on the issuer's host or an allowed host.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[non_exhaustive]
pub struct DiscoveryDocument {
    /// The issuer identifier. Equals the configured issuer byte for byte.
    pub issuer: String,
    /// Address at which users sign in.
    pub authorization_endpoint: String,
    /// Address at which clients exchange authorization codes for tokens.
    pub token_endpoint: String,
    /// Address of the JSON Web Key Set.
    pub jwks_uri: String,
    /// Address at which clients read the claims of the signed-in user.
    pub userinfo_endpoint: Option<String>,
    /// Address at which clients revoke tokens (RFC 7009).
    pub revocation_endpoint: Option<String>,
    /// Address at which users sign out (OpenID Connect RP-Initiated Logout 1.0).
    pub end_session_endpoint: Option<String>,
    /// Scopes that the provider supports.
    #[serde(default)]
    pub scopes_supported: Vec<String>,
    /// Response types that the authorization endpoint supports.
    #[serde(default)]
    pub response_types_supported: Vec<String>,
    /// Response modes that the authorization endpoint supports.
    #[serde(default)]
    pub response_modes_supported: Vec<String>,
    /// Grant types that the provider supports.
    #[serde(default)]
    pub grant_types_supported: Vec<String>,
    /// Methods of client authentication that the token endpoint supports.
    #[serde(default)]
    pub token_endpoint_auth_methods_supported: Vec<String>,
    /// Types of subject identifiers that the provider supports.
    #[serde(default)]
    pub subject_types_supported: Vec<String>,
    /// Signature algorithms of ID tokens that the provider supports.
    #[serde(default)]
    pub id_token_signing_alg_values_supported: Vec<String>,
    /// Claims that the provider supports.
    #[serde(default)]
    pub claims_supported: Vec<String>,
    /// PKCE methods that the provider supports (RFC 7636).
    #[serde(default)]
    pub code_challenge_methods_supported: Vec<String>,
    /// True if a client may use the address of its metadata document as its identifier
    /// (draft-ietf-oauth-client-id-metadata-document).
    #[serde(default)]
    pub client_id_metadata_document_supported: Option<bool>,
    /// True if the provider adds its issuer to the redirect back to the client (RFC 9207).
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
}

impl DiscoveryDocument {
    /// Parses a discovery document and checks its issuer and addresses.
    ///
    /// # Errors
    /// The rule that the document breaks.
    fn parse(body: &[u8], issuer: &str, policy: &UrlPolicy) -> Result<DiscoveryDocument, String> {
        let document: DiscoveryDocument = serde_json::from_slice(body)
            .map_err(|error| format!("the response is not a discovery document: {error}"))?;
        if document.issuer != issuer {
            return Err(format!(
                "the document names the issuer {:?}, configured is {issuer:?}",
                document.issuer
            ));
        }
        for (name, address) in document.addresses() {
            policy.check_endpoint(address).map_err(|rule| format!("its {name} {rule}"))?;
        }
        Ok(document)
    }

    /// Returns the addresses in the document, each with the name of its member.
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

/// Fetches the discovery document from the well-known addresses of the issuer.
#[derive(Debug)]
pub(super) struct DiscoverySource {
    issuer: String,
    policy: UrlPolicy,
    fetcher: Fetcher,
}

impl DiscoverySource {
    pub(super) fn new(issuer: &str, policy: UrlPolicy, fetcher: Fetcher) -> DiscoverySource {
        DiscoverySource { issuer: issuer.to_owned(), policy, fetcher }
    }

    /// Returns the well-known addresses of the document in the order in which they are tried: the address of OpenID
    /// Connect, then the two of RFC 8414 section 3.1, with the well-known part after and before the path of the issuer.
    fn well_known_urls(&self) -> Vec<Url> {
        let issuer = self.policy.issuer();
        let path = issuer.path().trim_end_matches('/');
        let mut paths = vec![
            format!("{path}/.well-known/openid-configuration"),
            format!("{path}/.well-known/oauth-authorization-server"),
        ];
        if !path.is_empty() {
            paths.push(format!("/.well-known/oauth-authorization-server{path}"));
        }
        let with_path = |path: String| {
            let mut url = issuer.clone();
            url.set_path(&path);
            url
        };
        paths.into_iter().map(with_path).collect()
    }
}

impl Source for DiscoverySource {
    type Document = DiscoveryDocument;
    const NAME: &'static str = "discovery document";

    async fn fetch(&self) -> Result<(DiscoveryDocument, Option<Duration>), String> {
        // The time limit of one request covers all attempts together.
        let found = tokio::time::timeout(self.fetcher.timeout(), self.find()).await;
        found.unwrap_or_else(|_elapsed| Err("the provider took too long to answer".to_owned()))
    }
}

impl DiscoverySource {
    /// Tries the well-known addresses in order. Returns the document of the first address whose response is not 404.
    async fn find(&self) -> Result<(DiscoveryDocument, Option<Duration>), String> {
        for url in self.well_known_urls() {
            match self.fetcher.get(url).await {
                Ok(fetched) => {
                    let document = DiscoveryDocument::parse(&fetched.body, &self.issuer, &self.policy)?;
                    return Ok((document, fetched.max_age));
                }
                Err(FetchError::NotFound) => {}
                Err(FetchError::Failed(why)) => return Err(why),
            }
        }
        Err("the provider answers 404 at every well-known address".to_owned())
    }
}
