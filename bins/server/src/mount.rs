//! Addresses to adapters.

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Body;
use hyper::{Request, Response};
use mcp::Mcp;
use rest::Rest;

/// Where the base address lies on the origin.
pub const PREFIX: &str = "/api";

/// Everything that is served, by prefix.
#[derive(Clone, Debug)]
pub struct Mount {
    rest: Rest,
    mcp: Mcp,
}

impl Mount {
    /// The adapters, whose base address lies below [`PREFIX`].
    pub fn new(rest: Rest, mcp: Mcp) -> Mount {
        Mount { rest, mcp }
    }

    /// Answers a request of the whole origin: the tool server its one path, REST everything else.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        if self.mcp.owns(request.uri().path()) {
            return self.mcp.handle_origin(request).await;
        }
        self.rest.handle_origin(request).await
    }
}
