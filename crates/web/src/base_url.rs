//! The public base address of the service, and the paths of the OAuth discovery documents below it.

use std::fmt;
use std::ops::Deref;

use hyper::Uri;
use passbook_domain::Invalid;

use crate::openapi::OPENAPI_PATH;

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

/// The public base address of the service, such as `https://money.example/api`. The paths of all adapters begin with
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    text: String,
    origin_bytes: usize,
}

impl BaseUrl {
    /// Parses a base address: `http` or `https`, a host, an optional port, and an optional path that does not end in a
    /// slash.
    ///
    /// # Errors
    /// The text is not such an address.
    pub fn parse(text: &str) -> Result<BaseUrl, Invalid> {
        let rule = || {
            Invalid::new(
                "must be an http or https address that does not end in a slash, such as https://money.example/api",
            )
        };
        let uri: Uri = text.parse().map_err(|_| rule())?;
        let scheme =
            uri.scheme_str().filter(|scheme| matches!(*scheme, "http" | "https")).ok_or_else(rule)?;
        let authority = uri.authority().map(|authority| authority.as_str()).ok_or_else(rule)?;
        let origin = format!("{scheme}://{authority}");
        let path = text.strip_prefix(&origin).ok_or_else(rule)?;
        let plain = path.is_empty() || (path == uri.path() && !path.ends_with('/') && !path.contains("//"));
        if !plain || authority.contains('@') {
            return Err(rule());
        }
        Ok(BaseUrl { text: text.to_owned(), origin_bytes: origin.len() })
    }

    /// Returns the origin of the base address: scheme, host and port.
    pub fn origin(&self) -> &str {
        &self.text[..self.origin_bytes]
    }

    /// Returns the path of the base address, such as `/api`; empty if the service uses the whole origin.
    pub fn path(&self) -> &str {
        &self.text[self.origin_bytes..]
    }

    /// Returns the path of the OpenAPI document at the origin, such as `/api/openapi.json`.
    pub fn openapi_path(&self) -> String {
        format!("{}{OPENAPI_PATH}", self.path())
    }

    /// Returns the part of a path that follows the base address, with its leading slash. `path` is a path at the
    /// origin; returns `None` if it is not below the base address.
    pub fn below<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.path()).filter(|below| below.starts_with('/'))
    }
}

impl Deref for BaseUrl {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_is_split_into_origin_and_path() {
        for (text, origin, path) in [
            ("https://money.example/api", "https://money.example", "/api"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", ""),
            ("http://[::1]:1/a/b", "http://[::1]:1", "/a/b"),
        ] {
            let base = BaseUrl::parse(text).expect("an address");
            assert_eq!((base.origin(), base.path(), &*base), (origin, path, text));
        }
    }

    #[test]
    fn invalid_addresses_are_rejected() {
        for text in [
            "",
            "/api",
            "money.example",
            "ftp://money.example",
            "https://",
            "https://me@money.example/api",
            "https://money.example/",
            "https://money.example/api/",
            "https://money.example//api",
            "https://money.example/api?x",
            "https://money.example/api#x",
            "HTTPS://money.example/api",
            "https://money.example/a pi",
        ] {
            assert!(BaseUrl::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn below_removes_only_the_whole_base_path() {
        let base = BaseUrl::parse("https://money.example/api").expect("an address");
        for (path, below) in [
            ("/api/v1/me", Some("/v1/me")),
            ("/api/", Some("/")),
            ("/api", None),
            ("/apiv1/me", None),
            ("/v1/me", None),
            ("/", None),
        ] {
            assert_eq!(base.below(path), below, "{path}");
        }
        let alone = BaseUrl::parse("https://money.example").expect("an address");
        assert_eq!(alone.below("/v1/me"), Some("/v1/me"));
    }
}
