//! A request that is being handled: its identifier and deadline, the values for its log line, and the end of the request for
//! a host that counts and measures requests.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::http::request::Parts;
use hyper::{Method, StatusCode};
use passbook_auth::Fingerprint;
use tokio::time::Instant;
use tracing::{Span, field};

use crate::guard::{self, Aborted};
use crate::http_error::HttpError;
use crate::rate_limit::RateLimitStatus;
use crate::request_id::{RequestId, TraceContext};

/// A request that is being handled. Only the pipeline creates one.
#[derive(Clone, Debug)]
pub struct RequestRecord {
    request_id: RequestId,
    /// The HTTP method, as it is logged.
    method: &'static str,
    template: &'static str,
    deadline: Instant,
    /// The span of the request. Every log line of its handling is inside the span.
    span: Span,
    trace: Option<TraceContext>,
    values: Arc<Mutex<Values>>,
}

/// Values for the log line that become known while the request is handled.
#[derive(Debug, Default)]
struct Values {
    rate_limit: RateLimitStatus,
    /// The surface of a host's own adapter; `None` for the surfaces of Passbook, which the route shows.
    surface: Option<&'static str>,
    call: Option<&'static str>,
    tool: Option<&'static str>,
    failure: Option<Failure>,
    token: Option<Fingerprint>,
    exceeded_limit: Option<&'static str>,
}

/// The error code and the cause of a failure of the service.
#[derive(Debug)]
struct Failure {
    code: &'static str,
    cause: String,
}

impl RequestRecord {
    /// Starts the handling of a request: reads its identifier and its trace context, and creates its span.
    pub(crate) fn new(head: &Parts, template: &'static str, deadline: Instant) -> RequestRecord {
        let request_id = RequestId::from_headers(&head.headers);
        let trace = TraceContext::from_headers(&head.headers);
        let method = method_name(&head.method);
        let span = tracing::info_span!(
            "request",
            request.id = request_id.as_str(),
            %method,
            route = template,
            trace.id = trace.as_ref().map(|trace| trace.trace_id.as_str()),
            trace.parent_id = trace.as_ref().map(|trace| trace.parent_id.as_str()),
            trace.sampled = trace.as_ref().map(|trace| trace.is_sampled),
            token = field::Empty,
            status = field::Empty,
        );
        RequestRecord { request_id, method, template, deadline, span, trace, values: Arc::default() }
    }

    /// Returns the span of the request.
    pub(crate) fn span(&self) -> &Span {
        &self.span
    }

    /// Returns the identifier of the request.
    pub fn request_id(&self) -> &RequestId {
        &self.request_id
    }

    /// Runs a part of the request under the request's deadline and panic guard, for adapters that report a timeout or a
    /// panic of this part in their own format. The pipeline guards the rest of the request and writes the error
    /// response there.
    ///
    /// # Errors
    /// The part has panicked, or the deadline has passed.
    pub async fn guard<T>(&self, part: impl Future<Output = T>) -> Result<T, Aborted> {
        guard::part_with_timeout(self.deadline, guard::catch_panic(part)).await?
    }

    /// Sets the method name of a call inside the request, such as a JSON-RPC method, for the log line. It must be a
    /// constant of the adapter, not text that the caller sent.
    pub fn set_call(&self, call: &'static str) {
        self.values().call = Some(call);
    }

    /// Sets the name of the called tool for the log line.
    pub fn set_tool(&self, tool: &'static str) {
        self.values().tool = Some(tool);
    }

    /// Records an error that the response does not show as an HTTP status. A failure of the service becomes part of the
    /// log line; an error of the caller, or the cause of an outage, is logged at level `debug`.
    pub fn record_error(&self, error: &HttpError) {
        let Some(cause) = error.cause() else { return };
        let code = error.code();
        if error.is_logged_failure() {
            self.values().failure = Some(Failure { code, cause });
        } else {
            let (route, id) = (self.template, self.request_id.as_str());
            tracing::debug!(route, code, request.id = id, cause, "rejected");
        }
    }

    pub(crate) fn set_surface(&self, surface: &'static str) {
        self.values().surface = Some(surface);
    }

    /// Sets the fingerprint of the verified token, for the log line and the span.
    pub(crate) fn set_token(&self, token: Fingerprint) {
        self.span.record("token", field::display(token));
        self.values().token = Some(token);
    }

