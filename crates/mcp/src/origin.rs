//! Which web pages' requests are heard. Without this a page could reach a server on the visitor's own machine by
//! rebinding a name; see "Security & Endpoint" of the Streamable HTTP transport.

use auth::loopback::is_loopback;
use hyper::header::ORIGIN;
use hyper::{HeaderMap, Uri};

/// The origins that may call.
#[derive(Clone, Debug)]
pub(crate) struct Origins {
    allowed: Vec<String>,
    loopback: bool,
}

impl Origins {
    /// The origin of `base_url`, those listed, and with `loopback` every origin on this machine.
    pub(crate) fn new(base_url: &str, listed: &[String], loopback: bool) -> Origins {
        let own = base_url.parse().ok().as_ref().and_then(canonical);
        let listed = listed.iter().filter_map(|origin| canonical(&origin.parse().ok()?));
        Origins { allowed: own.into_iter().chain(listed).collect(), loopback }
    }

    /// Whether a request may be heard: it names no origin, or one that may call.
    pub(crate) fn admit(&self, headers: &HeaderMap) -> bool {
        let mut values = headers.get_all(ORIGIN).iter();
        let Some(value) = values.next() else { return true };
        let uri: Option<Uri> = value.to_str().ok().and_then(|text| text.parse().ok());
        let Some(uri) = uri.filter(|_| values.next().is_none()) else { return false };
        let loopback = self.loopback && is_loopback(uri.host().unwrap_or_default());
        canonical(&uri).is_some_and(|origin| loopback || self.allowed.contains(&origin))
    }
}

/// `scheme://host[:port]` in lower case without the usual port; none for anything else.
fn canonical(uri: &Uri) -> Option<String> {
    let scheme = uri.scheme_str()?;
    let usual = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?;
    let port = authority.port_u16().filter(|port| *port != usual).map(|port| format!(":{port}"));
    Some(format!("{scheme}://{}{}", authority.host(), port.unwrap_or_default()).to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(origins: &Origins, values: &[&str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(ORIGIN, value.parse().expect("a header"));
        }
        origins.admit(&headers)
    }

    #[test]
    fn only_known_origins_are_heard() {
        let listed = ["https://claude.ai".to_owned()];
        let public = Origins::new("https://money.example/api", &listed, false);
        let local = Origins::new("http://127.0.0.1:8080/api", &listed, true);
        assert!(admitted(&public, &[]));
        for (origin, by_public, by_local) in [
            ("https://money.example", true, false),
            ("https://MONEY.example:443", true, false),
            ("http://money.example", false, false),
            ("https://money.example:8443", false, false),
            ("https://claude.ai", true, true),
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
            assert_eq!(admitted(&public, &[origin]), by_public, "{origin}");
            assert_eq!(admitted(&local, &[origin]), by_local, "{origin}");
        }
        assert!(!admitted(&public, &["https://claude.ai", "https://claude.ai"]));
    }
}
