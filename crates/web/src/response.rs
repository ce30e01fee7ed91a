//! Responses: content type, caching, and the headers that every response carries.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};

use crate::request_id::{REQUEST_ID_HEADER, RequestId};

/// Value of `Retry-After`, in seconds, in the response to a request that failed because of a temporary outage.
pub const RETRY_AFTER_SECONDS: u64 = 1;

/// Number of headers of a usual response: content, the standard headers, the request identifier, and the rate limits.
const HEADERS_EXPECTED: usize = 12;

/// Headers that every response has, unless its handler has set another value. They keep browsers from guessing its type,
/// showing it in a frame, or sending its address to other sites. No response has an `Access-Control` header: pages of other
/// origins cannot read responses.
const STANDARD_HEADERS: [(&str, &str); 4] = [
    ("x-content-type-options", "nosniff"),
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Creates a JSON response with a user's data, which no cache may store.
pub fn private(body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    json(StatusCode::OK, "no-store", body.into())
}

/// Creates a JSON response that is the same for every caller. Caches may store it for five minutes.
pub fn public(body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    json(StatusCode::OK, "public, max-age=300", body.into())
}

/// Creates a JSON response with a status and a `Cache-Control` header.
pub fn json(status: StatusCode, cache_control: &'static str, body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    // Space for the headers that the pipeline adds too, so that the map does not grow twice.
    *response.headers_mut() = HeaderMap::with_capacity(HEADERS_EXPECTED);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache_control));
    response
}

/// Creates a plain-text response that no cache may store, such as one with a user's data.
pub fn private_text(text: impl Into<Bytes>) -> Response<Full<Bytes>> {
    private_as("text/plain; charset=utf-8", text)
}

/// Creates a response with a media type such as `text/csv; charset=utf-8` that no cache may store, such as one with a
/// user's data.
///
/// # Panics
/// The media type contains a character that a header does not allow.
pub fn private_as(media_type: &'static str, body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = private(body);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// Returns true if a request accepts HTML by name, as browsers do.
pub fn accepts_html(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut ranges = values.flat_map(|value| value.split(','));
    ranges.any(|range| {
        let name = range.split(';').next().unwrap_or_default().trim();
        name.eq_ignore_ascii_case("text/html")
    })
}

/// Adds the standard headers that the response lacks, and the header with the request identifier.
pub(crate) fn add_standard_headers(response: &mut Response<Full<Bytes>>, id: &RequestId) {
    let headers = response.headers_mut();
    for (name, value) in STANDARD_HEADERS {
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
    headers.insert(HeaderName::from_static(REQUEST_ID_HEADER), id.to_header());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_request_that_names_html_accepts_html() {
        for (accept, expected) in [
            (&["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"][..], true),
            (&["application/json", "Text/HTML;q=0.5"], true),
            (&["*/*"], false),
            (&["text/*"], false),
            (&["application/json"], false),
            (&[], false),
        ] {
            let mut headers = HeaderMap::new();
            for value in accept {
                headers.append(ACCEPT, HeaderValue::from_static(value));
            }
            assert_eq!(accepts_html(&headers), expected, "{accept:?}");
        }
    }

    #[test]
    fn private_response_has_its_media_type_and_is_not_stored() {
        let text = "text/plain; charset=utf-8";
        for (response, media_type) in [
            (private("{}"), "application/json"),
            (private_text("a"), text),
            (private_as("text/csv", "a,b"), "text/csv"),
        ] {
            assert_eq!(response.headers()[CONTENT_TYPE], media_type);
            assert_eq!(response.headers()[CACHE_CONTROL], "no-store", "{media_type}");
        }
    }

    #[test]
    fn handler_can_replace_a_standard_header() {
        let mut response = private("{}");
        let policy = HeaderName::from_static("content-security-policy");
        response.headers_mut().insert(policy.clone(), HeaderValue::from_static("default-src 'self'"));
        add_standard_headers(&mut response, &RequestId::from_headers(&HeaderMap::new()));
        assert_eq!(response.headers()[policy], "default-src 'self'");
        assert_eq!(response.headers()["referrer-policy"], "no-referrer");
    }
}
