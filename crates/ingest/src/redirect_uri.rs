//! The rule for redirect URIs of OAuth clients. The identity provider enforces the URIs; this check only rejects those
//! that no provider could enforce.

use fluent_uri::Uri;
use fluent_uri::component::Scheme;
use passbook_auth::loopback::is_loopback;

/// Maximum length of a redirect URI, in bytes.
pub const REDIRECT_URI_CHARACTERS_MAX: usize = 2_000;

/// Text of the rule, as a clause of a fault.
pub(crate) const RULE: &str = "must be an absolute URI of up to 2000 characters, without a fragment and without a user \
     name: https with a host, http on a loopback address, or a scheme with a dot in it, such as com.example.app:/callback";

/// Returns true if `text` is an absolute URI without a fragment (RFC 6749 section 3.1.2) whose scheme is https, or http
/// on a loopback address (RFC 8252 section 7.3), or private-use. A private-use scheme contains a dot, because it is a
/// reversed domain name (RFC 8252 sections 7.1 and 8.4). A user name before the host is rejected, because it serves to
/// deceive readers.
pub fn is_redirect_uri(text: &str) -> bool {
    let Ok(uri) = Uri::parse(text) else { return false };
    if text.len() > REDIRECT_URI_CHARACTERS_MAX || uri.has_fragment() {
        return false;
    }
    let authority = uri.authority();
    if authority.is_some_and(|authority| authority.has_userinfo()) {
        return false;
    }
    let host = authority.map(|authority| authority.host()).unwrap_or_default();
    match uri.scheme() {
        scheme if scheme == Scheme::new_or_panic("https") => !host.is_empty(),
        // Providers compare the text, and `[::1]` is how RFC 8252 section 7.3 writes the address.
        scheme if scheme == Scheme::new_or_panic("http") => {
            is_loopback(host) && (!host.starts_with('[') || host == "[::1]")
        }
        scheme => scheme.as_str().contains('.') && !(host.is_empty() && uri.path().is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enforceable_redirect_uris_are_accepted() {
        for text in [
            "https://dashboard.example.org/callback",
            "https://dashboard.example.org:8443/callback?from=a",
            "HTTPS://dashboard.example.org",
            "http://localhost:3000/callback",
            "http://127.0.0.1/callback",
            "http://127.3.2.1:1/",
            "http://[::1]:51004/callback",
            "com.example.app:/oauth2redirect",
            "com.example.app://callback",
        ] {
            assert!(is_redirect_uri(text), "{text}");
        }
    }

    #[test]
    fn unenforceable_redirect_uris_are_rejected() {
        let long = format!("https://a.example/{}", "x".repeat(REDIRECT_URI_CHARACTERS_MAX));
        for text in [
            "",
            "/callback",
            "dashboard.example.org/callback",
            "//dashboard.example.org/callback",
            "https:///callback",
            "https:callback",
            "https://dashboard.example.org/#done",
            "https://dashboard.example.org/callback#",
            "https://you@dashboard.example.org/",
            "https://dashboard.example.org/call back",
            "https://dashboard.example.org/%zz",
            "https://dashboard.example.org\\@evil.example/",
            " https://dashboard.example.org/",
            "https://dashboard.example.org/\n",
            "https://dästboard.example.org/",
            "http://dashboard.example.org/callback",
            "http://127.0.0.1.evil.example/",
            "http://localhost.evil.example/",
            "http://10.0.0.1/callback",
            "http://[0:0:0:0:0:0:0:1]:3000/callback",
            "com.example.app:",
            "http:/localhost/callback",
            "javascript:alert(1)",
            "data:text/html,x",
            "myapp:/callback",
            &long,
        ] {
            assert!(!is_redirect_uri(text), "{text}");
        }
    }
}
