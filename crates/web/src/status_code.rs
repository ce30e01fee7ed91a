//! The HTTP status of each error code of an operation.

use hyper::StatusCode;
use operations::Code;

/// Returns the HTTP status of an error code (RFC 9110 section 15).
pub const fn status_code(code: Code) -> StatusCode {
    match code {
        Code::InvalidRequest | Code::InvalidCursor => StatusCode::BAD_REQUEST,
        Code::Unauthorized => StatusCode::UNAUTHORIZED,
        Code::InsufficientScope | Code::Forbidden => StatusCode::FORBIDDEN,
        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::Timeout => StatusCode::GATEWAY_TIMEOUT,
    }
}
