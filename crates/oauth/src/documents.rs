//! The discovery documents: protected-resource metadata (RFC 9728), and the two documents about the identity provider,
//! authorization-server metadata (RFC 8414) and OpenID configuration (OpenID Connect Discovery 1.0).

#[cfg(feature = "provider")]
pub(crate) mod provider;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use passbook_web::response;
use serde::Serialize;

/// The metadata document of a protected resource. Its member `resource` is the address for which an access token must
/// be issued.
#[derive(Debug, Serialize)]
pub(crate) struct ProtectedResourceMetadata<'a> {
    /// The issuer of access tokens. Absent without an identity provider: then only personal access tokens work.
    #[serde(skip_serializing_if = "Option::is_none")]
    authorization_servers: Option<[&'a str; 1]>,
    bearer_methods_supported: [&'static str; 1],
    resource: &'a str,
    resource_name: &'a str,
    scopes_supported: [&'static str; 3],
}

impl<'a> ProtectedResourceMetadata<'a> {
    pub(crate) fn new(
        resource: &'a str,
        resource_name: &'a str,
        authorization_server: Option<&'a str>,
    ) -> Self {
        ProtectedResourceMetadata {
            authorization_servers: authorization_server.map(|server| [server]),
            bearer_methods_supported: ["header"],
            resource,
            resource_name,
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

/// Returns a JSON response that every cache may store.
pub(crate) fn json(document: &impl Serialize) -> Response<Full<Bytes>> {
    response::public(serde_json::to_vec(document).expect("a document has only string keys"))
}
