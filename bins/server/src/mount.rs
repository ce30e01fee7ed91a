//! The routes of the server: each path of the origin belongs to one adapter.

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Body;
use hyper::{Request, Response};
#[cfg(feature = "dashboard")]
use passbook_dashboard::Dashboard;
use passbook_mcp::Mcp;
use passbook_oauth::Oauth;
use passbook_rest::{Rest, bad_head_response, shed_response};
use passbook_transport::{BadHead, ClientAddress, Handler, RequestBody, Shed};
use tracing::Instrument as _;

use crate::telemetry::request_span;

/// The path of the base address below the origin.
pub const PREFIX: &str = "/api";

/// The paths that are answered however many requests are in progress.
const EXEMPT_PATHS: [&str; 2] = ["/api/health", "/api/ready"];

/// The adapters of the server.
#[derive(Clone, Debug)]
pub struct Mount {
    rest: Rest,
    mcp: Mcp,
    oauth: Oauth,
    #[cfg(feature = "dashboard")]
    dashboard: Option<Dashboard>,
}

impl Mount {
    /// Creates the routes of these adapters. Their base address must end in [`PREFIX`].
    pub fn new(rest: Rest, mcp: Mcp, oauth: Oauth) -> Mount {
        Mount {
            rest,
            mcp,
            oauth,
            #[cfg(feature = "dashboard")]
            dashboard: None,
        }
    }

    /// Adds the dashboard at the root of the origin.
    #[cfg(feature = "dashboard")]
    #[must_use]
    pub fn with_dashboard(self, dashboard: Dashboard) -> Mount {
        Mount { dashboard: Some(dashboard), ..self }
    }

    /// Adds a code that the dashboard exchanges for a session once.
    #[cfg(feature = "dashboard")]
    #[must_use]
    pub fn with_sign_in_code(self, code: passbook_dashboard::SignInCode) -> Mount {
        let dashboard = self.dashboard.map(|dashboard| dashboard.with_sign_in_code(code));
        Mount { dashboard, ..self }
    }

    /// Handles a request with the path of the origin. REST comes last, because it answers every other path with 404.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let path = request.uri().path();
        #[cfg(feature = "dashboard")]
        if let Some(dashboard) = &self.dashboard
            && let Some(route) = dashboard.route(path, request.headers())
        {
            return dashboard.handle_route(route, request).await;
        }
        if let Some(route) = self.mcp.route(path) {
            self.mcp.handle_route(route, request).await
        } else if let Some(route) = self.oauth.route(path) {
            self.oauth.handle_route(route, request).await
        } else {
            self.rest.handle_origin(request).await
        }
    }
}

impl Handler for Mount {
    async fn handle(
        &self,
        mut request: Request<RequestBody>,
        client: ClientAddress,
    ) -> Response<Full<Bytes>> {
        request.extensions_mut().insert(passbook_rest::ClientAddress(client.as_ip()));
        let span = request_span(request.headers());
        Mount::handle(self, request).instrument(span).await
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
