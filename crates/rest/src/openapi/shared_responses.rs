//! The error responses that many routes share, each with an example.

use passbook_operations::Code;
use passbook_web::ErrorBody;
use passbook_web::openapi::{success, with_rate_limits};
use schemars::generate::SchemaGenerator;
use serde_json::{Value, json};

/// Returns the shared error responses by name. [`passbook_web::openapi::refer`] adds references to them.
pub(super) fn components(generator: &mut SchemaGenerator) -> Value {
    let body = json!(generator.subschema_for::<ErrorBody>());
    let error = |description: &str, code: &str, message: &str, details: Value| {
        let mut response = success(description, &body);
        response["content"]["application/json"]["example"] = json!({ "error": {
            "code": code, "message": message, "details": details,
            "requestId": "01936a5e-7c1b-7b6e-9a0e-3f6d5d1c2b4a"
        } });
        response
    };
    let challenged = |mut response: Value| {
        response["headers"]["WWW-Authenticate"] =
            json!({ "description": "The challenge (RFC 6750, RFC 9728).", "schema": { "type": "string" } });
        response
    };
    let fault = json!([{
        "parameter": "timeRange", "message": "must be one of the allowed values; received \"2w\"",
        "allowed": ["1m", "3m", "6m", "1y", "all"]
    }]);
    let mut unavailable = error(
        "The database or the identity provider cannot be reached.",
        Code::Unavailable.as_str(),
        "The service cannot reach its data right now: try again shortly.",
        Value::Null,
    );
    unavailable["headers"]["Retry-After"] = json!({ "description": "Seconds to wait before the next attempt.", "schema": { "type": "integer", "minimum": 0 } });
    let mut rate_limited = with_rate_limits(error(
        "The user or the client has sent too many requests.",
        "RATE_LIMITED",
        "There were too many requests: try again in 2 seconds.",
        json!({ "retryAfterSeconds": 2 }),
    ));
    rate_limited["headers"]["Retry-After"] = json!({ "description": "Seconds until the next request is accepted.", "schema": { "type": "integer", "minimum": 1 } });
    let mut not_allowed = error(
        "The method is neither GET nor HEAD.",
        "METHOD_NOT_ALLOWED",
        "Only GET and HEAD are accepted here: every operation is a read.",
        Value::Null,
    );
    not_allowed["headers"]["Allow"] =
        json!({ "description": "The accepted methods.", "schema": { "type": "string" } });
    json!({
        "InvalidRequest": error(
            "A parameter is invalid. The code is INVALID_REQUEST, or INVALID_CURSOR if only the cursor is invalid. The details list every fault.",
            Code::InvalidRequest.as_str(),
            "timeRange must be one of the allowed values; received \"2w\"",
            fault,
        ),
        "Unauthorized": challenged(error(
            "The bearer token is missing, expired, revoked or invalid.",
            Code::Unauthorized.as_str(),
            "The access token is missing or invalid.",
            Value::Null,
        )),
        "Forbidden": challenged(error(
            "The grant does not contain the scope (INSUFFICIENT_SCOPE), or does not allow this person or surface (FORBIDDEN).",
            Code::InsufficientScope.as_str(),
            "The access token lacks the scope spending:read: enable it where the token or client was created.",
            json!({ "required": ["spending:read"] }),
        )),
        "MethodNotAllowed": not_allowed,
        "NotFound": error(
            "The route requires an identity provider, but none is configured.",
            "NOT_FOUND",
            "No identity provider is configured here: only personal access tokens work.",
            Value::Null,
        ),
        "RateLimited": rate_limited,
        "UriTooLong": error("The request target is too long.", "URI_TOO_LONG", "The request target is longer than 8192 bytes.", Value::Null),
        "HeadersTooLarge": error(
            "The request has too many header fields, or the header fields are too large.",
            "HEADERS_TOO_LARGE",
            "The request has more than 64 header fields or 32768 bytes of them.",
            Value::Null,
        ),
        "Internal": error(
            "The service has a defect. The request id identifies the failure in the log.",
            Code::Internal.as_str(),
            "Something went wrong here; the request id identifies it in our log.",
            Value::Null,
        ),
        "Unavailable": unavailable,
        "Timeout": error(
            "The deadline of the request has passed.",
            Code::Timeout.as_str(),
            "The answer took too long: ask about a shorter range, or try again.",
            Value::Null,
        ),
    })
}
