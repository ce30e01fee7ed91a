//! Responses: the page, redirects, and changes of the session.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, SET_COOKIE, VARY};
use hyper::{Response, StatusCode};
use passbook_web::response;

/// Headers of the page in addition to the standard headers. The policy allows only content of the server's own origin, and no
/// script may turn text into markup (Trusted Types).
const PAGE_HEADERS: [(&str, &str); 2] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
         trusted-types 'none'",
    ),
    ("cross-origin-opener-policy", "same-origin"),
];

/// Returns the page, which no cache stores.
pub(crate) fn page(page: &Bytes) -> Response<Full<Bytes>> {
    let mut response = response::json(StatusCode::OK, "no-store", page.clone());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(VARY, HeaderValue::from_static("accept"));
    for (name, value) in PAGE_HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// Redirects a browser with GET, and stores cookies.
pub(crate) fn redirect(location: &str, stored: Vec<HeaderValue>) -> Response<Full<Bytes>> {
    let mut response = empty(StatusCode::SEE_OTHER);
    let headers = response.headers_mut();
    headers.insert(LOCATION, HeaderValue::try_from(location).expect("an address is visible ASCII"));
    for cookie in stored {
        headers.append(SET_COOKIE, cookie);
    }
    response
}

/// Returns the response to a change of the session: a cookie, and no body.
pub(crate) fn no_content(cookie: HeaderValue) -> Response<Full<Bytes>> {
    let mut response = empty(StatusCode::NO_CONTENT);
    response.headers_mut().insert(SET_COOKIE, cookie);
    response
}

fn empty(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = response::private(Bytes::new());
    *response.status_mut() = status;
    response.headers_mut().remove(CONTENT_TYPE);
    response
}