    /// Sets the name of the rate limit that rejects the request, for observers.
    pub(crate) fn set_exceeded_limit(&self, limit: Option<&'static str>) {
        self.values().exceeded_limit = limit;
    }

    pub(crate) fn set_rate_limit(&self, status: RateLimitStatus) {
        self.values().rate_limit = status;
    }

    pub(crate) fn take_rate_limit(&self) -> RateLimitStatus {
        std::mem::take(&mut self.values().rate_limit)
    }

    /// Writes the log line of the request: at level `error` with the cause if the service failed, else at `info`.
    pub(crate) fn log(&self, status: StatusCode, duration: Duration) {
        let values = self.values();
        let method = self.method;
        let (route, call, tool, status) = (self.template, values.call, values.tool, status.as_u16());
        let surface = values.surface;
        let id = self.request_id.as_str();
        let token = values.token.map(field::display);
        let trace_id = self.trace.as_ref().map(|trace| trace.trace_id.as_str());
        let duration_ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        match &values.failure {
            None => {
                tracing::info!(
                    %method, route, surface, call, tool, status, request.id = id, trace.id = trace_id, token, duration_ms, "answered"
                );
            }
            Some(Failure { code, cause }) => tracing::error!(
                %method, route, surface, call, tool, status, request.id = id, trace.id = trace_id, token, duration_ms, code, cause,
                "failed"
            ),
        }
    }

    /// Reports the end of the request to an observer.
    pub(crate) fn observe(&self, observer: &dyn RequestObserver, status: StatusCode, duration: Duration) {
        let (call, tool, failure, exceeded_limit) = {
            let values = self.values();
            (
                values.call,
                values.tool,
                values.failure.as_ref().map(|failure| failure.code),
                values.exceeded_limit,
            )
        };
        observer.answered(&AnsweredRequest {
            method: self.method,
            route: self.template,
            call,
            tool,
            status,
            failure,
            exceeded_limit,
            duration,
        });
    }

    fn values(&self) -> MutexGuard<'_, Values> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the name of a method of RFC 9110 section 9 or RFC 5789, and `other` for any other method. A caller may send up
/// to 64 KiB of text as the method, such as a token, and the text must not get into a log.
fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::OPTIONS => "OPTIONS",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::CONNECT => "CONNECT",
        Method::TRACE => "TRACE",
        _ => "other",
    }
}

/// A request that a pipeline has answered. Every field but the duration has a bounded set of values, so that it may become
/// the label of a metric.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AnsweredRequest {
    /// The HTTP method; `other` for a method that neither RFC 9110 section 9 nor RFC 5789 defines.
    pub method: &'static str,
    /// The route template, such as `/v1/me`; `unknown` for a path without a route.
    pub route: &'static str,
    /// The name of a call inside the request, such as a JSON-RPC method.
    pub call: Option<&'static str>,
    /// The name of the called tool.
    pub tool: Option<&'static str>,
    /// The HTTP status of the response.
    pub status: StatusCode,
    /// The error code of a failure of the service, such as `TIMEOUT` or `INTERNAL`, also if the HTTP status is 200.
    pub failure: Option<&'static str>,
    /// The name of the rate limit that rejected the request.
    pub exceeded_limit: Option<&'static str>,
    /// The time from the complete head of the request to the complete response. The time in which the response leaves
    /// is not included.
    pub duration: Duration,
}

impl AnsweredRequest {
    /// Creates a request without a call, a tool and a failure, for the tests of an observer.
    pub fn new(
        method: &'static str,
        route: &'static str,
        status: StatusCode,
        duration: Duration,
    ) -> AnsweredRequest {
        let (call, tool, failure, exceeded_limit) = (None, None, None, None);
        AnsweredRequest { method, route, call, tool, status, failure, exceeded_limit, duration }
    }
}

/// Receives the end of each request. A host that collects metrics implements it and passes it to its pipeline. It is
/// called on the task of the request, so it must not block.
pub trait RequestObserver: std::fmt::Debug + Send + Sync {
    /// Called once for each request that a pipeline has answered.
    fn answered(&self, request: &AnsweredRequest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_an_unknown_method_is_not_part_of_its_name() {
        for method in ["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "CONNECT", "TRACE"] {
            assert_eq!(method_name(&method.parse().expect("a method")), method);
        }
        for method in ["get", "PROPFIND", "pbk_secret"] {
            assert_eq!(method_name(&method.parse().expect("a token")), "other", "{method}");
        }
    }
}
