//! The checks of an HTTP request that follow the check of its token: content type and accepted type.

use hyper::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE};
use hyper::{HeaderMap, StatusCode};
use passbook_web::HttpError;

/// Maximum size of a request's body, in bytes.
pub(crate) const BODY_BYTES_MAX: usize = 256 * 1024;

/// Rejects a request whose content type is not plain JSON.
pub(crate) fn content_type(headers: &HeaderMap) -> Result<(), HttpError> {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let media_type = types.next().and_then(|value| value.to_str().ok()).map(media_type);
    let plain = headers
        .get_all(CONTENT_ENCODING)
        .iter()
        .all(|value| value.as_bytes().eq_ignore_ascii_case(b"identity"));
    if types.next().is_none()
        && plain
        && media_type.is_some_and(|found| found.eq_ignore_ascii_case("application/json"))
    {
        return Ok(());
    }
    let message = "The body must be JSON as it is: Content-Type: application/json, and no Content-Encoding.";
    Err(HttpError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "UNSUPPORTED_MEDIA_TYPE", message))
}

/// Rejects a request only if its `Accept` header excludes JSON. Many clients list fewer types than they can read.
pub(crate) fn accept(headers: &HeaderMap) -> Result<(), HttpError> {
    let values: Vec<&str> = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).collect();
    let mut ranges = values.iter().flat_map(|value| value.split(',')).map(str::trim).peekable();
    let admits = |range: &str| {
        let known = ["application/json", "application/*", "*/*"];
        known.iter().any(|known| known.eq_ignore_ascii_case(media_type(range))) && !is_excluded(range)
    };
    if ranges.peek().is_none() || ranges.any(|range| range.is_empty() || admits(range)) {
        return Ok(());
    }
    let message = "The answer is JSON: the header Accept must admit application/json.";
    Err(HttpError::new(StatusCode::NOT_ACCEPTABLE, "NOT_ACCEPTABLE", message))
}

/// Returns a media type without its parameters.
fn media_type(value: &str) -> &str {
    value.split(';').next().unwrap_or_default().trim()
}

/// Returns true if an item of the `Accept` header has the weight 0, "not acceptable" (RFC 9110 section 12.4.2).
fn is_excluded(range: &str) -> bool {
    let mut parameters = range.split(';').skip(1).filter_map(|parameter| parameter.trim().split_once('='));
    parameters
        .any(|(name, weight)| name.trim().eq_ignore_ascii_case("q") && weight.trim().parse() == Ok(0.0_f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_header_is_rejected_only_if_it_excludes_json() {
        for (value, fine) in [
            (None, true),
            (Some(""), true),
            (Some("*/*"), true),
            (Some("application/json"), true),
            (Some("application/json, text/event-stream"), true),
            (Some("text/event-stream, APPLICATION/JSON;q=0.1"), true),
            (Some("application/*;q=0.9"), true),
            (Some("text/event-stream"), false),
            (Some("application/json;q=0"), false),
            (Some("text/html, application/xml"), false),
            (Some("text/html\napplication/json"), true),
            (Some("text/html\ntext/event-stream"), false),
        ] {
            let mut headers = HeaderMap::new();
            for line in value.into_iter().flat_map(|value| value.split('\n')) {
                headers.append(ACCEPT, line.parse().expect("a header"));
            }
            assert_eq!(accept(&headers).is_ok(), fine, "{value:?}");
        }
    }
}
