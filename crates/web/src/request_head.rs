//! Checks of the head of a request (request target and header fields): its size, and tokens in the query string.
//!
//! The size limits are below hyper's own limits, so that a client gets an error response with a body. Tokens in the query
//! string are rejected (RFC 6750 section 5.3), because browsers and proxies store addresses. The error does not repeat the
//! token.

use std::borrow::Cow;

use hyper::StatusCode;
use hyper::http::request::Parts;
use passbook_auth::personal_access_token::contains_well_formed;
use passbook_operations::Code;

use crate::http_error::HttpError;
use crate::query_string::decode;

/// Maximum length of a request target, in bytes.
const URI_BYTES_MAX: usize = 8 * 1024;
/// Maximum number of header fields.
const FIELDS_MAX: usize = 64;
/// Maximum size of all header fields together, in bytes.
const HEAD_BYTES_MAX: usize = 32 * 1024;
/// Number of bytes of a header field besides its name and value: colon, space and line end.
const FIELD_SEPARATOR_BYTES: usize = 4;
/// Name of the query parameter that contains a token (RFC 6750 section 2.3). This service does not accept it.
const TOKEN_PARAMETER: &str = "access_token";
/// Parameters of an authorization request that may contain a signed token that is no access token: `state` and `nonce`
/// belong to the client, the others are defined so (OpenID Connect Core 1.0 sections 3.1.2.1 and 6.1).
const SIGNED_PARAMETERS: [&str; 4] = ["state", "nonce", "id_token_hint", "request"];
/// Text with which every signed token in compact form starts (RFC 7515 section 7.1): the encoding of `{"`.
const SIGNED_START: &str = "eyJ";
/// Number of the parts of a signed token, which dots separate.
const SIGNED_PARTS: usize = 3;

/// Checks the size of a request's head.
///
/// # Errors
/// `URI_TOO_LONG` or `HEADERS_TOO_LARGE`.
pub(crate) fn check_size(head: &Parts) -> Result<(), HttpError> {
    let target = head.uri.path_and_query().map_or(0, |target| target.as_str().len());
    if target > URI_BYTES_MAX {
        return Err(HttpError::uri_too_long(URI_BYTES_MAX));
    }
    let field_bytes = |name: usize, value: usize| name + value + FIELD_SEPARATOR_BYTES;
    let bytes: usize =
        head.headers.iter().map(|(name, value)| field_bytes(name.as_str().len(), value.len())).sum();
    if head.headers.len() > FIELDS_MAX || bytes > HEAD_BYTES_MAX {
        return Err(HttpError::headers_too_large(FIELDS_MAX, HEAD_BYTES_MAX));
    }
    Ok(())
}

/// Rejects a token in the query string of a request for a user's data.
///
/// # Errors
/// `INVALID_REQUEST`.
pub(crate) fn check_query(head: &Parts) -> Result<(), HttpError> {
    check_tokens(head, |_| false)
}

/// Rejects a token in the query string of a request of a public route. Such a route may be the authorization endpoint,
/// whose parameters may contain other signed tokens.
///
/// # Errors
/// `INVALID_REQUEST`.
pub(crate) fn check_public_query(head: &Parts) -> Result<(), HttpError> {
    check_tokens(head, |name| SIGNED_PARAMETERS.contains(&name))
}

fn check_tokens(head: &Parts, may_be_signed: impl Fn(&str) -> bool) -> Result<(), HttpError> {
    let query = head.uri.query().unwrap_or_default();
    let has_token = query.split('&').any(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, value) = (decoded(name), decoded(value));
        let has_signed = contains_signed(&name) || (contains_signed(&value) && !may_be_signed(&name));
        name == TOKEN_PARAMETER || has_signed || contains_well_formed(&name) || contains_well_formed(&value)
    });
    if !has_token {
        return Ok(());
    }
    let message = "A token must not stand in the query string: send it in the header Authorization.";
    Err(HttpError::new(StatusCode::BAD_REQUEST, Code::InvalidRequest.as_str(), message))
}

/// Decodes a part of a query string. A part that cannot be decoded is returned as received.
fn decoded(text: &str) -> Cow<'_, str> {
    match text.contains(['%', '+']) {
        true => decode(text).map_or(Cow::Borrowed(text), Cow::Owned),
        false => Cow::Borrowed(text),
    }
}

/// Returns true if a word of the text looks like a signed token in compact form.
fn contains_signed(text: &str) -> bool {
    text.split_ascii_whitespace()
        .any(|word| word.starts_with(SIGNED_START) && word.split('.').count() == SIGNED_PARTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNED: &str = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJhIn0.c2ln";
    const PERSONAL: &str = "pfa_000000000000000000000000000000003GrczT";

    fn accepted(query: &str) -> [bool; 2] {
        let (head, ()) = hyper::Request::get(format!("/?{query}")).body(()).expect("a request").into_parts();
        [check_query(&head).is_ok(), check_public_query(&head).is_ok()]
    }

    #[test]
    fn target_has_at_most_8192_bytes() {
        for (bytes, is_accepted) in [(URI_BYTES_MAX, true), (URI_BYTES_MAX + 1, false)] {
            let target = format!("/{}", "a".repeat(bytes - 1));
            let (head, ()) = hyper::Request::get(target).body(()).expect("a request").into_parts();
            assert_eq!(check_size(&head).is_ok(), is_accepted, "{bytes}");
        }
    }

    #[test]
    fn tokens_are_rejected_wherever_they_stand() {
        for query in [
            "access_token=x".to_owned(),
            "access_token".to_owned(),
            "access%5Ftoken=x".to_owned(),
            "access_token=%zz".to_owned(),
            PERSONAL.to_owned(),
            format!("{PERSONAL}="),
            format!("a&b=c&d={PERSONAL}"),
            format!("q=Bearer+{PERSONAL}"),
            format!("q=%70{}", &PERSONAL[1..]),
            format!("state={PERSONAL}"),
            format!("q={SIGNED}"),
            format!("q=Bearer%20{SIGNED}"),
            format!("{SIGNED}=1"),
        ] {
            assert_eq!(accepted(&query), [false, false], "{query}");
        }
    }

    #[test]
    fn other_queries_are_accepted() {
        for query in ["", "a=1&b", "q=eyJ", "q=pbk_lunch", "q=%zz", "token=x", "code_challenge=eyJ.a"] {
            assert_eq!(accepted(query), [true, true], "{query}");
        }
    }

    #[test]
    fn authorization_request_may_have_signed_tokens_that_are_no_access_tokens() {
        for name in SIGNED_PARAMETERS {
            assert_eq!(accepted(&format!("{name}={SIGNED}")), [false, true], "{name}");
        }
    }

    #[test]
    fn error_does_not_repeat_the_token() {
        let (head, ()) =
            hyper::Request::get(format!("/?q={PERSONAL}")).body(()).expect("a request").into_parts();
        assert!(!check_query(&head).expect_err("there is a token").to_string().contains(PERSONAL));
    }
}
