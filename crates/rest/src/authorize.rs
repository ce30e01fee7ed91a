//! The authorization proxy: it sends a person on to the provider's own page with the request as it came, but for scopes
//! that the provider would refuse (RFC 6749 section 4.1.1).
//!
//! Nothing in a request can change where it leads. What cannot be understood is refused with an error of this service
//! and never with a redirect to the client, which is not known here.

use std::collections::HashSet;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CACHE_CONTROL, HeaderValue, LOCATION};
use hyper::{Response, StatusCode};
use operations::form::{Fault, shortened};
use operations::query::decode;
use web::Refusal;

const SCOPE: &str = "scope";

/// The redirect to an authorization endpoint with a query.
pub(crate) fn redirect(
    endpoint: &str,
    query: &str,
    stripped: &[String],
) -> Result<Response<Full<Bytes>>, Refusal> {
    let message = "The authorization request cannot be handed on.";
    let location = location(endpoint, query, stripped).map_err(|faults| Refusal::invalid(message, faults))?;
    let location = HeaderValue::try_from(location).map_err(|_| Refusal::defect("an address is no header"))?;
    let mut response = Response::new(Full::default());
    *response.status_mut() = StatusCode::FOUND;
    response.headers_mut().insert(LOCATION, location);
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// The endpoint with a query: every pair byte for byte and in order, but for the scopes to be taken out; every fault when
/// there are any. The endpoint's own query, if it has one, comes first and cannot be overridden.
pub(crate) fn location(endpoint: &str, query: &str, stripped: &[String]) -> Result<String, Vec<Fault>> {
    let own = endpoint.split_once('?').map_or("", |(_, own)| own);
    let own = own.split('&').filter(|pair| !pair.is_empty());
    let mut names: HashSet<String> = own.filter_map(|pair| decode(split(pair).0)).collect();
    let mut faults = Vec::new();
    let mut pairs = Vec::new();
    for pair in query.split('&') {
        if pair.is_empty() {
            continue;
        }
        match kept(pair, stripped, &mut names) {
            Ok(pair) => pairs.extend(pair),
            Err(fault) => faults.push(fault),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
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

/// What becomes of a pair: itself, with fewer scopes, or nothing when no scope is left.
fn kept(pair: &str, stripped: &[String], names: &mut HashSet<String>) -> Result<Option<String>, Fault> {
    let (name, value) = split(pair);
    let fault = |name: &str, message: &str| Fault {
        parameter: shortened(name),
        message: message.to_owned(),
        allowed: Vec::new(),
    };
    let unreadable = "must be percent-encoded UTF-8 without control characters";
    let readable = |text: &str| decode(text).filter(|_| !pair.bytes().any(|byte| byte.is_ascii_control()));
    let Some(name) = readable(name) else { return Err(fault(name, unreadable)) };
    let Some(value) = readable(value) else { return Err(fault(&name, unreadable)) };
    if names.contains(&name) {
        return Err(fault(&name, "must not be repeated"));
    }
    let is_scope = name == SCOPE;
    names.insert(name);
    if !is_scope {
        return Ok(Some(ascii(pair)));
    }
    let is_kept = |word: &&str| !stripped.iter().any(|other| other == word);
    let words: Vec<&str> = value.split(' ').filter(|word| !word.is_empty()).collect();
    let left: Vec<String> = words.iter().copied().filter(is_kept).map(encode).collect();
    Ok(match left.len() {
        count if count == words.len() => Some(ascii(pair)),
        0 => None,
        _ => Some(format!("{SCOPE}={}", left.join("%20"))),
    })
}

fn split(pair: &str) -> (&str, &str) {
    pair.split_once('=').unwrap_or((pair, ""))
}

/// The same with everything that is not ASCII percent-encoded, as an address has to be.
fn ascii(pair: &str) -> String {
    escaped(pair, |byte| byte.is_ascii())
}

/// A value as it may stand in a query (RFC 3986 section 2.3).
fn encode(text: &str) -> String {
    escaped(text, |byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
}

fn escaped(text: &str, stays: impl Fn(u8) -> bool) -> String {
    let mut written = String::with_capacity(text.len());
    for byte in text.bytes() {
        if stays(byte) {
            written.push(char::from(byte));
        } else {
            written.push_str(&format!("%{byte:02X}"));
        }
    }
    written
}

#[cfg(test)]
mod tests;
