//! Exports spans by OTLP over HTTP, with the cargo feature `opentelemetry`.

use hyper::HeaderMap;
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::level_filters::LevelFilter;
use tracing::{Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

use crate::error::ServerError;

/// The variable that turns the export on, and names the collector (OpenTelemetry specification, "OTLP Exporter
/// Configuration").
const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
/// The path of spans below the address of the collector.
const PATH: &str = "/v1/traces";
/// The name of the service in the exported spans.
const SERVICE: &str = "passbook";

/// The export of spans. Dropping it sends the spans that wait.
#[derive(Debug)]
pub struct Telemetry {
    provider: SdkTracerProvider,
}

impl Telemetry {
    /// Starts the export if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Call it before the runtime starts, because the exporter
    /// has a thread of its own.
    ///
    /// # Errors
    /// The address is not usable.
    #[expect(
        clippy::disallowed_methods,
        reason = "the OpenTelemetry specification fixes the name of the variable, so it is no setting of Passbook"
    )]
    pub fn start() -> Result<Option<Telemetry>, ServerError> {
        match std::env::var(ENDPOINT) {
            Ok(endpoint) if !endpoint.is_empty() => Telemetry::to(&endpoint).map(Some),
            _ => Ok(None),
        }
    }

    fn to(endpoint: &str) -> Result<Telemetry, ServerError> {
        let address = format!("{}{PATH}", endpoint.trim_end_matches('/'));
        let exporter = SpanExporter::builder().with_http().with_endpoint(address).build();
        let exporter = exporter.map_err(|error| {
            ServerError::configuration(ENDPOINT, format!("must be the http address of a collector: {error}"))
        })?;
        let resource = Resource::builder().with_service_name(SERVICE).build();
        let provider =
            SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
        Ok(Telemetry { provider })
    }

    /// Returns the layer that receives the spans: those of requests, and the operations inside.
    pub(crate) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        let targets = Targets::new()
            .with_default(LevelFilter::INFO)
            .with_target("passbook_operations", LevelFilter::DEBUG);
        tracing_opentelemetry::layer().with_tracer(self.provider.tracer(SERVICE)).with_filter(targets)
    }
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        if let Err(error) = self.provider.shutdown() {
            tracing::warn!(%error, "the last spans could not be exported");
        }
    }
}

/// Returns the span around the handling of a request. It continues the trace of the header `traceparent`.
pub(crate) fn request_span(headers: &HeaderMap) -> Span {
    let span = tracing::info_span!("http.server", otel.kind = "server");
    let parent = TraceContextPropagator::new().extract(&Headers(headers));
    // Without a subscriber that exports spans there is no parent to set.
    let _ = span.set_parent(parent);
    span
}

/// The headers of a request, for the propagator.
struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(hyper::header::HeaderName::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    use hyper::header::HeaderValue;
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    /// Accepts one export and returns its bytes.
    fn collect(listener: &TcpListener) -> Vec<u8> {
        let (mut stream, _) = listener.accept().expect("the exporter connects");
        let mut received = Vec::new();
        let mut part = [0; 4096];
        // The name of the span is at the end of the resource in the body.
        while !received.windows(11).any(|window| window == b"http.server") {
            let count = stream.read(&mut part).expect("the exporter sends");
            assert!(count > 0, "the export ended early: {}", String::from_utf8_lossy(&received));
            received.extend_from_slice(&part[..count]);
        }
        let response =
            b"HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n\r\n";
        stream.write_all(response).expect("the exporter reads");
        received
    }

    #[test]
    fn span_of_a_request_is_exported_in_the_trace_of_its_header() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let collector = std::thread::spawn(move || collect(&listener));
        let telemetry = Telemetry::to(&format!("http://{address}/")).expect("the address is usable");
        let subscriber = tracing_subscriber::registry().with(telemetry.layer());
        let mut headers = HeaderMap::new();
        let parent = format!("00-{TRACE}-00f067aa0ba902b7-01");
        headers.insert("traceparent", HeaderValue::from_str(&parent).expect("a value"));
        tracing::subscriber::with_default(subscriber, || request_span(&headers).in_scope(|| ()));
        drop(telemetry);
        let received = collector.join().expect("no panic");
        assert!(received.starts_with(b"POST /v1/traces HTTP/1.1\r\n"));
        let trace: Vec<u8> = (0..16)
            .map(|byte| u8::from_str_radix(&TRACE[2 * byte..2 * byte + 2], 16).expect("digits"))
            .collect();
        assert!(received.windows(16).any(|window| window == trace));
    }
}
