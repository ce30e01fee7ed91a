//! The check of the `Host` header (RFC 9112 section 3.2). Two readers of one request, such as a proxy and this server, must
//! not see different hosts.

use hyper::header::HOST;
use hyper::http::uri::Authority;
use hyper::{Request, Version};

/// Returns true if the request has exactly one valid `Host` header. HTTP/1.0 and HTTP/2 requests may have none: HTTP/2 has
/// the pseudo-header `:authority`.
pub(crate) fn is_valid<B>(request: &Request<B>) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

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
            let mut request = Request::builder().version(version);
            for host in hosts {
                request = request.header(HOST, *host);
            }
            let request = request.body(()).expect("a request");
            assert_eq!(is_valid(&request), expected, "{version:?} {hosts:?}");
        }
    }
}
