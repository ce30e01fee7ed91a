//! HTTP errors: the one table that assigns a status, code, message and header to each reason for which a request fails.

use std::error::Error as StdError;

use auth::error_chain;
use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{ALLOW, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::{Method, Response, StatusCode};
use operations::Code;
use operations::ParameterFault;

use crate::challenge::{Challenge, ChallengeConfig};
use crate::error_body::{Details, ErrorObject};
use crate::request_id::RequestId;
use crate::response::RETRY_AFTER_SECONDS;
use crate::status_code::status_code;

/// A request that ends in an error response. The pipeline writes the response and logs the cause.
#[derive(Debug)]
pub struct HttpError {
    status: StatusCode,
    code: &'static str,
    message: String,
    details: Details,
    header: ErrorHeader,
    cause: Option<Box<dyn StdError + Send + Sync>>,
}

/// A header that an error response needs in addition, which tells the client how to continue.
#[derive(Debug)]
enum ErrorHeader {
    None,
    /// The header `Allow`, with the methods that the route accepts.
    Allow(&'static [Method]),
    /// The header `Retry-After`, in seconds, at least 1.
    RetryAfter(u64),
    Challenge(Challenge),
}

impl HttpError {
    /// Creates an error with an HTTP status, a code and a message for the caller.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> HttpError {
        let message = message.into();
        HttpError { status, code, message, details: Details::Nothing, header: ErrorHeader::None, cause: None }
    }

    /// 404: no route has this path. `openapi_path` is the path of the document that lists every route, if there is one.
    pub fn not_found(openapi_path: Option<&str>) -> HttpError {
        let message = match openapi_path {
            Some(path) => format!("There is nothing at this path: {path} lists every path."),
            None => "There is nothing at this path.".to_owned(),
        };
        HttpError::new(StatusCode::NOT_FOUND, "NOT_FOUND", message)
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

    /// Returns true if the service caused the error, and not the request.
    pub(crate) fn is_server_error(&self) -> bool {
        self.status.is_server_error()
    }

    /// Returns the cause with its own causes in one line, for the log; `None` without a cause.
    pub(crate) fn cause(&self) -> Option<String> {
        self.cause.as_ref().map(|cause| error_chain(cause.as_ref()))
    }

    /// Creates the error response, without the standard headers that the pipeline adds to every response.
    pub(crate) fn into_response(
        self,
        id: &RequestId,
        challenges: &ChallengeConfig,
        write: fn(ErrorObject) -> Response<Full<Bytes>>,
    ) -> Response<Full<Bytes>> {
        let mut response = write(ErrorObject {
            code: self.code,
            message: self.message,
            details: self.details,
            request_id: id.as_str().to_owned(),
        });
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        match self.header {
            ErrorHeader::None => {}
            ErrorHeader::Allow(methods) => {
                let methods: Vec<&str> = methods.iter().map(Method::as_str).collect();
                let methods = HeaderValue::try_from(methods.join(", "));
                headers.insert(ALLOW, methods.expect("methods are ASCII"));
            }
            ErrorHeader::RetryAfter(seconds) => {
                headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
            }
            ErrorHeader::Challenge(challenge) => {
                let challenge = HeaderValue::try_from(challenges.header(challenge));
                headers.insert(WWW_AUTHENTICATE, challenge.expect("a challenge is ASCII"));
            }
        }
        response
    }
}

impl std::fmt::Display for HttpError {
    /// Writes the message for the caller.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<auth::Error> for HttpError {
    fn from(error: auth::Error) -> HttpError {
        let message = error.public();
        let challenge = match &error {
            auth::Error::Missing => Challenge::Missing,
            auth::Error::Malformed | auth::Error::Unknown | auth::Error::Invalid(_) => Challenge::Invalid,
            auth::Error::Expired => Challenge::Expired,
            auth::Error::Directory(_) | auth::Error::Provider(_) => {
                return HttpError::unavailable(message, error);
            }
        };
        HttpError {
            header: ErrorHeader::Challenge(challenge),
            cause: Some(Box::new(error)),
            ..HttpError::new(status_code(Code::Unauthorized), Code::Unauthorized.as_str(), message)
        }
    }
}

impl From<operations::Error> for HttpError {
    fn from(error: operations::Error) -> HttpError {
        use operations::Error;
        let code = error.code();
        let mut http_error = HttpError::new(status_code(code), code.as_str(), error.public());
        match &error {
            Error::Invalid(faults) | Error::InvalidCursor(faults) => {
                http_error.details = Details::Faults(faults.clone());
            }
            Error::Unauthorized { expired: true } => {
                http_error.header = ErrorHeader::Challenge(Challenge::Expired);
            }
            Error::Unauthorized { expired: false } => {
                http_error.header = ErrorHeader::Challenge(Challenge::Invalid);
            }
            Error::InsufficientScope(scope) => {
                http_error.details = Details::Scopes { required: vec![*scope] };
                http_error.header = ErrorHeader::Challenge(Challenge::InsufficientScope(*scope));
            }
            Error::Unavailable(_) => http_error.header = ErrorHeader::RetryAfter(RETRY_AFTER_SECONDS),
            Error::Forbidden | Error::Timeout(_) | Error::Internal(_) => {}
        }
        HttpError { cause: Some(Box::new(error)), ..http_error }
    }
}
