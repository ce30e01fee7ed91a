//! The listener of the metrics, apart from that of the clients.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use passbook_transport::{BadHead, ClientAddress, Handler, Limits, Options, RequestBody, Shed, Stop};
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;

use crate::error::ServerError;

/// The path of the metrics.
const PATH: &str = "/metrics";
/// Maximum number of connections. Few programs collect metrics.
const CONNECTIONS_MAX: usize = 16;
/// The format that [`encode`] writes.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Binds the listener of the metrics, if there is one.
///
/// # Errors
/// The address cannot be bound.
pub(crate) async fn bind(address: Option<SocketAddr>) -> Result<Option<TcpListener>, ServerError> {
    let Some(address) = address else { return Ok(None) };
    let listener = TcpListener::bind(address).await.map_err(|source| {
        let message = format!("cannot listen on {address}: {source}; free the port or set another one");
        ServerError::configuration("PASSBOOK_METRICS_LISTEN", message)
    })?;
    Ok(Some(listener))
}

/// Returns the address of the metrics, for the printed lines.
pub(crate) fn url(listener: &TcpListener) -> Result<String, ServerError> {
    let address = listener.local_addr().map_err(ServerError::internal)?;
    Ok(format!("http://{address}{PATH}"))
}

/// Serves the metrics until the future is dropped. `registry` is called only if there is a listener.
pub(crate) async fn serve(listener: Option<TcpListener>, registry: impl FnOnce() -> Registry) -> Infallible {
    if let Some(listener) = listener {
        let limits = Limits { connections: CONNECTIONS_MAX, requests: CONNECTIONS_MAX, ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        let never = Stop { drain: std::future::pending(), abort: std::future::pending() };
        let handler = MetricsHandler { registry: Arc::new(registry()) };
        passbook_transport::serve(listener, handler, options, never).await;
    }
    std::future::pending().await
}

/// Answers `GET /metrics`.
#[derive(Clone, Debug)]
struct MetricsHandler {
    registry: Arc<Registry>,
}

impl Handler for MetricsHandler {
    async fn handle(&self, request: Request<RequestBody>, _: ClientAddress) -> Response<Full<Bytes>> {
        if request.uri().path() != PATH {
            return text(StatusCode::NOT_FOUND, "The metrics are at /metrics.\n");
        }
        if ![Method::GET, Method::HEAD].contains(request.method()) {
            let mut response = text(StatusCode::METHOD_NOT_ALLOWED, "Only GET and HEAD are accepted.\n");
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            return response;
        }
        let mut body = String::new();
        match encode(&mut body, &self.registry) {
            Ok(()) => response(StatusCode::OK, OPEN_METRICS, body),
            Err(_) => text(StatusCode::INTERNAL_SERVER_ERROR, "The metrics cannot be written.\n"),
        }
    }

    fn shed(&self, _: &Request<RequestBody>, _: Shed) -> Response<Full<Bytes>> {
        text(StatusCode::SERVICE_UNAVAILABLE, "Too many requests are in progress.\n")
    }

    fn bad_head(&self, _: &Request<RequestBody>, reason: BadHead) -> Response<Full<Bytes>> {
        text(StatusCode::BAD_REQUEST, reason.message())
    }
}

fn text(status: StatusCode, body: &'static str) -> Response<Full<Bytes>> {
    response(status, "text/plain; charset=utf-8", body.to_owned())
}

fn response(status: StatusCode, content_type: &'static str, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
