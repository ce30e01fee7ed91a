//! The JSON body of an error response.

use bytes::Bytes;
use domain::scope::Scope;
use http_body_util::Full;
use hyper::{Response, StatusCode};
use operations::ParameterFault;

use crate::response;

/// The body of every error.
#[derive(Debug, serde::Serialize, schemars::JsonSchema)]
#[schemars(rename = "Error")]
pub struct ErrorBody {
    /// The error.
    pub error: ErrorObject,
}

/// The error of a request.
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

/// The details of an error, by code.
#[derive(Debug, serde::Serialize, schemars::JsonSchema)]
#[schemars(inline)]
#[serde(untagged)]
pub enum Details {
    /// Every fault of the parameters.
    Faults(Vec<ParameterFault>),
    /// The scopes that are missing.
    Scopes {
        /// Each of them is required.
        required: Vec<Scope>,
    },
    /// The time to wait.
    Wait {
        /// Seconds after which a request gets through, as in the header `Retry-After`.
        #[serde(rename = "retryAfterSeconds")]
        #[schemars(range(min = 1))]
        retry_after_seconds: u64,
    },
    /// Nothing: null.
    Nothing,
}

/// Writes an error as JSON, the default [`ErrorWriter`](crate::ErrorWriter). The pipeline sets the status.
pub fn write_json(error: ErrorObject) -> Response<Full<Bytes>> {
    let body = serde_json::to_vec(&ErrorBody { error }).expect("an error body has only string keys");
    response::json(StatusCode::OK, "no-store", body.into())
}
