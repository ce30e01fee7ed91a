//! The authorization proxy: redirects an authorization request (RFC 6749 section 4.1.1) to the identity provider and
//! removes the configured scopes, which the provider would reject.
//!
//! No parameter can change the target of the redirect. An invalid request gets an error response and is never redirected
//! to the client, because this service does not know the client's redirect URIs.

use std::collections::HashSet;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CACHE_CONTROL, HeaderValue, LOCATION};
use hyper::{Response, StatusCode};
use passbook_input::{Fault, Faults, excerpt};
use passbook_operations::ParameterFault;
use passbook_operations::form::FAULTS_MAX;
use passbook_web::HttpError;
use passbook_web::query_string::decode;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

const SCOPE: &str = "scope";
/// The parameter that may be repeated: each names an address for which the token is requested (RFC 8707 section 2).
const RESOURCE: &str = "resource";
const CODE_CHALLENGE: &str = "code_challenge";
const CODE_CHALLENGE_METHOD: &str = "code_challenge_method";
/// The only accepted method of PKCE. Without the parameter the method is `plain` (RFC 7636 section 4.3), which shows the
/// verifier to everyone who sees the request.
const PKCE_METHOD: &str = "S256";
/// No ASCII character. Other characters are always percent-encoded.
const NON_ASCII: &AsciiSet = &AsciiSet::EMPTY;
/// Every ASCII character but the unreserved ones (RFC 3986 section 2.3).
const NOT_UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Redirects to the provider's authorization endpoint with the parameters of `query`.
///
/// # Errors
/// `INVALID_REQUEST` with the faults of the query.
pub(crate) fn redirect(
    endpoint: &str,
    query: &str,
    stripped: &[String],
) -> Result<Response<Full<Bytes>>, HttpError> {
    let message = "The authorization request cannot be handed on.";
    let location =
        location(endpoint, query, stripped).map_err(|faults| HttpError::invalid(message, faults))?;
    let location = HeaderValue::try_from(location).map_err(HttpError::internal)?;
    let mut response = Response::new(Full::default());
    *response.status_mut() = StatusCode::FOUND;
    response.headers_mut().insert(LOCATION, location);
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Returns the address to redirect to: the endpoint with the `name=value` pairs of `query`, in order and byte for byte,
/// without the scopes of `stripped`. If the endpoint has a query of its own, that query comes first, and no pair can
/// override it.
///
/// # Errors
/// The first [`FAULTS_MAX`] faults of the query, and the number of further ones.
pub(crate) fn location(
    endpoint: &str,
    query: &str,
    stripped: &[String],
) -> Result<String, Vec<ParameterFault>> {
    let own = endpoint.split_once('?').map_or("", |(_, own)| own);
    let own = own.split('&').filter(|pair| !pair.is_empty());
    let mut names: HashSet<String> = own.filter_map(|pair| decode(split(pair).0)).collect();
    // The request needs no token, so its response must not be much larger than the request.
    let mut faults = Faults::with_limit(FAULTS_MAX);
    let mut pairs = Vec::new();
    for pair in query.split('&') {
        if pair.is_empty() {
            continue;
        }
        match forwarded(pair, stripped, &mut names) {
            Ok(pair) => pairs.extend(pair),
            Err(fault) => faults.push(fault),
        }
    }
    if names.contains(CODE_CHALLENGE) && !names.contains(CODE_CHALLENGE_METHOD) {
        let rule = "must be S256 if the request has a code_challenge";
        faults.push(Fault::verbatim(CODE_CHALLENGE_METHOD, rule));
    }
    if !faults.is_empty() {
        return Err(faults.into_iter().map(ParameterFault::from).collect());
    }
    if pairs.is_empty() {
        return Ok(endpoint.to_owned());
    }
    let joint = match endpoint.split_once('?') {
        None => "?",
        Some((_, "")) => "",
        Some(_) => "&",
    };
    Ok(format!("{endpoint}{joint}{}", pairs.join("&")))
}

/// Returns the `name=value` pair of the query string to forward. A parameter `scope` loses the stripped scopes, or
/// becomes `None` if only stripped scopes were in it. Every other parameter is unchanged.
///
/// # Errors
/// A repeated parameter, an unreadable pair, another method of PKCE than `S256`, and a request object (OpenID Connect Core 1.0
/// section 6), whose parameters would take precedence over those of the query.
fn forwarded(pair: &str, stripped: &[String], names: &mut HashSet<String>) -> Result<Option<String>, Fault> {
    let (name, value) = split(pair);
    let fault = |name: &str, rule: &str| Fault::verbatim(excerpt(name), rule);
    let unreadable = "must be percent-encoded UTF-8 without control characters";
    let readable = |text: &str| decode(text).filter(|_| !pair.bytes().any(|byte| byte.is_ascii_control()));
    let Some(name) = readable(name) else { return Err(fault(name, unreadable)) };
    let Some(value) = readable(value) else { return Err(fault(&name, unreadable)) };
    if names.contains(&name) && name != RESOURCE {
        return Err(fault(&name, "must not be repeated"));
    }
    if name == CODE_CHALLENGE_METHOD && value != PKCE_METHOD {
        names.insert(name);
        return Err(fault(CODE_CHALLENGE_METHOD, "must be S256"));
    }
    if name == "request" || name == "request_uri" {
        let rule = "must not be given: the parameters must be in the address";
        names.insert(name.clone());
        return Err(fault(&name, rule));
    }
    let is_scope = name == SCOPE;
    names.insert(name);
    if !is_scope {
        return Ok(Some(ascii(pair)));
    }
    let is_forwarded = |scope: &&str| !stripped.iter().any(|other| other == scope);
    let scopes: Vec<&str> = value.split(' ').filter(|scope| !scope.is_empty()).collect();
    let remaining: Vec<String> = scopes.iter().copied().filter(is_forwarded).map(encode).collect();
    Ok(match remaining.len() {
        count if count == scopes.len() => Some(ascii(pair)),
        0 => None,
        _ => Some(format!("{SCOPE}={}", remaining.join("%20"))),
    })
}

fn split(pair: &str) -> (&str, &str) {
    pair.split_once('=').unwrap_or((pair, ""))
}

/// Percent-encodes the characters of a `name=value` pair that are not ASCII, because a URL must not contain them.
fn ascii(pair: &str) -> String {
    utf8_percent_encode(pair, NON_ASCII).to_string()
}

/// Percent-encodes a value for use in a query string (RFC 3986 section 2.3).
fn encode(text: &str) -> String {
    utf8_percent_encode(text, NOT_UNRESERVED).to_string()
}

#[cfg(test)]
mod tests;
