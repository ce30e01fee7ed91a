//! The log on standard error, as text or JSON. Tokens, query strings, bodies and amounts are never logged.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use crate::settings::LogFormat;

/// Starts the log. `filter` has been validated with the other settings.
pub fn start(filter: &str, format: LogFormat) {
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).init(),
        LogFormat::Json => lines.json().init(),
    }
}
