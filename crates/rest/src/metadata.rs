//! The discovery documents: of the protected resources (RFC 9728) that the challenges name, and of the identity provider
//! as this service presents it (RFC 8414, OpenID Connect Discovery 1.0).

use auth::provider::Metadata;
use auth::sign_in::{AUTHORIZE_PATH, Mode, STRIPPED_SCOPE};
use serde_json::{Map, Value, json};
use web::BaseUrl;

use crate::sign_in::SignIn;

/// The document of a resource: the address that a token is meant for. Without an identity provider it names no
/// authorization server: only personal access tokens work. Whatever scope it lists clients ask for, so it lists those
/// that every provider knows.
pub(crate) fn protected_resource(resource: &str, authorization_server: Option<&str>) -> Value {
    let mut document = json!({
        "resource": resource,
        "resource_name": "Passbook",
        "bearer_methods_supported": ["header"],
        "scopes_supported": ["openid", "email", "profile"]
    });
    if let Some(server) = authorization_server {
        document["authorization_servers"] = json!([server]);
    }
    document
}

/// Which of the two documents about the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// RFC 8414: assistants read it.
    AuthorizationServer,
    /// OpenID Connect Discovery 1.0: dashboards read it.
    OpenId,
}

/// The provider as clients of this service are to see it: what is listed here and nothing else. People sign in through
/// the proxy; what would pass it by (registration, pushed requests, devices, other TLS addresses) is left out.
pub(crate) fn provider(kind: Kind, metadata: &Metadata, sign_in: &SignIn, base_url: &BaseUrl) -> Value {
    let issuer = match (kind, sign_in.mode) {
        (Kind::AuthorizationServer, Mode::Split) | (_, Mode::Origin) => base_url.origin(),
        (Kind::OpenId, Mode::Split) | (_, Mode::Direct) => &metadata.issuer,
    };
    let mut document = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{base_url}{AUTHORIZE_PATH}"),
        "token_endpoint": metadata.token_endpoint,
        "jwks_uri": metadata.jwks_uri,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        // Left out it would mean yes (OpenID Connect Discovery 1.0 section 3), and pass the proxy by.
        "request_uri_parameter_supported": false,
    });
    let members = document.as_object_mut().expect("it is an object");
    for (name, address) in [
        ("userinfo_endpoint", &metadata.userinfo_endpoint),
        ("revocation_endpoint", &metadata.revocation_endpoint),
        ("end_session_endpoint", &metadata.end_session_endpoint),
    ] {
        if let Some(address) = address {
            members.insert(name.to_owned(), json!(address));
        }
    }
    for (name, list) in [
        ("token_endpoint_auth_methods_supported", &metadata.token_endpoint_auth_methods_supported),
        ("subject_types_supported", &metadata.subject_types_supported),
        ("id_token_signing_alg_values_supported", &metadata.id_token_signing_alg_values_supported),
        ("claims_supported", &metadata.claims_supported),
    ] {
        insert_list(members, name, list.clone());
    }
    insert_list(members, "scopes_supported", scopes(kind, metadata, sign_in));
    // What comes back with the code is the provider's own issuer: said only where the document names the same.
    if metadata.authorization_response_iss_parameter_supported && issuer == metadata.issuer {
        members.insert("authorization_response_iss_parameter_supported".to_owned(), json!(true));
    }
    document
}

/// An empty list is left out (RFC 8414 section 3.2).
fn insert_list(members: &mut Map<String, Value>, name: &str, list: Vec<String>) {
    if !list.is_empty() {
        members.insert(name.to_owned(), json!(list));
    }
}

/// The provider's, and for assistants `offline_access`, which they ask for to be given a refresh token. Where the proxy
/// would hand it on, it is listed only if the provider knows it.
fn scopes(kind: Kind, metadata: &Metadata, sign_in: &SignIn) -> Vec<String> {
    let mut scopes = metadata.scopes_supported.clone();
    let offline = STRIPPED_SCOPE.to_owned();
    let stripped = sign_in.stripped_scopes.contains(&offline);
    if kind == Kind::AuthorizationServer && stripped && !scopes.contains(&offline) {
        scopes.push(offline);
    }
    scopes
}
