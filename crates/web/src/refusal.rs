//! Refusals: one table from what went wrong to status, code and sentence. A refusal is logged here, once.

use std::error::Error as StdError;

use auth::error_chain;
use bytes::Bytes;
use domain::scope::Scope;
use http_body_util::Full;
use hyper::header::{ALLOW, HeaderValue, RETRY_AFTER as RETRY_AFTER_HEADER, WWW_AUTHENTICATE};
use hyper::{Response, StatusCode};
use operations::Code;
use operations::form::Fault;

use crate::challenge::{Challenge, Challenges};
use crate::reply;
use crate::request_id::RequestId;

/// Seconds after which a request that could not be served may be sent again.
pub const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// The body of every error.
#[derive(Debug, serde::Serialize, schemars::JsonSchema)]
#[schemars(rename = "Error")]
pub struct ErrorBody {
    /// The error.
    pub error: ErrorObject,
}

/// What went wrong.
#[derive(Debug, serde::Serialize, schemars::JsonSchema)]
pub struct ErrorObject {
    /// A stable word. New values may appear: tolerate unknown ones.
    pub code: &'static str,
    /// A sentence for a person.
    pub message: String,
    /// More, by code: for `INVALID_REQUEST` and `INVALID_CURSOR` every fault as `{parameter, message, allowed?}`,
    /// for `INSUFFICIENT_SCOPE` `{required}`, for `RATE_LIMITED` `{retryAfterSeconds}`; otherwise null.
    pub details: Details,
    /// The request's identifier, also in the header `x-request-id`.
    #[serde(rename = "requestId")]
    pub request_id: String,
}

/// What more there is to say, by code.
#[derive(Debug, serde::Serialize, schemars::JsonSchema)]
#[schemars(inline)]
#[serde(untagged)]
pub enum Details {
    /// Every fault of the parameters.
    Faults(Vec<Fault>),
    /// The scopes that are missing.
    Scopes {
        /// Each of them is required.
        required: Vec<Scope>,
    },
    /// How long to wait.
    Wait {
        /// Seconds after which a request gets through, as in the header `Retry-After`.
        #[serde(rename = "retryAfterSeconds")]
        #[schemars(range(min = 1))]
        retry_after_seconds: u64,
    },
    /// Nothing: null.
    Nothing,
}

/// A request that gets no answer.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    code: &'static str,
    message: String,
    details: Details,
    hint: Hint,
    cause: Option<Box<dyn StdError + Send + Sync>>,
}

/// The header that tells a caller what to do.
#[derive(Debug)]
enum Hint {
    None,
    Allow(&'static str),
    RetryAfter,
    /// Seconds, at least 1.
    Wait(u64),
    Challenge(Challenge),
}

impl Refusal {
    /// A refusal without more than a sentence.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Refusal {
        let message = message.into();
        Refusal { status, code, message, details: Details::Nothing, hint: Hint::None, cause: None }
    }

    /// There is nothing at the path.
    pub fn not_found() -> Refusal {
        Refusal::new(
            StatusCode::NOT_FOUND,
            "NOT_FOUND",
            "There is nothing at this path: /openapi.json lists every path.",
        )
    }

    /// The path takes other methods: `allow` names them, as the header does (RFC 9110 section 10.2.1).
    pub fn method_not_allowed(allow: &'static str, message: &'static str) -> Refusal {
        Refusal {
            hint: Hint::Allow(allow),
            ..Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", message)
        }
    }

    /// The request target is too long.
    pub fn uri_too_long(bytes_max: usize) -> Refusal {
        let message = format!("The request target is longer than {bytes_max} bytes.");
        Refusal::new(StatusCode::URI_TOO_LONG, "URI_TOO_LONG", message)
    }

