//! Requests to the REST adapter in the same process.

use hyper::header::{ACCEPT, AUTHORIZATION, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::http::uri::PathAndQuery;
use hyper::{Method, Request, Uri};
use passbook_rest::ClientAddress;
use passbook_web::HttpError;

use crate::page_request;

/// Name of the header with the identifier of a request.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Returns a request to the REST adapter with the token of the session. Of the received headers only the identifier of the
/// request and the accepted types are passed on.
pub(crate) fn rest_request(
    method: Method,
    target: &str,
    token: &str,
    head: &Parts,
) -> Result<Request<()>, HttpError> {
    let unreadable = || page_request::invalid("The token or the address has characters that cannot be sent.");
    let mut request = Request::new(());
    *request.method_mut() = method;
    let target = target.parse::<PathAndQuery>().map_err(|_| unreadable())?;
    *request.uri_mut() = Uri::from(target);
    let bearer = HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| unreadable())?;
    request.headers_mut().insert(AUTHORIZATION, bearer);
    for name in [REQUEST_ID, ACCEPT] {
        if let Some(value) = head.headers.get(&name) {
            request.headers_mut().insert(name, value.clone());
        }
    }
    if let Some(client) = head.extensions.get::<ClientAddress>() {
        request.extensions_mut().insert(*client);
    }
    Ok(request)
}
