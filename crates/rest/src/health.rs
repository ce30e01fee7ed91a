//! Liveness and readiness.

use bytes::Bytes;
use domain::readiness::Check;
use http_body_util::Full;
use hyper::{Response, StatusCode};

use web::{RETRY_AFTER, reply};

/// What `/ready` answers.
#[derive(serde::Serialize, schemars::JsonSchema)]
#[schemars(rename = "Readiness")]
pub(crate) struct ReadinessReport {
    /// `ready` when every check is right, else `not_ready`.
    pub(crate) status: &'static str,
    /// The checks.
    pub(crate) checks: Vec<Check>,
}

pub(crate) fn health() -> Response<Full<Bytes>> {
    reply::private(&br#"{"status":"ok"}"#[..])
}

pub(crate) fn ready(checks: Vec<Check>) -> Response<Full<Bytes>> {
    let ready = checks.iter().all(|check| check.ok);
    let (status, word) =
        if ready { (StatusCode::OK, "ready") } else { (StatusCode::SERVICE_UNAVAILABLE, "not_ready") };
    let report = ReadinessReport { status: word, checks };
    let body = serde_json::to_vec(&report).expect("a report is plain data");
    let mut response = reply::json(status, "no-store", body.into());
    if !ready {
        response.headers_mut().insert(hyper::header::RETRY_AFTER, RETRY_AFTER);
    }
    response
}
