//! The paths of the OAuth discovery documents below the base address, and the type that describes a protected resource.

/// Path of the protected-resource metadata (RFC 9728) of the REST routes. The document of another resource has the
/// resource's path appended, such as `/.well-known/oauth-protected-resource/mcp`.
pub const PROTECTED_RESOURCE: &str = "/.well-known/oauth-protected-resource";
/// Path of the authorization-server metadata (RFC 8414).
pub const AUTHORIZATION_SERVER: &str = "/.well-known/oauth-authorization-server";
/// Path of the OpenID configuration (OpenID Connect Discovery 1.0).
pub const OPENID_CONFIGURATION: &str = "/.well-known/openid-configuration";

/// A protected resource with a path of its own, and the texts that describe its metadata document in OpenAPI.
#[derive(Clone, Copy, Debug)]
pub struct ProtectedResource {
    /// The path of the resource below the base address, such as `/mcp`.
    pub path: &'static str,
    /// The path of its metadata document below the base address: [`PROTECTED_RESOURCE`] and the resource's path.
    pub metadata_path: &'static str,
    /// The `operationId` of the metadata document's route in OpenAPI.
    pub operation_id: &'static str,
    /// The summary of the metadata document's route in OpenAPI.
    pub summary: &'static str,
    /// The description of the metadata document's route in OpenAPI.
    pub description: &'static str,
}
