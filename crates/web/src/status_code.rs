//! The HTTP status of each error code of an operation.

use hyper::StatusCode;
use passbook_operations::Code;

/// Returns the HTTP status of an error code (RFC 9110 section 15).
pub const fn status_code(code: Code) -> StatusCode {
    match code {
        Code::InvalidRequest | Code::InvalidCursor => StatusCode::BAD_REQUEST,
        Code::Unauthorized => StatusCode::UNAUTHORIZED,
        Code::InsufficientScope | Code::Forbidden => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::Timeout => StatusCode::GATEWAY_TIMEOUT,
        // Defects. A code of a later version is one too, until it has a status here.
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_code_of_a_defect_has_status_500() {
        for code in Code::ALL {
            let is_defect = status_code(*code) == StatusCode::INTERNAL_SERVER_ERROR;
            assert_eq!(is_defect, *code == Code::Internal, "{code:?} needs a status");
        }
    }
}
