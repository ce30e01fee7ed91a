//! The interface between connections and the server's own requests.

use std::future::Future;

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, Response};

use crate::bad_head::BadHead;
use crate::body::RequestBody;
use crate::client_address::ClientAddress;

/// The reason why a request is answered without being handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shed {
    /// The server handles as many requests as it may.
    Requests,
    /// The client, which is behind a trusted proxy, has as many requests in progress as it may.
    RequestsOfClient,
}

/// Answers requests. A server clones its handler for each connection.
pub trait Handler: Clone + Send + Sync + 'static {
    /// Handles one request. The duration is the handler's responsibility.
    fn handle(
        &self,
        request: Request<RequestBody>,
        client: ClientAddress,
    ) -> impl Future<Output = Response<Full<Bytes>>> + Send;

    /// Returns true if the request is handled even if the server handles as many as it may, such as a health check.
    fn is_exempt(&self, _request: &Request<RequestBody>) -> bool {
        false
    }

    /// Called once when the server receives the signal to stop, before the server stops accepting connections. Readiness
    /// should fail from now on.
    fn stopping(&self) {}

    /// Returns the response to a request that is not handled. It must be cheap.
    fn shed(&self, request: &Request<RequestBody>, reason: Shed) -> Response<Full<Bytes>>;

    /// Returns the response to a request with a wrong head, with status 400.
    fn bad_head(&self, request: &Request<RequestBody>, reason: BadHead) -> Response<Full<Bytes>>;
}
