//! The checks of an HTTP request that follow the check of its token: query string, content type, accepted type and
//! body.

use bytes::{Buf as _, Bytes};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Body;
use hyper::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE};
use hyper::{HeaderMap, StatusCode};
use operations::Code;
use web::HttpError;

/// Maximum size of a request's body, in bytes.
const BODY_BYTES_MAX: usize = 256 * 1024;
/// Name of the query parameter that contains a token (RFC 6750 section 2.3). This service does not accept it.
const TOKEN_PARAMETER: &str = "access_token";

/// Rejects a token in the query string, which proxies write to their logs. The error does not repeat the token.
pub(crate) fn no_token_in_query(query: &str, is_token: impl Fn(&str) -> bool) -> Result<(), HttpError> {
    let mut pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    if pairs.any(|(name, value)| name == TOKEN_PARAMETER || is_token(name) || is_token(value)) {
        let message = "A token must not stand in the query string: send it in the header Authorization.";
        return Err(HttpError::new(StatusCode::BAD_REQUEST, Code::InvalidRequest.as_str(), message));
    }
    Ok(())
}

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

/// Reads the body of a request, up to [`BODY_BYTES_MAX`] bytes.
pub(crate) async fn body<B>(body: B) -> Result<Bytes, HttpError>
where
    B: Body,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let too_large = || {
        let message = format!("The body is larger than {BODY_BYTES_MAX} bytes.");
        HttpError::new(StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE", message)
    };
    if body.size_hint().lower() > BODY_BYTES_MAX as u64 {
        return Err(too_large());
    }
    let collected = Limited::new(body, BODY_BYTES_MAX).collect().await;
    let collected = collected.map_err(|error| {
        if error.is::<LengthLimitError>() {
            return too_large();
        }
        let message = "The body did not arrive whole.";
        HttpError::new(StatusCode::BAD_REQUEST, Code::InvalidRequest.as_str(), message)
    })?;
    let mut collected = collected.aggregate();
    Ok(collected.copy_to_bytes(collected.remaining()))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};

    use http_body_util::Full;
    use hyper::body::Frame;

    use super::*;

    /// A body without a known length, as in chunked transfer coding.
    struct OfUnknownLength(Full<Bytes>);

    impl Body for OfUnknownLength {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Pin::new(&mut self.get_mut().0).poll_frame(context)
        }
    }

    #[test]
    fn body_of_unknown_length_is_limited() {
        for (bytes, fine) in [(0, true), (BODY_BYTES_MAX, true), (BODY_BYTES_MAX + 1, false)] {
            let sent = OfUnknownLength(Full::new(Bytes::from(vec![b' '; bytes])));
            let Poll::Ready(read) = pin!(body(sent)).poll(&mut Context::from_waker(Waker::noop())) else {
                panic!("it is all there")
            };
            assert_eq!(read.is_ok_and(|read| read.len() == bytes), fine, "{bytes}");
        }
    }

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
        ] {
            let mut headers = HeaderMap::new();
            if let Some(value) = value {
                headers.insert(ACCEPT, value.parse().expect("a header"));
            }
            assert_eq!(accept(&headers).is_ok(), fine, "{value:?}");
        }
    }
}
