//! Counts the queries of the store by its tracing events.

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{Filtered, Targets};
use tracing_subscriber::layer::Context;

use super::Metrics;

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
