//! Addresses to adapters.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, Response};
use rest::Rest;

/// Where the base address lies on the origin.
pub const PREFIX: &str = "/api";

/// Everything that is served, by prefix.
#[derive(Clone, Debug)]
pub struct Mount {
    rest: Rest,
}

impl Mount {
    /// The REST adapter, whose base address lies below [`PREFIX`].
    pub fn new(rest: Rest) -> Mount {
        Mount { rest }
    }

    /// Answers a request of the whole origin.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Full<Bytes>> {
        self.rest.handle_origin(request).await
    }
}
