//! The protected-resource documents (RFC 9728) that the challenges name.

use serde_json::{Value, json};

/// The document of a resource: the address that a token is meant for. Without an identity provider it names no
/// authorization server: only personal access tokens work.
pub(crate) fn protected_resource(resource: &str) -> Value {
    json!({
        "resource": resource,
        "resource_name": "Passbook",
        "bearer_methods_supported": ["header"],
        "scopes_supported": ["openid", "email", "profile"]
    })
}
