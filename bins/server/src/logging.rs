//! The log on standard error, as text or JSON. Tokens, query strings, bodies and amounts are never logged.

use std::io::IsTerminal as _;

use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, fmt};

use crate::error::ServerError;
use crate::metrics::{Metrics, QueryLayer};
use crate::settings::LogFormat;
#[cfg(feature = "opentelemetry")]
use crate::telemetry::Telemetry;

/// The log. Dropping it sends the spans that wait for their export.
#[derive(Debug)]
pub struct Log {
    #[cfg(feature = "opentelemetry")]
    _telemetry: Option<Telemetry>,
}

/// Starts the log, and the export of spans if a collector is set. `filter` has been validated with the other settings.
/// `metrics` counts the queries, if metrics are collected. Call it before the runtime starts, because the export has a thread
/// of its own.
///
/// # Errors
/// The address of the collector is not usable.
pub fn start(filter: &str, format: LogFormat, metrics: Option<&Metrics>) -> Result<Log, ServerError> {
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = fmt::layer().with_writer(std::io::stderr);
    let lines = match format {
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    let queries = metrics.map(|metrics| QueryLayer::filtered(metrics.clone()));
    let registry = tracing_subscriber::registry().with(lines.with_filter(filter)).with(queries);
    #[cfg(feature = "opentelemetry")]
    let telemetry = Telemetry::start()?;
    #[cfg(feature = "opentelemetry")]
    let registry = registry.with(telemetry.as_ref().map(Telemetry::layer));
    registry.init();
    Ok(Log {
        #[cfg(feature = "opentelemetry")]
        _telemetry: telemetry,
    })
}
