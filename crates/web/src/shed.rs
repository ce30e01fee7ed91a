//! The responses to requests that a server does not handle: it has too many in progress, or the request's head is wrong.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{HeaderMap, Response, StatusCode};
use passbook_operations::Code;

use crate::challenge::Challenges;
use crate::error_body::write_json;
use crate::http_error::HttpError;
use crate::request_id::RequestId;
use crate::response::add_standard_headers;

/// Creates the response to a request with these headers that is not handled: 429 if its client has as many requests in
/// progress as it may, otherwise 503 because the server has. Both have the header `Retry-After`.
pub fn shed_response(headers: &HeaderMap, is_of_client: bool) -> Response<Full<Bytes>> {
    respond(headers, HttpError::shed(is_of_client))
}

/// Creates the response to a request with these headers whose head is wrong: 400 with a sentence for the client.
pub fn bad_head_response(headers: &HeaderMap, message: &'static str) -> Response<Full<Bytes>> {
    respond(headers, HttpError::new(StatusCode::BAD_REQUEST, Code::InvalidRequest.as_str(), message))
}

fn respond(headers: &HeaderMap, error: HttpError) -> Response<Full<Bytes>> {
    let id = RequestId::from_headers(headers);
    let mut response = error.into_response(&id, &Challenges::default(), false, write_json);
    add_standard_headers(&mut response, &id);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shed_responses_have_retry_after() {
        for (is_of_client, status) in
            [(false, StatusCode::SERVICE_UNAVAILABLE), (true, StatusCode::TOO_MANY_REQUESTS)]
        {
            let response = shed_response(&HeaderMap::new(), is_of_client);
            assert_eq!(response.status(), status);
            assert_eq!(response.headers()["retry-after"], "1");
            assert!(response.headers().contains_key("x-request-id"));
        }
    }
}