    /// The header fields are too many or too large.
    pub fn headers_too_large(fields_max: usize, bytes_max: usize) -> Refusal {
        let message =
            format!("The request has more than {fields_max} header fields or {bytes_max} bytes of them.");
        Refusal::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "HEADERS_TOO_LARGE", message)
    }

    /// The deadline has passed.
    pub fn timeout() -> Refusal {
        let message = "The answer took too long: ask about a shorter range, or try again.";
        Refusal::new(StatusCode::GATEWAY_TIMEOUT, Code::Timeout.as_str(), message)
    }

    /// Something in the request's parameters breaks a rule; the faults repeat no value.
    pub fn invalid(message: &'static str, faults: Vec<Fault>) -> Refusal {
        let refusal = Refusal::new(StatusCode::BAD_REQUEST, Code::InvalidRequest.as_str(), message);
        Refusal { details: Details::Faults(faults), ..refusal }
    }

    /// There were too many requests (RFC 6585 section 4): the next one gets through after `seconds`.
    pub(crate) fn rate_limited(seconds: u64) -> Refusal {
        let unit = if seconds == 1 { "second" } else { "seconds" };
        let message = format!("There were too many requests: try again in {seconds} {unit}.");
        Refusal {
            details: Details::Wait { retry_after_seconds: seconds },
            hint: Hint::Wait(seconds),
            ..Refusal::new(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", message)
        }
    }

    /// What is needed is not to be had now; the cause is for the log.
    pub fn unavailable(message: &'static str, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Refusal {
        let refusal = Refusal::new(StatusCode::SERVICE_UNAVAILABLE, Code::Unavailable.as_str(), message);
        Refusal { hint: Hint::RetryAfter, cause: Some(cause.into()), ..refusal }
    }

    /// A defect of ours; the cause is for the log.
    pub fn defect(cause: &'static str) -> Refusal {
        let message = "Something went wrong here; the request id identifies it in our log.";
        let refusal = Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, Code::Internal.as_str(), message);
        Refusal { cause: Some(cause.into()), ..refusal }
    }

    /// Tells the log why, where there is more to tell than the answer says. Once: whoever answers in another way
    /// than [`Refusal::into_response`] calls it instead.
    pub fn log(&self, id: &RequestId, route: &'static str) {
        if let Some(cause) = &self.cause {
            let chain = error_chain(cause.as_ref());
            if self.status.is_server_error() {
                tracing::error!(
                    route,
                    code = self.code,
                    request.id = id.as_str(),
                    cause = chain,
                    "not answered"
                );
            } else {
                tracing::debug!(route, code = self.code, request.id = id.as_str(), cause = chain, "refused");
            }
        }
    }

    /// The response, logged with its cause.
    pub fn into_response(
        self,
        id: &RequestId,
        route: &'static str,
        challenges: &Challenges,
    ) -> Response<Full<Bytes>> {
        self.log(id, route);
        let error = ErrorObject {
            code: self.code,
            message: self.message,
            details: self.details,
            request_id: id.as_str().to_owned(),
        };
        let body = serde_json::to_vec(&ErrorBody { error }).expect("an error is plain data");
        let mut response = reply::json(self.status, "no-store", body.into());
        let hint = match self.hint {
            Hint::None => None,
            Hint::Allow(methods) => Some((ALLOW, HeaderValue::from_static(methods))),
            Hint::RetryAfter => Some((RETRY_AFTER_HEADER, RETRY_AFTER)),
            Hint::Wait(seconds) => Some((RETRY_AFTER_HEADER, HeaderValue::from(seconds))),
            Hint::Challenge(challenge) => {
                let value = HeaderValue::try_from(challenges.header(challenge));
                Some((WWW_AUTHENTICATE, value.expect("the address is a URL")))
            }
        };
        if let Some((name, value)) = hint {
            response.headers_mut().insert(name, value);
        }
        reply::finished(response, id)
    }
}

impl std::fmt::Display for Refusal {
    /// The sentence for the caller.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<auth::Error> for Refusal {
    fn from(error: auth::Error) -> Refusal {
        let message = error.public();
        let challenge = match &error {
            auth::Error::Missing => Challenge::Missing,
            auth::Error::Malformed | auth::Error::Unknown | auth::Error::Invalid(_) => Challenge::Invalid,
            auth::Error::Expired => Challenge::Expired,
            auth::Error::Directory(_) | auth::Error::Provider(_) => {
                return Refusal::unavailable(message, error);
            }
        };
        Refusal {
            hint: Hint::Challenge(challenge),
            cause: Some(Box::new(error)),
            ..Refusal::new(StatusCode::UNAUTHORIZED, Code::Unauthorized.as_str(), message)
        }
    }
}

impl From<operations::Error> for Refusal {
    fn from(error: operations::Error) -> Refusal {
        use operations::Error;
        let mut refusal = Refusal::new(status(error.code()), error.code().as_str(), error.public());
        match &error {
            Error::Invalid(faults) | Error::InvalidCursor(faults) => {
                refusal.details = Details::Faults(faults.clone());
            }
            Error::Unauthorized { expired: true } => refusal.hint = Hint::Challenge(Challenge::Expired),
            Error::Unauthorized { expired: false } => refusal.hint = Hint::Challenge(Challenge::Invalid),
            Error::InsufficientScope(scope) => {
                refusal.details = Details::Scopes { required: vec![*scope] };
                refusal.hint = Hint::Challenge(Challenge::InsufficientScope(*scope));
            }
            Error::Unavailable(_) => refusal.hint = Hint::RetryAfter,
            Error::Forbidden | Error::Timeout(_) | Error::Internal(_) => {}
        }
        Refusal { cause: Some(Box::new(error)), ..refusal }
    }
}

/// The status of a kind of error.
fn status(code: Code) -> StatusCode {
    StatusCode::from_u16(code.http_status()).expect("it is a status")
}
