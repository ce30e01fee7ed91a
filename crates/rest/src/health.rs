//! The bodies of the `/health` and `/ready` responses.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};
use passbook_domain::readiness::Check;
use passbook_web::{RETRY_AFTER_SECONDS, response};
use serde::Serialize;

/// The body of `/health`.
#[derive(Serialize)]
struct Health {
    status: &'static str,
}

/// The body of `/ready`.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Readiness")]
pub(crate) struct ReadinessReport {
    /// `ready` when every check is right, else `not_ready`.
    pub(crate) status: &'static str,
    /// The checks.
    pub(crate) checks: Vec<Check>,
}

pub(crate) fn health() -> Response<Full<Bytes>> {
    json(StatusCode::OK, &Health { status: "ok" })
}

pub(crate) fn ready(checks: Vec<Check>) -> Response<Full<Bytes>> {
    if checks.iter().all(|check| check.ok) {
        return json(StatusCode::OK, &ReadinessReport { status: "ready", checks });
    }
    let report = ReadinessReport { status: "not_ready", checks };
    let mut response = json(StatusCode::SERVICE_UNAVAILABLE, &report);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(RETRY_AFTER_SECONDS));
    response
}

fn json(status: StatusCode, report: &impl Serialize) -> Response<Full<Bytes>> {
    let body = serde_json::to_vec(report).expect("a report has only string keys");
    response::json(status, "no-store", body.into())
}
