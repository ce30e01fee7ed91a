//! The export of spans to an OpenTelemetry collector. Without the cargo feature `opentelemetry`, nothing is exported and
//! the build contains none of its crates.

#[cfg(not(feature = "opentelemetry"))]
mod disabled;
#[cfg(feature = "opentelemetry")]
mod enabled;

#[cfg(not(feature = "opentelemetry"))]
pub use disabled::Telemetry;
#[cfg(not(feature = "opentelemetry"))]
pub(crate) use disabled::request_span;
#[cfg(feature = "opentelemetry")]
pub use enabled::Telemetry;
#[cfg(feature = "opentelemetry")]
pub(crate) use enabled::request_span;
