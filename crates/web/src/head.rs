//! The size of a request's head. Our limits lie below hyper's own, so that a person gets a sentence.

use hyper::http::request::Parts;

use crate::refusal::Refusal;

/// Bytes of a request target at most.
const URI_BYTES_MAX: usize = 8 * 1024;
/// Header fields at most.
const FIELDS_MAX: usize = 64;
/// Bytes of all header fields at most.
const HEAD_BYTES_MAX: usize = 32 * 1024;

/// Refuses a head that is too large.
///
/// # Errors
/// `URI_TOO_LONG` or `HEADERS_TOO_LARGE`.
pub fn check(head: &Parts) -> Result<(), Refusal> {
    let target = head.uri.path_and_query().map_or(0, |target| target.as_str().len());
    if target > URI_BYTES_MAX {
        return Err(Refusal::uri_too_long(URI_BYTES_MAX));
    }
    let bytes: usize = head.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if head.headers.len() > FIELDS_MAX || bytes > HEAD_BYTES_MAX {
        return Err(Refusal::headers_too_large(FIELDS_MAX, HEAD_BYTES_MAX));
    }
    Ok(())
}
