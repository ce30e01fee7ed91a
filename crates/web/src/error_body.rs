//! The JSON body of an error response.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Response, StatusCode};
use passbook_domain::scope::Scope;
use passbook_operations::ParameterFault;

use crate::response;

/// The body of every error.
#[derive(Debug, serde::Serialize, schemars::JsonSchema)]
#[schemars(rename = "ErrorResponse")]
pub struct ErrorBody {
    /// The error.
    pub error: ErrorObject,
}

/// The error of a request.
#[derive(Clone, Debug, serde::Serialize, schemars::JsonSchema)]
pub struct ErrorObject {
    /// A stable error code. New codes may be added, so clients must tolerate unknown ones.
    pub code: &'static str,
    /// A sentence for a person.
    pub message: String,
    /// Details by code. `INVALID_REQUEST` and `INVALID_CURSOR`: every fault as `{parameter, message, allowed?}`.
    /// `INSUFFICIENT_SCOPE`: `{required}`. `RATE_LIMITED`: `{retryAfterSeconds}`. Any other code: null.
    pub details: Details,
    /// The identifier of the request, also in the header `x-request-id`.
    #[serde(rename = "requestId")]
    pub request_id: String,
}

/// The details of an error, by code.
#[derive(Clone, Debug, serde::Serialize, schemars::JsonSchema)]
#[schemars(inline)]
#[serde(untagged)]
pub enum Details {
    /// Every fault of the parameters.
    Faults(Vec<ParameterFault>),
    /// The scopes that are missing.
    Scopes {
        /// The required scopes.
        required: Vec<Scope>,
    },
    /// The time to wait.
    Wait {
        /// Seconds until the next request is accepted, as in the header `Retry-After`.
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
