//! The rules of settings, one for each kind of value. A rule is a function that returns the typed value, or the broken
//! rule as a clause that follows the setting's name. The clause never repeats the value: [`Reader`](crate::Reader) adds
//! the value unless it may be a secret.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use passbook_store::{ConnectionSettings, ConnectionSettingsError};

use crate::setting::Kind;

/// Parses a boolean: `true` or `1`, `false` or `0`.
pub(crate) fn boolean(text: &str) -> Result<bool, String> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err("must be true or false (1 and 0 mean the same)".to_owned()),
    }
}

/// Parses a whole number of the range that the table states.
pub(crate) fn number<T: TryFrom<u64>>(text: &str, kind: Kind) -> Result<T, String> {
    let (low, high) = match kind {
        Kind::Number(low, high) => (low, high),
        _ => (0, u64::MAX),
    };
    let number = text.parse().ok().filter(|number| (low..=high).contains(number));
    number
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| format!("must be a whole number from {low} to {high}"))
}

/// Parses an absolute path. A relative path would depend on the folder in which a program is started.
pub(crate) fn absolute_path(text: &str) -> Result<PathBuf, String> {
    let path = Path::new(text);
    if path.is_absolute() {
        Ok(path.to_owned())
    } else {
        Err("must be an absolute path such as /var/lib/passbook".to_owned())
    }
}

/// Parses an IP address with a port.
pub(crate) fn socket_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "must be an address and a port, such as 127.0.0.1:8080".to_owned())
}

/// Parses an origin, `scheme://host[:port]` with the scheme `http` or `https`. Returns it as browsers send it
/// ([`canonical_origin`]).
pub(crate) fn origin(text: &str) -> Result<String, String> {
    let text = text.trim_end_matches('/');
    if is_origin(text) {
        Ok(canonical_origin(text))
    } else {
        Err("must be an origin without a path, such as https://money.example".to_owned())
    }
}

/// Returns an origin as browsers send it: in lower case, and without the default port of its scheme (RFC 6454 section 6.2).
pub(crate) fn canonical_origin(origin: &str) -> String {
    let origin = origin.to_lowercase();
    let port = if origin.starts_with("https:") { ":443" } else { ":80" };
    origin.strip_suffix(port).map_or_else(|| origin.clone(), ToOwned::to_owned)
}

/// Parses a list of origins that is separated by commas, or `none` for an empty list.
pub(crate) fn origins(text: &str) -> Result<Vec<String>, String> {
    if text == "none" {
        return Ok(Vec::new());
    }
    let items: Result<Vec<String>, String> = text.split(',').map(|item| origin(item.trim())).collect();
    items.map_err(|_| {
        "must be origins without a path, such as https://claude.ai, separated by commas, or none".to_owned()
    })
}

/// Parses a list of texts that is separated by commas. No item may be empty.
pub(crate) fn list(text: &str) -> Result<Vec<String>, String> {
    let items: Vec<String> = text.split(',').map(|item| item.trim().to_owned()).collect();
    if items.iter().all(|item| !item.is_empty()) {
        Ok(items)
    } else {
        Err("must be a list of items separated by single commas".to_owned())
    }
}

/// Parses a PostgreSQL URL with its TLS parameters, and reads the certificate file that the URL names.
pub(crate) fn database_url(text: &str) -> Result<ConnectionSettings, String> {
    text.parse().map_err(|error: ConnectionSettingsError| error.to_string())
}

/// Returns true if the text consists of a scheme in lower case, `://`, and a host with an optional port. `Uri` accepts a
/// scheme in upper case and drops a fragment, so its parts are put together again and compared with the text.
fn is_origin(text: &str) -> bool {
    let Ok(uri) = text.parse::<hyper::Uri>() else { return false };
    let (Some(scheme @ ("http" | "https")), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return false;
    };
    let host = authority.host();
    let plain = authority.port_u16().map_or(host.to_owned(), |port| format!("{host}:{port}"));
    text == format!("{scheme}://{plain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `tests/cases/faults.txt` has the values that break a rule.
    #[test]
    fn values_follow_the_rules() {
        for (text, expected) in [("true", true), ("1", true), ("false", false), ("0", false)] {
            assert_eq!(boolean(text), Ok(expected), "{text}");
        }
        assert_eq!(absolute_path("/var/lib"), Ok(PathBuf::from("/var/lib")));
        assert_eq!(origin("https://money.example/").as_deref(), Ok("https://money.example"));
        assert_eq!(origin("http://127.0.0.1:8080").as_deref(), Ok("http://127.0.0.1:8080"));
        assert_eq!(origin("https://Money.Example:443").as_deref(), Ok("https://money.example"));
        assert_eq!(origin("http://[::1]:80").as_deref(), Ok("http://[::1]"));
        let two = ["https://claude.ai", "https://chatgpt.com"].map(str::to_owned).to_vec();
        assert_eq!(origins("https://claude.ai, https://chatgpt.com/"), Ok(two));
        assert_eq!(origins("none"), Ok(Vec::new()));
        assert_eq!(list("a, b"), Ok(vec!["a".to_owned(), "b".to_owned()]));
        for text in
            ["postgresql://passbook_reader@localhost/passbook", "postgresql://x@localhost/x?sslmode=require"]
        {
            assert!(database_url(text).is_ok(), "{text}");
        }
    }
}
