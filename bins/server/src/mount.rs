//! The routes of the server: each path of the origin belongs to one adapter.

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Body;
use hyper::{Request, Response};
use mcp::Mcp;
use oauth::Oauth;
use rest::Rest;

/// The path of the base address below the origin.
pub const PREFIX: &str = "/api";

/// The adapters of the server.
#[derive(Clone, Debug)]
pub struct Mount {
    rest: Rest,
    mcp: Mcp,
    oauth: Oauth,
}

impl Mount {
    /// Creates the routes of these adapters. Their base address must end in [`PREFIX`].
    pub fn new(rest: Rest, mcp: Mcp, oauth: Oauth) -> Mount {
        Mount { rest, mcp, oauth }
    }

    /// Handles a request with the path of the origin. REST comes last, because it answers every other path with 404.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let path = request.uri().path();
        if let Some(route) = self.mcp.route(path) {
            self.mcp.handle_route(route, request).await
        } else if let Some(route) = self.oauth.route(path) {
            self.oauth.handle_route(route, request).await
        } else {
            self.rest.handle_origin(request).await
        }
    }
}
