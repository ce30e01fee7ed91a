//! The route table of the server, for its connections.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, Response};
use passbook_rest::{Rest, Router, bad_head_response, shed_response};
use passbook_transport::{BadHead, ClientAddress, Handler, RequestBody, Shed};
#[cfg(feature = "opentelemetry")]
use tracing::Instrument as _;

use crate::announce::Page;

/// The path of the base address below the origin.
pub const PREFIX: &str = "/api";

/// The paths that are answered however many requests are in progress.
const EXEMPT_PATHS: [&str; 2] = ["/api/health", "/api/ready"];

/// The endpoints of the server.
#[derive(Clone, Debug)]
pub struct Mount {
    /// The endpoints of all adapters, whose base address ends in [`PREFIX`].
    pub router: Router,
    /// Answers `/ready`, which fails when the server stops.
    pub rest: Rest,
    /// The dashboard, if it is served.
    pub page: Option<Page>,
}

impl Handler for Mount {
    async fn handle(
        &self,
        mut request: Request<RequestBody>,
        client: ClientAddress,
    ) -> Response<Full<Bytes>> {
        request.extensions_mut().insert(passbook_rest::ClientAddress(client.as_ip()));
        #[cfg(feature = "opentelemetry")]
        let span = crate::telemetry::request_span(request.headers());
        let handled = self.router.handle(request);
        #[cfg(feature = "opentelemetry")]
        let handled = handled.instrument(span);
        handled.await
    }

    /// Makes `/ready` fail, so that a balancer sends no further requests.
    fn stopping(&self) {
        self.rest.announce_stop();
    }

    /// Health and readiness are answered under load too: a supervisor must not restart a server that is busy.
    fn is_exempt(&self, request: &Request<RequestBody>) -> bool {
        EXEMPT_PATHS.contains(&request.uri().path())
    }

    fn shed(&self, request: &Request<RequestBody>, reason: Shed) -> Response<Full<Bytes>> {
        shed_response(request.headers(), reason == Shed::RequestsOfClient)
    }

    fn bad_head(&self, request: &Request<RequestBody>, reason: BadHead) -> Response<Full<Bytes>> {
        bad_head_response(request.headers(), reason.message())
    }
}
