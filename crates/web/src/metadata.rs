//! Where the documents lie that say where tokens come from: `rest` serves them, and challenges name them.

/// Below the base address: the protected-resource document (RFC 9728) of the REST routes.
pub const PATH: &str = "/.well-known/oauth-protected-resource";
/// Below the base address: the protected-resource document of the tool endpoint.
pub const TOOLS_PATH: &str = "/.well-known/oauth-protected-resource/mcp";
/// The authorization-server document (RFC 8414).
pub const AUTHORIZATION_SERVER_PATH: &str = "/.well-known/oauth-authorization-server";
/// The OpenID configuration (OpenID Connect Discovery 1.0).
pub const OPENID_PATH: &str = "/.well-known/openid-configuration";
