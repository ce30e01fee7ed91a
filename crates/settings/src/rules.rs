//! The rules of settings, one for each kind of value. A rule is a function that returns the typed value, or the broken
//! rule as a clause that follows the setting's name. The clause never repeats the value: [`Reader`](crate::Reader) adds
//! the value unless it may be a secret.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use passbook_store::{ConnectionSettings, ConnectionSettingsError};

/// Parses a boolean: `true` or `1`, `false` or `0`.
///
/// # Errors
/// The rule, for any other text.
pub fn boolean(text: &str) -> Result<bool, String> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err("must be true or false (1 and 0 mean the same)".to_owned()),
    }
}

/// Parses an absolute path. A relative path would depend on the folder in which a program is started.
///
/// # Errors
/// The rule, for a relative path.
pub fn absolute_path(text: &str) -> Result<PathBuf, String> {
    let path = Path::new(text);
    if path.is_absolute() {
        Ok(path.to_owned())
    } else {
        Err("must be an absolute path such as /var/lib/passbook".to_owned())
    }
}

/// Parses an IP address with a port.
///
/// # Errors
/// The rule, for any other text, a host name included.
pub fn socket_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "must be an address and a port, such as 127.0.0.1:8080".to_owned())
}

/// Parses an origin, `scheme://host[:port]` with the scheme `http` or `https`. Returns the origin without a slash at
/// the end.
///
/// # Errors
/// The rule, for a URL with a path, a query or a user name, or no URL.
pub fn origin(text: &str) -> Result<String, String> {
    let text = text.trim_end_matches('/');
    if is_origin(text) {
        Ok(text.to_owned())
    } else {
        Err("must be an origin without a path, such as https://money.example".to_owned())
    }
}

/// Parses a list of origins that is separated by commas, or `none` for an empty list.
///
/// # Errors
/// The rule, if any item is not an origin.
pub fn origins(text: &str) -> Result<Vec<String>, String> {
    if text == "none" {
        return Ok(Vec::new());
    }
    let items: Result<Vec<String>, String> = text.split(',').map(|item| origin(item.trim())).collect();
    items.map_err(|_| {
        "must be origins without a path, such as https://claude.ai, separated by commas, or none".to_owned()
    })
}

/// Parses a list of texts that is separated by commas. No item may be empty.
///
/// # Errors
/// The rule, if any item is empty.
pub fn list(text: &str) -> Result<Vec<String>, String> {
    let items: Vec<String> = text.split(',').map(|item| item.trim().to_owned()).collect();
    if items.iter().all(|item| !item.is_empty()) {
        Ok(items)
    } else {
        Err("must be a list of items separated by single commas".to_owned())
    }
}

/// Parses a PostgreSQL URL with its TLS parameters, and reads the certificate file that the URL names.
///
/// # Errors
/// The rule, which does not repeat the password.
pub fn database_url(text: &str) -> Result<ConnectionSettings, String> {
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

    #[test]
    fn booleans_are_words_or_digits() {
        for (text, expected) in [("true", true), ("1", true), ("false", false), ("0", false)] {
            assert_eq!(boolean(text), Ok(expected), "{text}");
        }
        for text in ["", "yes", "no", "TRUE", "on", "2", " true"] {
            assert!(boolean(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn relative_paths_are_refused() {
        assert_eq!(absolute_path("/var/lib"), Ok(PathBuf::from("/var/lib")));
        for text in ["", "data", "./data", "../data", "~/data"] {
            assert!(absolute_path(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn origins_have_neither_path_nor_user() {
        assert_eq!(origin("https://money.example/"), Ok("https://money.example".to_owned()));
        assert_eq!(origin("http://127.0.0.1:8080"), Ok("http://127.0.0.1:8080".to_owned()));
        for text in [
            "",
            "money.example",
            "https://",
            "https://money.example/app",
            "https://money.example?a=b",
            "https://money.example/?a",
            "https://money.example#x",
            "https://money.example/#x",
            "https://ada@money.example",
            "https://ada:secret@money.example",
            "HTTPS://money.example",
            "Http://money.example",
            "https://money.example:port",
            " https://money.example",
            "ftp://money.example",
        ] {
            assert!(origin(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn origin_list_may_be_none() {
        let two = vec!["https://claude.ai".to_owned(), "https://chatgpt.com".to_owned()];
        assert_eq!(origins("https://claude.ai, https://chatgpt.com/"), Ok(two));
        assert_eq!(origins("none"), Ok(Vec::new()));
        assert!(origins("https://claude.ai,").is_err());
        assert!(origins("https://claude.ai,none").is_err());
    }

    #[test]
    fn list_items_are_not_empty() {
        assert_eq!(list("a, b"), Ok(vec!["a".to_owned(), "b".to_owned()]));
        for text in ["", "a,,b", ",a", "a,"] {
            assert!(list(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn wrong_database_url_is_refused_without_its_password() {
        assert!(database_url("postgresql://passbook_reader@localhost/passbook").is_ok());
        assert!(database_url("postgresql://x@localhost/x?sslmode=require").is_ok());
        for text in [
            "no:hunter2@h",
            "postgresql://x:hunter2@h:port/d",
            "postgresql://x:hunter2@h/d?sslmode=verify-ca",
        ] {
            let rule = database_url(text).expect_err("it breaks the rule");
            assert!(!rule.contains("hunter2"), "{rule}");
        }
    }
}
