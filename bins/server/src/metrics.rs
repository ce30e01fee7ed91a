//! The metrics of the server in the format of Prometheus. `docs/operating.md` lists them.
//!
//! Labels are route templates, statuses and names of the source code only, never text that a caller sends.

mod endpoint;
mod process;

use std::fmt;
use std::sync::Arc;

use passbook_rest::{AnsweredRequest, RequestObserver};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::{Family, MetricConstructor};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{Filtered, Targets};
use tracing_subscriber::layer::Context;

pub(crate) use endpoint::{bind, serve, url};
pub(crate) use process::Sources;

/// Upper bounds of the buckets of all durations, in seconds.
const BUCKETS: [f64; 13] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// The counters that grow with each request and query. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    counts: Arc<Counts>,
}

struct Counts {
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabels, Histogram, Buckets>,
    failures: Family<CodeLabel, Counter>,
    calls: Family<CallLabels, Counter>,
    rejections: Family<LimitLabel, Counter>,
    queries: Family<QueryLabel, Histogram, Buckets>,
    query_errors: Family<QueryErrorLabels, Counter>,
}

impl Default for Counts {
    fn default() -> Counts {
        Counts {
            requests: Family::default(),
            durations: Family::new_with_constructor(Buckets),
            failures: Family::default(),
            calls: Family::default(),
            rejections: Family::default(),
            queries: Family::new_with_constructor(Buckets),
            query_errors: Family::default(),
        }
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counts").finish_non_exhaustive()
    }
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    route: &'static str,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RouteLabels {
    route: &'static str,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct CodeLabel {
    code: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct CallLabels {
    call: &'static str,
    tool: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct LimitLabel {
    limit: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct QueryLabel {
    query: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct QueryErrorLabels {
    query: String,
    error: String,
}

/// Creates the histograms of durations.
#[derive(Clone, Debug)]
struct Buckets;

impl MetricConstructor<Histogram> for Buckets {
    fn new_metric(&self) -> Histogram {
        Histogram::new(BUCKETS)
    }
}

impl Metrics {
    /// Returns a registry with all metrics. `sources` has the values that are read when metrics are collected.
    pub(crate) fn registry(&self, sources: Sources) -> Registry {
        let mut registry = Registry::with_prefix("passbook");
        let counts = &*self.counts;
        registry.register("http_requests", "Answered requests", counts.requests.clone());
        registry.register_with_unit(
            "http_request_duration",
            "Time from the head of a request to its complete response",
            Unit::Seconds,
            counts.durations.clone(),
        );
        registry.register("failures", "Failures of the service by error code", counts.failures.clone());
        registry.register("mcp_calls", "Calls of the tool server", counts.calls.clone());
        registry.register(
            "rate_limit_rejections",
            "Requests rejected by a rate limit of a user or client",
            counts.rejections.clone(),
        );
        registry.register_with_unit(
            "database_query_duration",
            "Time that PostgreSQL needs for a query, with the way there and back",
            Unit::Seconds,
            counts.queries.clone(),
        );
        registry.register(
            "database_errors",
            "Queries that failed, and connections that were not available",
            counts.query_errors.clone(),
        );
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The version of the server", build);
        registry.register_collector(Box::new(sources));
        registry
    }

    /// Counts the end of a query. `error` is the kind of failure.
    fn query_ended(&self, query: &str, seconds: Option<f64>, error: Option<&str>) {
        let query = query.to_owned();
        if let Some(seconds) = seconds {
            self.counts.queries.get_or_create(&QueryLabel { query: query.clone() }).observe(seconds);
        }
        if let Some(error) = error {
            let labels = QueryErrorLabels { query, error: error.to_owned() };
            self.counts.query_errors.get_or_create(&labels).inc();
        }
    }
}

impl RequestObserver for Metrics {
    fn answered(&self, request: &AnsweredRequest) {
        let AnsweredRequest { method, route, .. } = *request;
        let (counts, status) = (&*self.counts, request.status.as_u16());
        counts.requests.get_or_create(&RequestLabels { method, route, status }).inc();
        let seconds = request.duration.as_secs_f64();
        counts.durations.get_or_create(&RouteLabels { route, status }).observe(seconds);
        if let Some(code) = request.failure {
            counts.failures.get_or_create(&CodeLabel { code }).inc();
        }
        if let Some(call) = request.call {
            let tool = request.tool.unwrap_or_default();
            counts.calls.get_or_create(&CallLabels { call, tool }).inc();
        }
        if let Some(limit) = request.exceeded_limit {
            counts.rejections.get_or_create(&LimitLabel { limit }).inc();
        }
    }
}

#[cfg(test)]
mod tests;

/// A layer that counts the events of [`passbook_store::QUERY_EVENTS`].
#[derive(Debug)]
pub struct QueryLayer {
    metrics: Metrics,
}

impl QueryLayer {
    /// Creates a layer that receives these events only, whatever the filter of the log.
    pub fn filtered<S>(metrics: Metrics) -> Filtered<QueryLayer, Targets, S>
    where
        S: Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>,
    {
        let targets = Targets::new().with_target(passbook_store::QUERY_EVENTS, Level::TRACE);
        QueryLayer { metrics }.with_filter(targets)
    }
}

impl<S: Subscriber> Layer<S> for QueryLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = QueryFields::default();
        event.record(&mut fields);
        if let Some(query) = fields.query {
            self.metrics.query_ended(&query, fields.seconds, fields.error.as_deref());
        }
    }
}

/// The fields of an event about a query.
#[derive(Default)]
struct QueryFields {
    query: Option<String>,
    seconds: Option<f64>,
    error: Option<String>,
}

impl Visit for QueryFields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        if field.name() == "seconds" {
            self.seconds = Some(value);
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "query" => self.query = Some(value.to_owned()),
            "error" => self.error = Some(value.to_owned()),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}
