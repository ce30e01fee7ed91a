//! The identity provider for clients of this service: its configuration, the two documents that describe it, and the
//! redirection of authorization requests.

use std::sync::Arc;

use passbook_auth::Provider;
use passbook_auth::authorization_proxy::{AUTHORIZE_PATH, IssuerMode, STRIPPED_SCOPE};
use passbook_auth::compatibility;
use passbook_auth::provider::DiscoveryDocument;
use passbook_web::{AUTHORIZATION_SERVER, Adapter, BaseUrl, Endpoint, HttpError, Methods, response};
use serde::Serialize;

use crate::{document, proxy};

const UNAVAILABLE: &str = "The identity provider cannot be reached right now: try again shortly.";

/// The identity provider, and the settings for the discovery documents and the authorization proxy.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProviderConfig {
    /// The identity provider whose access tokens the authenticator accepts.
    pub provider: Provider,
    /// The issuer mode, which selects the issuer that each discovery document names.
    pub mode: IssuerMode,
    /// Scopes that `/oauth/authorize` removes from a request before it redirects to the provider.
    pub stripped_scopes: Vec<String>,
}

impl ProviderConfig {
    /// Creates the configuration that suits most providers: [`IssuerMode::Split`], and the proxy removes the scope
    /// `offline_access`.
    pub fn new(provider: Provider) -> ProviderConfig {
        let stripped_scopes = vec![STRIPPED_SCOPE.to_owned()];
        ProviderConfig { provider, mode: IssuerMode::default(), stripped_scopes }
    }

    /// Returns the issuer that the protected-resource metadata names as the authorization server.
    pub(crate) fn authorization_server<'a>(&'a self, base_url: &'a BaseUrl) -> &'a str {
        match self.mode {
            IssuerMode::Split | IssuerMode::Origin => base_url.origin(),
            IssuerMode::Direct => self.provider.issuer(),
        }
    }

    /// Returns the provider's discovery document.
    ///
    /// # Errors
    /// `UNAVAILABLE` if the document cannot be fetched, or if its authorization endpoint is the proxy of this service,
    /// which would redirect forever.
    async fn discovery_document(&self, base_url: &BaseUrl) -> Result<Arc<DiscoveryDocument>, HttpError> {
        let metadata = self.provider.discovery_document().await.map_err(|error| {
            let seconds = error.retry_after_seconds();
            HttpError::outage(UNAVAILABLE, error, seconds)
        })?;
        let proxy = format!("{base_url}{AUTHORIZE_PATH}");
        let findings = compatibility::check(&metadata, self.mode, base_url.origin(), &proxy);
        match findings.into_iter().find(|finding| finding.refused) {
            Some(finding) => Err(HttpError::unavailable(UNAVAILABLE, finding.sentence)),
            None => Ok(metadata),
        }
    }
}

/// Returns the endpoint of a document about the provider, or of the proxy.
pub(crate) fn endpoint(
    adapter: &Adapter,
    template: &'static str,
    config: &ProviderConfig,
    base_url: &BaseUrl,
) -> Endpoint {
    let shared = Arc::new((config.clone(), base_url.clone()));
    adapter.public(template, Methods::READ, move |received| {
        let shared = shared.clone();
        async move {
            let (config, base_url) = &*shared;
            let discovery = config.discovery_document(base_url).await?;
            if template == AUTHORIZE_PATH {
                let query = received.head.uri.query().unwrap_or_default();
                return proxy::redirect(&discovery.authorization_endpoint, query, &config.stripped_scopes);
            }
            let is_for_assistants = template == AUTHORIZATION_SERVER;
            let metadata = metadata(is_for_assistants, &discovery, config, base_url);
            Ok(response::public(document(&metadata)))
        }
    })
}

