//! The log on standard error, as text or JSON. Tokens, query strings, bodies and amounts are never logged.

use std::io::IsTerminal as _;

use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, fmt};

use crate::metrics::{Metrics, QueryLayer};
use crate::settings::LogFormat;
use crate::telemetry::Telemetry;

/// Starts the log. `filter` has been validated with the other settings. `metrics` counts the queries, if metrics are
/// collected. `telemetry` exports the spans, if they are exported.
pub fn start(filter: &str, format: LogFormat, metrics: Option<&Metrics>, telemetry: Option<&Telemetry>) {
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = fmt::layer().with_writer(std::io::stderr);
    let lines = match format {
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    let queries = metrics.map(|metrics| QueryLayer::filtered(metrics.clone()));
    let spans = telemetry.map(Telemetry::layer);
    tracing_subscriber::registry().with(lines.with_filter(filter)).with(queries).with(spans).init();
}
