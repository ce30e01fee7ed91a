//! Cookies: their names and attributes, and the values that a request carries.
//!
//! Browsers send cookies to every port of a host, so each name contains the port. Values are sealed, so another server
//! on the host that receives one cannot read it.

use hyper::HeaderMap;
use hyper::header::{COOKIE, HeaderValue};
use passbook_auth::loopback::is_loopback;
use passbook_web::BaseUrl;

/// Maximum length of a sealed value in bytes. Browsers store 4,096 bytes for name and value (RFC 6265bis section 5.5).
pub(crate) const VALUE_BYTES_MAX: usize = 4_000;

/// Names and attributes of the cookies of one origin.
#[derive(Debug)]
pub(crate) struct Cookies {
    /// True if cookies have the attribute `Secure` and the name prefix `__Host-`. Browsers differ in whether they store
    /// such cookies for `http` on a loopback address.
    secure: bool,
    port: String,
}

impl Cookies {
    pub(crate) fn new(page_url: &BaseUrl) -> Cookies {
        let origin = page_url.origin();
        let (scheme, authority) = origin.split_once("://").unwrap_or_default();
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (host, port),
            _ if scheme == "https" => (authority, "443"),
            _ => (authority, "80"),
        };
        Cookies { secure: !(scheme == "http" && is_loopback(host)), port: port.to_owned() }
    }

    /// Returns the name of the session cookie.
    pub(crate) fn session_name(&self) -> String {
        self.name("session")
    }

    /// Returns the name of the cookie of one sign-in attempt. Attempts of several tabs have different names.
    pub(crate) fn attempt_name(&self, state: &str) -> String {
        let start: String = state.chars().take(8).collect();
        format!("{}-{start}", self.name("attempt"))
    }

    /// Returns the names of all cookies of sign-in attempts in a request.
    pub(crate) fn attempts<'h>(&self, headers: &'h HeaderMap) -> Vec<&'h str> {
        // With the separator, because the port may be the start of another server's port.
        let start = format!("{}-", self.name("attempt"));
        pairs(headers).map(|(name, _)| name).filter(|name| name.starts_with(&start)).collect()
    }

    fn name(&self, use_of_cookie: &str) -> String {
        let prefix = if self.secure { "__Host-" } else { "" };
        format!("{prefix}passbook-{use_of_cookie}-{}", self.port)
    }

    /// Returns the header value that stores a cookie for `seconds`.
    pub(crate) fn store(&self, name: &str, value: &str, seconds: i64) -> HeaderValue {
        let secure = if self.secure { "; Secure" } else { "" };
        let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}");
        HeaderValue::try_from(text).expect("name and value are visible ASCII")
    }

    /// Returns the header value that deletes a cookie.
    pub(crate) fn delete(&self, name: &str) -> HeaderValue {
        self.store(name, "", 0)
    }
}

/// Returns the values of the cookie `name`. There can be several: another server on the host can set a cookie of the same
/// name for a longer path.
pub(crate) fn values<'h>(headers: &'h HeaderMap, name: &str) -> impl Iterator<Item = &'h str> {
    pairs(headers).filter(move |(found, _)| *found == name).map(|(_, value)| value)
}

/// Returns the name and value of every cookie of a request (RFC 6265 section 5.4).
fn pairs(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let values = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookies(page_url: &str) -> Cookies {
        Cookies::new(&BaseUrl::parse(page_url).expect("an address"))
    }

    #[test]
    fn cookies_are_secure_unless_the_origin_is_http_on_loopback() {
        for (page_url, name) in [
            ("https://money.example", "__Host-passbook-session-443"),
            ("https://money.example:8443/money", "__Host-passbook-session-8443"),
            ("http://127.0.0.1:8080", "passbook-session-8080"),
            ("http://localhost", "passbook-session-80"),
            ("http://[::1]:9", "passbook-session-9"),
            ("https://127.0.0.1:8080", "__Host-passbook-session-8080"),
            ("http://money.example", "__Host-passbook-session-80"),
        ] {
            let cookies = cookies(page_url);
            assert_eq!(cookies.session_name(), name, "{page_url}");
            let stored = cookies.store(name, "v", 5);
            let stored = stored.to_str().expect("text");
            assert!(stored.starts_with(&format!("{name}=v; Path=/; HttpOnly; SameSite=Lax; Max-Age=5")));
            assert_eq!(stored.ends_with("; Secure"), name.starts_with("__Host-"), "{page_url}");
        }
    }

    #[test]
    fn attempts_of_another_port_are_not_listed() {
        let pairs = "passbook-attempt-80-abc=1; passbook-attempt-8080-abc=1";
        let headers = HeaderMap::from_iter([(COOKIE, HeaderValue::from_static(pairs))]);
        assert_eq!(cookies("http://localhost").attempts(&headers), ["passbook-attempt-80-abc"]);
    }

    #[test]
    fn cookie_header_is_read_pair_by_pair() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, HeaderValue::from_static("a=1; b=2=3;c; a=4"));
        headers.append(COOKIE, HeaderValue::from_static("a=5"));
        assert_eq!(values(&headers, "a").collect::<Vec<_>>(), ["1", "4", "5"]);
        assert_eq!(values(&headers, "b").collect::<Vec<_>>(), ["2=3"]);
        assert_eq!(values(&headers, "c").count(), 0);
    }
}
