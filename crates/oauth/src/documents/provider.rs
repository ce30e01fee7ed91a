//! The two documents that describe the identity provider for clients of this service.

use passbook_auth::authorization_proxy::{AUTHORIZE_PATH, STRIPPED_SCOPE};
use passbook_auth::issuer_mode::IssuerMode;
use passbook_auth::provider::DiscoveryDocument;
use passbook_web::BaseUrl;
use serde::Serialize;

use super::ProviderDocument;
use crate::provider_config::ProviderConfig;

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
pub(crate) fn metadata<'a>(
    document: ProviderDocument,
    discovery: &'a DiscoveryDocument,
    config: &ProviderConfig,
    base_url: &'a BaseUrl,
) -> ProviderMetadata<'a> {
    let issuer = match (document, config.mode) {
        (ProviderDocument::AuthorizationServer, IssuerMode::Split) | (_, IssuerMode::Origin) => {
            base_url.origin()
        }
        (ProviderDocument::OpenIdConfiguration, IssuerMode::Split) | (_, IssuerMode::Direct) => {
            &discovery.issuer
        }
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
        scopes_supported: scopes(document, discovery, config),
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
    document: ProviderDocument,
    discovery: &'a DiscoveryDocument,
    config: &ProviderConfig,
) -> Vec<&'a str> {
    let mut scopes: Vec<&str> = discovery.scopes_supported.iter().map(String::as_str).collect();
    let is_stripped = config.stripped_scopes.iter().any(|scope| scope == STRIPPED_SCOPE);
    let is_for_assistants = document == ProviderDocument::AuthorizationServer;
    if is_for_assistants && is_stripped && !scopes.contains(&STRIPPED_SCOPE) {
        scopes.push(STRIPPED_SCOPE);
    }
    scopes
}
