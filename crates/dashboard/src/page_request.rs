//! Checks of the requests that the page sends, against requests that other sites cause (cross-site request forgery, RFC
//! 10017), and the reading of their small JSON bodies.

use hyper::body::Body;
use hyper::header::{CONTENT_TYPE, ORIGIN};
use hyper::http::request::Parts;
use hyper::{HeaderMap, StatusCode};
use passbook_web::HttpError;
use serde::de::DeserializeOwned;

/// Name of the header that the page adds to each of its requests. A page of another site cannot add it without the consent
/// of this server, because it is not a header of a simple request.
const PAGE_HEADER: &str = "x-passbook-page";
/// Value of [`PAGE_HEADER`].
const PAGE_VALUE: &str = "1";
/// Name of the header in which a browser states the relation between the sender of a request and this server.
const FETCH_SITE: &str = "sec-fetch-site";
/// Maximum size of the body of a request, in bytes.
const BODY_BYTES_MAX: usize = 8 * 1024;

/// Checks that the page has sent a request: it has the fixed header, and the browser does not state another sender.
///
/// # Errors
/// `FORBIDDEN`.
pub(crate) fn check(headers: &HeaderMap) -> Result<(), HttpError> {
    if headers.get(PAGE_HEADER).is_none_or(|value| value != PAGE_VALUE) {
        return Err(forbidden(
            "Only the page of this server may send this request: the header x-passbook-page is missing.",
        ));
    }
    check_fetch_site(headers)
}

/// Checks that a browser does not state a sender of another origin. Old browsers state none.
///
/// # Errors
/// `FORBIDDEN`.
fn check_fetch_site(headers: &HeaderMap) -> Result<(), HttpError> {
    let mut sites = headers.get_all(FETCH_SITE).iter();
    if sites.all(|site| site == "same-origin") {
        return Ok(());
    }
    Err(forbidden("Only the page of this server may send this request: Sec-Fetch-Site names another sender."))
}

/// Returns true if a person has started a navigation: by the address bar, or by a link of this site.
pub(crate) fn is_own_navigation(headers: &HeaderMap) -> bool {
    headers.get_all(FETCH_SITE).iter().all(|site| site == "same-origin" || site == "none")
}

/// Checks a request that changes the session: as [`check`], and its `Origin` header names `origin`. Browsers add the
/// header to every POST request.
///
/// # Errors
/// `FORBIDDEN`.
pub(crate) fn check_change(headers: &HeaderMap, origin: &str) -> Result<(), HttpError> {
    check(headers)?;
    let mut origins = headers.get_all(ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (Some(found), None) if found == origin => Ok(()),
        _ => Err(forbidden(
            "Only the page of this server may send this request: Origin must be the server's origin.",
        )),
    }
}

/// Reads a JSON body of at most [`BODY_BYTES_MAX`] bytes.
///
/// # Errors
/// `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE` or `INVALID_REQUEST`.
pub(crate) async fn json<T: DeserializeOwned, B>(
    head: &Parts,
    body: B,
    rule: &'static str,
) -> Result<T, HttpError>
where
    B: Body,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let media_type = head.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = media_type.split(';').next().unwrap_or_default().trim();
    if !media_type.eq_ignore_ascii_case("application/json") {
        let message = "The body must be JSON: Content-Type: application/json.";
        return Err(HttpError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "UNSUPPORTED_MEDIA_TYPE", message));
    }
    let body = passbook_web::read_body(body, BODY_BYTES_MAX).await?;
    serde_json::from_slice(&body).map_err(|_| invalid(rule))
}

/// 400: the request breaks a rule.
pub(crate) fn invalid(message: &'static str) -> HttpError {
    HttpError::new(StatusCode::BAD_REQUEST, "INVALID_REQUEST", message)
}

fn forbidden(message: &'static str) -> HttpError {
    HttpError::new(StatusCode::FORBIDDEN, "FORBIDDEN", message)
}

#[cfg(test)]
mod tests {
    use hyper::header::{HeaderName, HeaderValue};

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        let mut headers = HeaderMap::new();
        for (name, value) in pairs.iter().map(pair) {
            headers.append(name, value);
        }
        headers
    }

    #[test]
    fn data_request_needs_the_header_and_no_other_sender() {
        let page = ("x-passbook-page", "1");
        for (pairs, fine) in [
            (&[page][..], true),
            (&[page, ("sec-fetch-site", "same-origin")], true),
            (&[], false),
            (&[("x-passbook-page", "2")], false),
            (&[("sec-fetch-site", "same-origin")], false),
            (&[page, ("sec-fetch-site", "cross-site")], false),
            (&[page, ("sec-fetch-site", "same-site")], false),
            (&[page, ("sec-fetch-site", "none")], false),
            (&[page, ("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")], false),
        ] {
            assert_eq!(check(&headers(pairs)).is_ok(), fine, "{pairs:?}");
        }
    }

    #[test]
    fn change_needs_the_origin_of_the_server() {
        let origin = "http://127.0.0.1:1";
        let page = ("x-passbook-page", "1");
        for (pairs, fine) in [
            (&[page, ("origin", "http://127.0.0.1:1")][..], true),
            (&[page], false),
            (&[("origin", "http://127.0.0.1:1")], false),
            (&[page, ("origin", "http://127.0.0.1:2")], false),
            (&[page, ("origin", "null")], false),
            (&[page, ("origin", "http://127.0.0.1:1"), ("origin", "http://127.0.0.1:1")], false),
            (&[page, ("origin", "http://127.0.0.1:1"), ("sec-fetch-site", "cross-site")], false),
        ] {
            assert_eq!(check_change(&headers(pairs), origin).is_ok(), fine, "{pairs:?}");
        }
    }

    #[test]
    fn navigation_that_another_site_starts_is_detected() {
        for (site, own) in
            [("none", true), ("same-origin", true), ("cross-site", false), ("same-site", false)]
        {
            assert_eq!(is_own_navigation(&headers(&[("sec-fetch-site", site)])), own, "{site}");
        }
        assert!(is_own_navigation(&HeaderMap::new()));
    }
}
