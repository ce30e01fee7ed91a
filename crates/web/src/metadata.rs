//! Where the protected-resource documents (RFC 9728) lie, which challenges name and `rest` serves.

/// Below the base address: the document of the REST routes.
pub const PATH: &str = "/.well-known/oauth-protected-resource";
/// Below the base address: the document of the tool endpoint.
pub const TOOLS_PATH: &str = "/.well-known/oauth-protected-resource/mcp";
