//! The connections of a server: accepts them, serves HTTP/1.1 and HTTP/2 on one port, limits what slow and hostile
//! clients can hold, and drains everything at the end.
//!
//! A host implements [`Handler`] and calls [`serve`]. Each connection has one clock ([`Limits`] has the durations): for
//! its first byte, for the head of a request, for the time between requests, and for each response to leave. A
//! connection that misses a deadline is closed. The time in which a handler computes a response is not limited here.
//!
//! ```no_run
//! use bytes::Bytes;
//! use http_body_util::Full;
//! use hyper::{Request, Response, StatusCode};
//! use passbook_transport::{
//!     BadHead, ClientAddress, Handler, Limits, Options, RequestBody, Shed, Statistics, Stop, TrustedProxies, serve,
//! };
//!
//! #[derive(Clone)]
//! struct Greeting;
//!
//! impl Handler for Greeting {
//!     async fn handle(&self, _: Request<RequestBody>, _: ClientAddress) -> Response<Full<Bytes>> {
//!         Response::new("hello".into())
//!     }
//!     fn shed(&self, _: &Request<RequestBody>, _: Shed) -> Response<Full<Bytes>> {
//!         status(StatusCode::SERVICE_UNAVAILABLE)
//!     }
//!     fn bad_head(&self, _: &Request<RequestBody>, _: BadHead) -> Response<Full<Bytes>> {
//!         status(StatusCode::BAD_REQUEST)
//!     }
//! }
//!
//! fn status(status: StatusCode) -> Response<Full<Bytes>> {
//!     let mut response = Response::default();
//!     *response.status_mut() = status;
//!     response
//! }
//!
//! # async fn example(limits: Limits) -> std::io::Result<()> {
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! let options = Options {
//!     limits,
//!     proxies: TrustedProxies::default(),
//!     certificate: None,
//!     statistics: Statistics::default(),
//! };
//! // A program drains at the first signal, and aborts at the second.
//! let stop = Stop { drain: std::future::pending(), abort: std::future::pending() };
//! serve(listener, Greeting, options, stop).await;
//! # Ok(())
//! # }
//! ```

mod body;
mod client_address;
mod clock;
mod connection;
mod deadlines;
mod goaway;
mod handler;
mod limits;
mod open_connections;
mod serve;
mod statistics;
mod timed_stream;
mod tls;

#[cfg(test)]
mod tests;

pub use body::RequestBody;
pub use client_address::{ClientAddress, TrustedProxies};
pub use handler::{BadHead, Handler, Shed};
pub use limits::Limits;
pub use serve::{Drained, Options, Stop, serve};
pub use statistics::{Snapshot, Statistics};
pub use tls::{Certificate, CertificateError};