/// The identity provider as clients of this service should use it.
///
/// Only the members listed here are passed on. Endpoints that would bypass the proxy are left out: registration, pushed
/// authorization requests, device authorization, and aliases for mutual TLS. Empty lists are left out (RFC 8414
/// section 3.2).
#[derive(Debug, Serialize)]
struct ProviderMetadata<'a> {
    authorization_endpoint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    authorization_response_iss_parameter_supported: Option<bool>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    claims_supported: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    client_id_metadata_document_supported: Option<bool>,
    code_challenge_methods_supported: [&'static str; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    end_session_endpoint: Option<&'a str>,
    grant_types_supported: [&'static str; 2],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    id_token_signing_alg_values_supported: &'a [String],
    issuer: &'a str,
    jwks_uri: &'a str,
    /// Always false: this service rejects references to request objects, which would bypass the proxy. An absent member
    /// would mean true (OpenID Connect Discovery 1.0 section 3).
    request_uri_parameter_supported: bool,
    response_modes_supported: [&'static str; 1],
    response_types_supported: [&'static str; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    revocation_endpoint: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scopes_supported: Vec<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    subject_types_supported: &'a [String],
    token_endpoint: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    token_endpoint_auth_methods_supported: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    userinfo_endpoint: Option<&'a str>,
}

/// Creates the content of a discovery document that describes the identity provider: of the authorization-server metadata
/// (RFC 8414), which assistants read, or of the OpenID configuration (OpenID Connect Discovery 1.0), which dashboards read.
fn metadata<'a>(
    is_for_assistants: bool,
    discovery: &'a DiscoveryDocument,
    config: &ProviderConfig,
    base_url: &'a BaseUrl,
) -> ProviderMetadata<'a> {
    let issuer = match config.mode {
        IssuerMode::Split if is_for_assistants => base_url.origin(),
        IssuerMode::Origin => base_url.origin(),
        IssuerMode::Split | IssuerMode::Direct => &discovery.issuer,
    };
    // The provider sends its own issuer together with the authorization code. Clients compare the two issuers, so the
    // document announces this only if it names the same issuer.
    let returns_issuer =
        discovery.authorization_response_iss_parameter_supported && issuer == discovery.issuer;
    ProviderMetadata {
        authorization_endpoint: format!("{base_url}{AUTHORIZE_PATH}"),
        authorization_response_iss_parameter_supported: returns_issuer.then_some(true),
        claims_supported: &discovery.claims_supported,
        client_id_metadata_document_supported: discovery.client_id_metadata_document_supported,
        code_challenge_methods_supported: ["S256"],
        end_session_endpoint: discovery.end_session_endpoint.as_deref(),
        grant_types_supported: ["authorization_code", "refresh_token"],
        id_token_signing_alg_values_supported: &discovery.id_token_signing_alg_values_supported,
        issuer,
        jwks_uri: &discovery.jwks_uri,
        request_uri_parameter_supported: false,
        response_modes_supported: ["query"],
        response_types_supported: ["code"],
        revocation_endpoint: discovery.revocation_endpoint.as_deref(),
        scopes_supported: scopes(is_for_assistants, discovery, config),
        subject_types_supported: &discovery.subject_types_supported,
        token_endpoint: &discovery.token_endpoint,
        token_endpoint_auth_methods_supported: &discovery.token_endpoint_auth_methods_supported,
        userinfo_endpoint: discovery.userinfo_endpoint.as_deref(),
    }
}

/// Returns the scopes that the discovery document lists: those of the provider. For assistants the list also has
/// `offline_access`, which they request to get a refresh token, unless the proxy passes the scope on to a provider that
/// does not know it.
fn scopes<'a>(
    is_for_assistants: bool,
    discovery: &'a DiscoveryDocument,
    config: &ProviderConfig,
) -> Vec<&'a str> {
    let mut scopes: Vec<&str> = discovery.scopes_supported.iter().map(String::as_str).collect();
    let is_stripped = config.stripped_scopes.iter().any(|scope| scope == STRIPPED_SCOPE);
    if is_for_assistants && is_stripped && !scopes.contains(&STRIPPED_SCOPE) {
        scopes.push(STRIPPED_SCOPE);
    }
    scopes
}
