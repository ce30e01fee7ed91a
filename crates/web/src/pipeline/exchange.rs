//! A request that is being handled: its identifier and deadline, and the values for its log line.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::StatusCode;
use hyper::http::request::Parts;
use passbook_auth::Fingerprint;
use tokio::time::Instant;
use tracing::{Span, field};

use super::guard::{self, Aborted};
use crate::http_error::HttpError;
use crate::method_name::method_name;
use crate::observer::{AnsweredRequest, RequestObserver};
use crate::rate_limit::RateLimitStatus;
use crate::request_id::RequestId;
use crate::trace_context::TraceContext;

/// A request that is being handled. Only the pipeline creates one.
#[derive(Clone, Debug)]
pub struct Exchange {
    request_id: RequestId,
    /// The HTTP method, as it is logged.
    method: &'static str,
    template: &'static str,
    deadline: Instant,
    /// The span of the request. Every log line of its handling is inside the span.
    span: Span,
    trace: Option<TraceContext>,
    record: Arc<Mutex<Record>>,
}

/// Values for the log line that become known while the request is handled.
#[derive(Debug, Default)]
struct Record {
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

impl Exchange {
    /// Starts the handling of a request: reads its identifier and its trace context, and creates its span.
    pub(super) fn new(head: &Parts, template: &'static str, deadline: Instant) -> Exchange {
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
        Exchange { request_id, method, template, deadline, span, trace, record: Arc::default() }
    }

    /// Returns the span of the request.
    pub(super) fn span(&self) -> &Span {
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

    /// Runs the whole handling of the request under the deadline and the panic guard.
    pub(super) async fn guard_all<T>(&self, request: impl Future<Output = T>) -> Result<T, Aborted> {
        guard::with_timeout(self.deadline, guard::catch_panic(request)).await?
    }

    /// Sets the method name of a call inside the request, such as a JSON-RPC method, for the log line. It must be a
    /// constant of the adapter, not text that the caller sent.
    pub fn set_call(&self, call: &'static str) {
        self.record().call = Some(call);
    }

    /// Sets the name of the called tool for the log line.
    pub fn set_tool(&self, tool: &'static str) {
        self.record().tool = Some(tool);
    }

    /// Records an error that the response does not show as an HTTP status. A failure of the service becomes part of the
    /// log line; an error of the caller, or the cause of an outage, is logged at level `debug`.
    pub fn record_error(&self, error: &HttpError) {
        let Some(cause) = error.cause() else { return };
        let code = error.code();
        if error.is_logged_failure() {
            self.record().failure = Some(Failure { code, cause });
        } else {
            let (route, id) = (self.template, self.request_id.as_str());
            tracing::debug!(route, code, request.id = id, cause, "rejected");
        }
    }

    pub(super) fn set_surface(&self, surface: &'static str) {
        self.record().surface = Some(surface);
    }

    /// Sets the fingerprint of the verified token, for the log line and the span.
    pub(super) fn set_token(&self, token: Fingerprint) {
        self.span.record("token", field::display(token));
        self.record().token = Some(token);
    }

    /// Sets the name of the rate limit that rejects the request, for observers.
    pub(super) fn set_exceeded_limit(&self, limit: Option<&'static str>) {
        self.record().exceeded_limit = limit;
    }

    pub(super) fn set_rate_limit(&self, status: RateLimitStatus) {
        self.record().rate_limit = status;
    }

    pub(super) fn take_rate_limit(&self) -> RateLimitStatus {
        std::mem::take(&mut self.record().rate_limit)
    }

    /// Writes the log line of the request: at level `error` with the cause if the service failed, else at `info`.
    pub(super) fn log(&self, status: StatusCode, duration: Duration) {
        let record = self.record();
        let method = self.method;
        let (route, call, tool, status) = (self.template, record.call, record.tool, status.as_u16());
        let surface = record.surface;
        let id = self.request_id.as_str();
        let token = record.token.map(field::display);
        let trace_id = self.trace.as_ref().map(|trace| trace.trace_id.as_str());
        let duration_ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        match &record.failure {
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
    pub(super) fn observe(&self, observer: &dyn RequestObserver, status: StatusCode, duration: Duration) {
        let (call, tool, failure, exceeded_limit) = {
            let record = self.record();
            (
                record.call,
                record.tool,
                record.failure.as_ref().map(|failure| failure.code),
                record.exceeded_limit,
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

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
