//! Compresses assets and data with gzip.

use std::io::Write as _;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::{BodyExt as _, Full};
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderValue, VARY};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Response, StatusCode};

/// Size of a body from which it is compressed, in bytes. A shorter one fits into one packet anyway.
const DATA_BYTES_MIN: usize = 1_024;
/// Parameters with free text. A compressed body would reveal by its length whether it contains a text of the request
/// (BREACH), so a body that such a text has selected stays as it is.
const FREE_TEXTS: [&str; 2] = ["merchantQuery", "cursor"];
/// The field of an answer that repeats the names of the request.
const RESOLVED_NAMES: &[u8] = br#""resolved":["#;

/// Compresses the data of a response if the request accepts that. Errors, which repeat what they received, and data that a
/// text of the request has selected stay as they are.
pub(crate) async fn compressed_data(head: &Parts, response: Response<Full<Bytes>>) -> Response<Full<Bytes>> {
    if response.status() != StatusCode::OK {
        return response;
    }
    let (mut fields, body) = response.into_parts();
    fields.headers.append(VARY, HeaderValue::from_static("accept-encoding"));
    let Ok(body) = body.collect().await;
    let mut body = body.to_bytes();
    let query = head.uri.query().unwrap_or_default();
    let has_free_text = FREE_TEXTS.iter().any(|name| query.contains(name)) || query.contains('%');
    let has_names = || body.windows(RESOLVED_NAMES.len()).any(|bytes| bytes == RESOLVED_NAMES);
    if accepts_gzip(&head.headers) && body.len() >= DATA_BYTES_MIN && !has_free_text && !has_names() {
        body = gzip(&body, Compression::fast());
        mark_gzip(&mut fields.headers);
    }
    Response::from_parts(fields, Full::new(body))
}

/// States in the headers that the body is compressed.
pub(crate) fn mark_gzip(headers: &mut HeaderMap) {
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
}

/// Compresses a body.
pub(crate) fn gzip(body: &[u8], level: Compression) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(body).expect("memory takes all bytes");
    encoder.finish().expect("memory takes all bytes").into()
}

/// Returns true if the request accepts gzip by name, with a weight above zero (RFC 9110 section 12.5.3).
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let is_excluded = parts.any(|parameter| {
            let weight = parameter.split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
            weight.is_some_and(|(_, weight)| weight.trim().parse() == Ok(0.0_f32))
        });
        is_gzip && !is_excluded
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_if_it_is_accepted() {
        for (accept, expected) in [
            ("gzip", true),
            ("br, GZIP;q=0.1", true),
            ("gzip, deflate, br, zstd", true),
            ("", false),
            ("identity", false),
            ("gzip;q=0", false),
            ("x-gzip", false),
        ] {
            let value = HeaderValue::from_static(accept);
            let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, value)]);
            assert_eq!(accepts_gzip(&headers), expected, "{accept}");
        }
    }
}
