//! HTTP errors: the one table that assigns a status, code, message and header to each reason for which a request fails.

use std::error::Error as StdError;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{ALLOW, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::{Method, Response, StatusCode};
use passbook_auth::error_chain;
use passbook_operations::Code;
use passbook_operations::ParameterFault;

use crate::challenge::{Challenge, Challenges};
use crate::error_body::{Details, ErrorObject};
use crate::request_id::RequestId;
use crate::response::RETRY_AFTER_SECONDS;

/// A request that ends in an error response. The pipeline writes the response and logs the cause.
#[derive(Debug)]
pub struct HttpError {
    status: StatusCode,
    code: &'static str,
    message: String,
    details: Details,
    header: ErrorHeader,
    cause: Option<Box<dyn StdError + Send + Sync>>,
    /// True for a failure that is logged once for an outage, and not for each request.
    is_outage: bool,
}

/// A header that an error response needs in addition, which tells the client how to continue.
#[derive(Debug)]
enum ErrorHeader {
    None,
    /// The header `Allow`, with the methods that the route accepts.
    Allow(&'static [Method]),
    /// The header `Retry-After`, in seconds, at least 1.
    RetryAfter(u64),
    /// The header `WWW-Authenticate`. Boxed, because it is larger than the rest of the error.
    Challenge(Box<Challenge>),
}

impl HttpError {
    /// Creates an error with an HTTP status, a code and a message for the caller.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> HttpError {
        let message = message.into();
        HttpError {
            status,
            code,
            message,
            details: Details::Nothing,
            header: ErrorHeader::None,
            cause: None,
            is_outage: false,
        }
    }

    /// 404: no route has this path. `openapi_path` is the path of the document that lists every route, if there is one.
    pub fn not_found(openapi_path: Option<&str>) -> HttpError {
        let message = match openapi_path {
            Some(path) => format!("There is nothing at this path: {path} lists every path."),
            None => "There is nothing at this path.".to_owned(),
        };
        HttpError::new(StatusCode::NOT_FOUND, "NOT_FOUND", message)
    }

    /// 401: the caller's own way to sign in failed. The challenge asks for a token (RFC 9110 section 15.5.2).
    pub fn unauthorized(message: &'static str) -> HttpError {
        let code = Code::Unauthorized;
        let header = ErrorHeader::Challenge(Box::new(Challenge::Missing));
        HttpError { header, ..HttpError::new(status_code(code), code.as_str(), message) }
    }

    /// 405: the route accepts only the methods of `allow` (RFC 9110 section 10.2.1).
    pub(crate) fn method_not_allowed(allow: &'static [Method], message: &'static str) -> HttpError {
        HttpError {
            header: ErrorHeader::Allow(allow),
            ..HttpError::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", message)
        }
    }

    /// 414: the request target is longer than `bytes_max`.
    pub(crate) fn uri_too_long(bytes_max: usize) -> HttpError {
        let message = format!("The request target is longer than {bytes_max} bytes.");
        HttpError::new(StatusCode::URI_TOO_LONG, "URI_TOO_LONG", message)
    }

    /// 431: there are more than `fields_max` header fields, or they are larger than `bytes_max`.
    pub(crate) fn headers_too_large(fields_max: usize, bytes_max: usize) -> HttpError {
        let message =
            format!("The request has more than {fields_max} header fields or {bytes_max} bytes of them.");
        HttpError::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "HEADERS_TOO_LARGE", message)
    }

    /// 504: the request's deadline has passed.
    pub fn timeout() -> HttpError {
        let message = "The answer took too long: ask about a shorter range, or try again.";
        let cause = Some("the deadline of the request has passed".into());
        HttpError { cause, ..HttpError::new(status_code(Code::Timeout), Code::Timeout.as_str(), message) }
    }

    /// 400: request parameters break rules. `faults` must not repeat values that the caller sent.
    pub fn invalid(message: &'static str, faults: Vec<ParameterFault>) -> HttpError {
        let code = Code::InvalidRequest;
        let error = HttpError::new(status_code(code), code.as_str(), message);
        HttpError { details: Details::Faults(faults), ..error }
    }

    /// 429: too many requests (RFC 6585 section 4). The next request is accepted after `seconds`.
    pub(crate) fn rate_limited(seconds: u64) -> HttpError {
        let unit = if seconds == 1 { "second" } else { "seconds" };
        let message = format!("There were too many requests: try again in {seconds} {unit}.");
        HttpError {
            details: Details::Wait { retry_after_seconds: seconds },
            header: ErrorHeader::RetryAfter(seconds),
            ..HttpError::new(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", message)
        }
    }

    /// 503: the server handles as many requests as it may, or 429: the client has as many in progress as it may. Both
    /// without a cause, because a shed request is not logged alone.
    pub(crate) fn shed(is_of_client: bool) -> HttpError {
        if is_of_client {
            return HttpError::rate_limited(RETRY_AFTER_SECONDS);
        }
        let code = Code::Unavailable;
        let message = "The server has too many requests in progress: try again in a second.";
        HttpError {
            header: ErrorHeader::RetryAfter(RETRY_AFTER_SECONDS),
            ..HttpError::new(status_code(code), code.as_str(), message)
        }
    }

    /// 503: the database or the identity provider cannot be reached now. `cause` is written to the log only.
    pub fn unavailable(
        message: &'static str,
        cause: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> HttpError {
        let code = Code::Unavailable;
        HttpError {
            header: ErrorHeader::RetryAfter(RETRY_AFTER_SECONDS),
            cause: Some(cause.into()),
            ..HttpError::new(status_code(code), code.as_str(), message)
        }
    }

    /// 503: an outage of the database or the identity provider, whose start and end are logged where it is found. The
    /// request may succeed after `retry_after_seconds`, at least 1. `cause` is written to the log at level `debug`.
    pub fn outage(
        message: &'static str,
        cause: impl Into<Box<dyn StdError + Send + Sync>>,
        retry_after_seconds: u64,
    ) -> HttpError {
        HttpError {
            header: ErrorHeader::RetryAfter(retry_after_seconds),
            is_outage: true,
            ..HttpError::unavailable(message, cause)
        }
    }

    /// 500: a defect of the service. `cause` is written to the log only.
    pub fn internal(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> HttpError {
        let code = Code::Internal;
        let message = "Something went wrong here; the request id identifies it in our log.";
        HttpError { cause: Some(cause.into()), ..HttpError::new(status_code(code), code.as_str(), message) }
    }

    /// Returns the stable error code, such as `UNAUTHORIZED`.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the HTTP status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the message for the caller.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the details of the error body.
    pub fn details(&self) -> &Details {
        &self.details
    }

    /// Returns every fault of the request parameters; none if the error is another one.
    pub fn faults(&self) -> &[ParameterFault] {
        match &self.details {
            Details::Faults(faults) => faults,
            _ => &[],
        }
    }

    /// Returns the number of seconds after which the request may succeed, at least 1; `None` if waiting does not help.
    pub fn retry_after_seconds(&self) -> Option<u64> {
        match self.header {
            ErrorHeader::RetryAfter(seconds) => Some(seconds),
            _ => None,
        }
    }

    /// Returns the reason for a challenge: of every 401 response, and of a 403 response for a missing scope.
    pub fn challenge(&self) -> Option<&Challenge> {
        match &self.header {
            ErrorHeader::Challenge(challenge) => Some(challenge),
            _ => None,
        }
    }

    /// Returns true if the service has failed and the log line of the request must say why. The cause of an outage is
    /// logged once, not for each request.
    pub(crate) fn is_logged_failure(&self) -> bool {
        self.status.is_server_error() && !self.is_outage
    }

    /// Returns the cause with its own causes in one line, for the log; `None` without a cause.
    pub(crate) fn cause(&self) -> Option<String> {
        self.cause.as_ref().map(|cause| error_chain(cause.as_ref()))
    }

    /// Creates the error response, without the standard headers that the pipeline adds to every response. The response's
    /// extensions contain the error as `Arc<HttpError>`.
    ///
    /// `is_host_caller` is true if the host has authenticated the caller.
    pub(crate) fn into_response(
        mut self,
        id: &RequestId,
        challenges: &Challenges,
        is_host_caller: bool,
        write: fn(ErrorObject) -> Response<Full<Bytes>>,
    ) -> Response<Full<Bytes>> {
        let sign_in =
            self.challenge().and_then(|challenge| challenges.host_sign_in(challenge, is_host_caller));
        if let Some(sign_in) = sign_in {
            self.message = sign_in.message.clone();
        }
        if let (true, Some(Challenge::InsufficientScope(missing))) = (is_host_caller, self.challenge()) {
            self.message = format!("This sign-in lacks the scope {}.", missing.required);
        }
        let mut response = write(ErrorObject {
            code: self.code,
            message: self.message.clone(),
            details: self.details.clone(),
            request_id: id.as_str().to_owned(),
        });
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        match &self.header {
            ErrorHeader::None => {}
            ErrorHeader::Allow(methods) => {
                let methods: Vec<&str> = methods.iter().map(Method::as_str).collect();
                let methods = HeaderValue::try_from(methods.join(", "));
                headers.insert(ALLOW, methods.expect("methods are ASCII"));
            }
            ErrorHeader::RetryAfter(seconds) => {
                headers.insert(RETRY_AFTER, HeaderValue::from(*seconds));
            }
            ErrorHeader::Challenge(challenge) => {
                let challenge = sign_in.map_or_else(
                    || HeaderValue::try_from(challenges.header(challenge)).expect("a challenge is ASCII"),
                    |sign_in| sign_in.challenge.clone(),
                );
                headers.insert(WWW_AUTHENTICATE, challenge);
            }
        }
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

impl std::fmt::Display for HttpError {
    /// Writes the message for the caller.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<passbook_auth::Error> for HttpError {
    fn from(error: passbook_auth::Error) -> HttpError {
        let message = error.public();
        let challenge = match &error {
            passbook_auth::Error::Missing => Challenge::Missing,
            passbook_auth::Error::Expired => Challenge::Expired,
            passbook_auth::Error::TooManyUnseen { retry_after_seconds } => {
                return HttpError::rate_limited(*retry_after_seconds);
            }
            passbook_auth::Error::Directory(_) => {
                return HttpError::outage(message, error, RETRY_AFTER_SECONDS);
            }
            passbook_auth::Error::Provider { retry_after_seconds, .. } => {
                let seconds = *retry_after_seconds;
                return HttpError::outage(message, error, seconds);
            }
            // Unusable tokens, and the kinds of a later version.
            _ => Challenge::Invalid,
        };
        HttpError {
            header: ErrorHeader::Challenge(Box::new(challenge)),
            cause: Some(Box::new(error)),
            ..HttpError::new(status_code(Code::Unauthorized), Code::Unauthorized.as_str(), message)
        }
    }
}

impl From<passbook_operations::Error> for HttpError {
    fn from(error: passbook_operations::Error) -> HttpError {
        use passbook_operations::Error;
        let code = error.code();
        let mut http_error = HttpError::new(status_code(code), code.as_str(), error.public());
        match &error {
            Error::Invalid(faults) | Error::InvalidCursor(faults) => {
                http_error.details = Details::Faults(faults.clone());
            }
            Error::Unauthorized { expired: true } => {
                http_error.header = ErrorHeader::Challenge(Box::new(Challenge::Expired));
            }
            Error::Unauthorized { expired: false } => {
                http_error.header = ErrorHeader::Challenge(Box::new(Challenge::Invalid));
            }
            Error::InsufficientScope(missing) => {
                http_error.details = Details::Scopes { required: vec![missing.required] };
                http_error.header =
                    ErrorHeader::Challenge(Box::new(Challenge::InsufficientScope(missing.clone())));
            }
            Error::Unavailable(_) => {
                http_error.header = ErrorHeader::RetryAfter(RETRY_AFTER_SECONDS);
                http_error.is_outage = true;
            }
            // The other kinds have no header and no details.
            _ => {}
        }
        HttpError { cause: Some(Box::new(error)), ..http_error }
    }
}

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
