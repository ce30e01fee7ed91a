//! The discovery documents: protected-resource metadata (RFC 9728), authorization-server metadata (RFC 8414), and the
//! OpenID configuration (OpenID Connect Discovery 1.0).

use auth::authorization_proxy::{AUTHORIZE_PATH, STRIPPED_SCOPE};
use auth::issuer_mode::IssuerMode;
use auth::provider::DiscoveryDocument;
use serde::Serialize;
use web::BaseUrl;

use crate::provider_config::ProviderConfig;

/// The metadata document of a protected resource. Its member `resource` is the address for which an access token must
/// be issued.
#[derive(Debug, Serialize)]
pub(crate) struct ProtectedResourceMetadata<'a> {
    /// The issuer of access tokens. Absent without an identity provider: then only personal access tokens work.
    #[serde(skip_serializing_if = "Option::is_none")]
    authorization_servers: Option<[&'a str; 1]>,
    bearer_methods_supported: [&'static str; 1],
    resource: &'a str,
    resource_name: &'static str,
    scopes_supported: [&'static str; 3],
}

impl<'a> ProtectedResourceMetadata<'a> {
    pub(crate) fn new(resource: &'a str, authorization_server: Option<&'a str>) -> Self {
        ProtectedResourceMetadata {
            authorization_servers: authorization_server.map(|server| [server]),
            bearer_methods_supported: ["header"],
            resource,
            resource_name: "Passbook",
            // Clients request every scope that is listed here, so only scopes that all providers know are listed.
            scopes_supported: ["openid", "email", "profile"],
        }
    }
}

/// The two documents about the identity provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProviderDocument {
    /// The authorization-server metadata (RFC 8414), which assistants read.
    AuthorizationServer,
    /// The OpenID configuration (OpenID Connect Discovery 1.0), which dashboards read.
    OpenIdConfiguration,
}

/// The identity provider as clients of this service should use it.
///
/// Only the members listed here are passed on. Endpoints that would bypass the proxy are left out: registration, pushed
/// authorization requests, device authorization, and aliases for mutual TLS. Empty lists are left out (RFC 8414
/// section 3.2).
#[derive(Debug, Serialize)]
pub(crate) struct ProviderMetadata<'a> {
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

/// Creates the content of a discovery document that describes the identity provider.
pub(crate) fn provider<'a>(
    document: ProviderDocument,
    metadata: &'a DiscoveryDocument,
    config: &ProviderConfig,
    base_url: &'a BaseUrl,
) -> ProviderMetadata<'a> {
    let issuer = match (document, config.mode) {
        (ProviderDocument::AuthorizationServer, IssuerMode::Split) | (_, IssuerMode::Origin) => {
            base_url.origin()
        }
        (ProviderDocument::OpenIdConfiguration, IssuerMode::Split) | (_, IssuerMode::Direct) => {
            &metadata.issuer
        }
    };
    // The provider sends its own issuer together with the authorization code. Clients compare the two issuers, so the
    // document announces this only if it names the same issuer.
    let returns_issuer = metadata.authorization_response_iss_parameter_supported && issuer == metadata.issuer;
    ProviderMetadata {
        authorization_endpoint: format!("{base_url}{AUTHORIZE_PATH}"),
        authorization_response_iss_parameter_supported: returns_issuer.then_some(true),
        claims_supported: &metadata.claims_supported,
        client_id_metadata_document_supported: metadata.client_id_metadata_document_supported,
        code_challenge_methods_supported: ["S256"],
        end_session_endpoint: metadata.end_session_endpoint.as_deref(),
        grant_types_supported: ["authorization_code", "refresh_token"],
        id_token_signing_alg_values_supported: &metadata.id_token_signing_alg_values_supported,
        issuer,
        jwks_uri: &metadata.jwks_uri,
        request_uri_parameter_supported: false,
        response_modes_supported: ["query"],
        response_types_supported: ["code"],
        revocation_endpoint: metadata.revocation_endpoint.as_deref(),
        scopes_supported: scopes(document, metadata, config),
        subject_types_supported: &metadata.subject_types_supported,
        token_endpoint: &metadata.token_endpoint,
        token_endpoint_auth_methods_supported: &metadata.token_endpoint_auth_methods_supported,
        userinfo_endpoint: metadata.userinfo_endpoint.as_deref(),
    }
}

/// Returns the scopes that the discovery document lists: those of the provider. For assistants the list also has
/// `offline_access`, which they request to get a refresh token, unless the proxy passes the scope on to a provider that
/// does not know it.
fn scopes<'a>(
    document: ProviderDocument,
    metadata: &'a DiscoveryDocument,
    config: &ProviderConfig,
) -> Vec<&'a str> {
    let mut scopes: Vec<&str> = metadata.scopes_supported.iter().map(String::as_str).collect();
    let is_stripped = config.stripped_scopes.iter().any(|scope| scope == STRIPPED_SCOPE);
    let is_for_assistants = document == ProviderDocument::AuthorizationServer;
    if is_for_assistants && is_stripped && !scopes.contains(&STRIPPED_SCOPE) {
        scopes.push(STRIPPED_SCOPE);
    }
    scopes
}
