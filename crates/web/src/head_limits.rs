//! Size limits for the head of a request (request target and header fields). They are below hyper's own limits, so that
//! a client gets an error response with a body.

use hyper::http::request::Parts;

use crate::http_error::HttpError;

/// Maximum length of a request target, in bytes.
const URI_BYTES_MAX: usize = 8 * 1024;
/// Maximum number of header fields.
const FIELDS_MAX: usize = 64;
/// Maximum size of all header fields together, in bytes.
const HEAD_BYTES_MAX: usize = 32 * 1024;
/// Number of bytes of a header field besides its name and value: colon, space and line end.
const FIELD_SEPARATOR_BYTES: usize = 4;

/// Checks the size of a request's head.
///
/// # Errors
/// `URI_TOO_LONG` or `HEADERS_TOO_LARGE`.
pub(crate) fn check(head: &Parts) -> Result<(), HttpError> {
    let target = head.uri.path_and_query().map_or(0, |target| target.as_str().len());
    if target > URI_BYTES_MAX {
        return Err(HttpError::uri_too_long(URI_BYTES_MAX));
    }
    let field_bytes = |name: usize, value: usize| name + value + FIELD_SEPARATOR_BYTES;
    let bytes: usize =
        head.headers.iter().map(|(name, value)| field_bytes(name.as_str().len(), value.len())).sum();
    if head.headers.len() > FIELDS_MAX || bytes > HEAD_BYTES_MAX {
        return Err(HttpError::headers_too_large(FIELDS_MAX, HEAD_BYTES_MAX));
    }
    Ok(())
}
