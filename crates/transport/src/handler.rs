//! The interface between connections and the server's own requests, and the reasons for which a request is not handled.
//!
//! One reason is a wrong head, which the HTTP library does not check completely. Two readers of one request, such as a proxy
//! and this server, must not see different hosts or different ends of the body.

use std::future::Future;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{HOST, TRANSFER_ENCODING};
use hyper::http::uri::Authority;
use hyper::{Request, Response, Version};

use crate::body::RequestBody;
use crate::client_address::ClientAddress;

/// Answers requests. A server clones its handler for each connection.
pub trait Handler: Clone + Send + Sync + 'static {
    /// Handles one request. The duration is the handler's responsibility.
    fn handle(
        &self,
        request: Request<RequestBody>,
        client: ClientAddress,
    ) -> impl Future<Output = Response<Full<Bytes>>> + Send;

    /// Returns true if the request is handled even if the server handles as many as it may, such as a health check.
    fn is_exempt(&self, _request: &Request<RequestBody>) -> bool {
        false
    }

    /// Called once when the server receives the signal to stop, before the server stops accepting connections. Readiness
    /// should fail from now on.
    fn stopping(&self) {}

    /// Returns the response to a request that is not handled. It must be cheap.
    fn shed(&self, request: &Request<RequestBody>, reason: Shed) -> Response<Full<Bytes>>;

    /// Returns the response to a request with a wrong head, with status 400.
    fn bad_head(&self, request: &Request<RequestBody>, reason: BadHead) -> Response<Full<Bytes>>;
}

/// The reason why a request is answered without being handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shed {
    /// The server handles as many requests as it may.
    Requests,
    /// The client, which is behind a trusted proxy, has as many requests in progress as it may.
    RequestsOfClient,
}

/// The reason why the head of a request is rejected with status 400.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadHead {
    /// The request has not exactly one valid `Host` header (RFC 9112 section 3.2).
    Host,
    /// The body has another transfer coding than `chunked`, or several (RFC 9112 section 6.1).
    TransferEncoding,
}

impl BadHead {
    /// Returns a sentence for the client.
    pub const fn message(self) -> &'static str {
        match self {
            BadHead::Host => {
                "The request must have exactly one Host header, with a host and an optional port."
            }
            BadHead::TransferEncoding => "The only Transfer-Encoding of a request can be chunked, once.",
        }
    }

    /// Returns the first reason to reject a request.
    pub(crate) fn find<B>(request: &Request<B>) -> Option<BadHead> {
        if !has_valid_transfer_encoding(request) {
            return Some(BadHead::TransferEncoding);
        }
        (!has_valid_host(request)).then_some(BadHead::Host)
    }
}

/// Returns true if the request has exactly one valid `Host` header. HTTP/1.0 and HTTP/2 requests may have none: HTTP/2 has
/// the pseudo-header `:authority`.
fn has_valid_host<B>(request: &Request<B>) -> bool {
    let mut values = request.headers().get_all(HOST).iter();
    match (values.next(), values.next()) {
        (None, _) => request.version() != Version::HTTP_11,
        (Some(host), None) => is_host(host.as_bytes()),
        (Some(_), Some(_)) => false,
    }
}

/// Returns true for a host with an optional port, and for the empty text, which a target without an authority has.
fn is_host(host: &[u8]) -> bool {
    host.is_empty() || (Authority::try_from(host).is_ok() && !host.contains(&b'@'))
}

/// Returns true if the request has no `Transfer-Encoding`, or `chunked` once. The HTTP library checks the last coding only,
/// and removes `chunked` once.
fn has_valid_transfer_encoding<B>(request: &Request<B>) -> bool {
    let mut values = request.headers().get_all(TRANSFER_ENCODING).iter();
    match (values.next(), values.next()) {
        (None, _) => true,
        (Some(coding), None) => coding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"chunked"),
        (Some(_), Some(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderName;

    use super::*;

    fn reason(version: Version, name: HeaderName, values: &[&str]) -> Option<BadHead> {
        let mut request = Request::builder().version(version);
        if name != HOST {
            request = request.header(HOST, "money.example");
        }
        for value in values {
            request = request.header(&name, *value);
        }
        BadHead::find(&request.body(()).expect("a request"))
    }

    #[test]
    fn http_1_1_needs_exactly_one_valid_host() {
        use Version as V;
        for (version, hosts, expected) in [
            (V::HTTP_11, &["money.example"][..], true),
            (V::HTTP_11, &["127.0.0.1:8080"], true),
            (V::HTTP_11, &["[::1]:8080"], true),
            (V::HTTP_11, &[""], true),
            (V::HTTP_11, &[], false),
            (V::HTTP_11, &["a", "a"], false),
            (V::HTTP_11, &["a", "b"], false),
            (V::HTTP_11, &["ada@money.example"], false),
            (V::HTTP_11, &["money.example/path"], false),
            (V::HTTP_11, &["a, b"], false),
            (V::HTTP_10, &[], true),
            (V::HTTP_10, &["a", "a"], false),
            (V::HTTP_2, &[], true),
            (V::HTTP_2, &["a", "b"], false),
        ] {
            let expected = (!expected).then_some(BadHead::Host);
            assert_eq!(reason(version, HOST, hosts), expected, "{version:?} {hosts:?}");
        }
    }

    #[test]
    fn only_transfer_coding_is_chunked_once() {
        for (codings, expected) in [
            (&[][..], true),
            (&["chunked"], true),
            (&["Chunked "], true),
            (&["chunked, chunked"], false),
            (&["chunked", "chunked"], false),
            (&["gzip, chunked"], false),
            (&["chunked;q=1"], false),
            (&[""], false),
        ] {
            let expected = (!expected).then_some(BadHead::TransferEncoding);
            assert_eq!(reason(Version::HTTP_11, TRANSFER_ENCODING, codings), expected, "{codings:?}");
        }
    }
}
