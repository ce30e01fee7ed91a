//! The check of the `Origin` header. Without this check, a web page could use DNS rebinding to call a server on its
//! visitor's machine; see "Security & Endpoint" of the Streamable HTTP transport.

use hyper::header::ORIGIN;
use hyper::{HeaderMap, Uri};
use passbook_auth::loopback::is_loopback;

/// The origins of the web pages that may call the tool server.
#[derive(Clone, Debug)]
pub(crate) struct AllowedOrigins {
    allowed: Vec<String>,
    loopback: bool,
}

impl AllowedOrigins {
    /// Creates the set of allowed origins: the origin of `base_url`, the `listed` origins and, if `loopback` is true,
    /// every origin on a loopback address.
    pub(crate) fn new(base_url: &str, listed: &[String], loopback: bool) -> AllowedOrigins {
        let own = base_url.parse().ok().as_ref().and_then(canonical);
        let listed = listed.iter().filter_map(|origin| canonical(&origin.parse().ok()?));
        AllowedOrigins { allowed: own.into_iter().chain(listed).collect(), loopback }
    }

    /// Returns true if a request has no `Origin` header, or exactly one with an allowed origin.
    pub(crate) fn allows(&self, headers: &HeaderMap) -> bool {
        let mut values = headers.get_all(ORIGIN).iter();
        let Some(value) = values.next() else { return true };
        let uri: Option<Uri> = value.to_str().ok().and_then(|text| text.parse().ok());
        let Some(uri) = uri.filter(|_| values.next().is_none()) else { return false };
        let loopback = self.loopback && is_loopback(uri.host().unwrap_or_default());
        canonical(&uri).is_some_and(|origin| loopback || self.allowed.contains(&origin))
    }
}

/// Returns the origin of an address as `scheme://host[:port]` in lower case, without the default port of the scheme.
/// Returns `None` if the address is not `http` or `https`, or contains a user name.
fn canonical(uri: &Uri) -> Option<String> {
    let scheme = uri.scheme_str()?;
    let default_port = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?;
    let port = authority.port_u16().filter(|port| *port != default_port).map(|port| format!(":{port}"));
    Some(format!("{scheme}://{}{}", authority.host(), port.unwrap_or_default()).to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(origins: &AllowedOrigins, values: &[&str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(ORIGIN, value.parse().expect("a header"));
        }
        origins.allows(&headers)
    }

    #[test]
    fn only_listed_own_and_loopback_origins_are_allowed() {
        let listed = ["https://claude.ai".to_owned(), "http://home.example:80".to_owned()];
        let public = AllowedOrigins::new("https://money.example/api", &listed, false);
        let local = AllowedOrigins::new("http://127.0.0.1:8080/api", &listed, true);
        assert!(is_allowed(&public, &[]));
        for (origin, by_public, by_local) in [
            ("https://money.example", true, false),
            ("https://MONEY.example:443", true, false),
            ("http://money.example", false, false),
            ("https://money.example:8443", false, false),
            ("https://claude.ai", true, true),
            ("http://home.example", true, true),
            ("http://home.example:443", false, false),
            ("https://claude.ai.evil.example", false, false),
            ("https://claude.ai@evil.example", false, false),
            ("http://localhost:6274", false, true),
            ("https://localhost", false, true),
            ("http://127.0.0.1:8080", false, true),
            ("http://127.8.9.1", false, true),
            ("http://[::1]:3000", false, true),
            ("http://localhost.evil.example", false, false),
            ("http://127.0.0.1.evil.example", false, false),
            ("null", false, false),
            ("file://", false, false),
            ("chrome-extension://abc", false, false),
            ("", false, false),
        ] {
            assert_eq!(is_allowed(&public, &[origin]), by_public, "{origin}");
            assert_eq!(is_allowed(&local, &[origin]), by_local, "{origin}");
        }
        assert!(!is_allowed(&public, &["https://claude.ai", "https://claude.ai"]));
    }
}
