//! The paths of the OAuth discovery documents, below the base address, and the description of a protected resource.

/// The protected-resource metadata (RFC 9728) of the REST routes. A resource at a path of its own has its document below
/// this path, such as `/.well-known/oauth-protected-resource/mcp`.
pub const PROTECTED_RESOURCE: &str = "/.well-known/oauth-protected-resource";
/// The authorization-server metadata (RFC 8414).
pub const AUTHORIZATION_SERVER: &str = "/.well-known/oauth-authorization-server";
/// The OpenID configuration (OpenID Connect Discovery 1.0).
pub const OPENID_CONFIGURATION: &str = "/.well-known/openid-configuration";

/// A protected resource at a path of its own, with the description of its metadata document in OpenAPI.
#[derive(Clone, Copy, Debug)]
pub struct ProtectedResource {
    /// The path of the resource below the base address, such as `/mcp`.
    pub path: &'static str,
    /// The path of its metadata document below the base address: [`PROTECTED_RESOURCE`] and the resource's path.
    pub metadata_path: &'static str,
    /// The `operationId` of the document's route.
    pub operation_id: &'static str,
    /// The summary of the document's route.
    pub summary: &'static str,
    /// The description of the document's route.
    pub description: &'static str,
}
