//! The HTTP layer that every adapter shares: one request pipeline, the route table of a server, and the types that requests
//! and responses use.
//!
//! ```no_run
//! use passbook_domain::scope::Surface;
//! use passbook_web::{Methods, Pipeline, PipelineConfig, Router, response};
//!
//! fn router(pipeline: &Pipeline) -> Router {
//!     let adapter = pipeline.adapter(Surface::host("greeting"), None);
//!     let hello = adapter.public("/hello", Methods::READ, async |_| Ok(response::private_text("Hello.\n")));
//!     Router::new(pipeline, [hello])
//! }
//! ```
//!
//! A host creates one [`Pipeline`] and gives it to its adapters. An adapter returns its [`Endpoint`]s: paths with handlers,
//! which read the parameters and write the results. The host puts the endpoints of all adapters into one [`Router`]. The
//! pipeline handles each request from its head to its log line. `docs/embedding.md` walks through an adapter.

mod base_url;
mod challenge;
mod endpoint;
mod error_body;
mod guard;
mod host_sign_in;
mod http_error;
pub mod openapi;
mod pipeline;
pub mod query_string;
pub mod rate_limit;
mod request_body;
mod request_head;
mod request_id;
mod request_record;
pub mod response;
mod router;
mod seen_grants;
mod shed;

/// The crates of the requests and responses of an adapter.
pub use {bytes, http_body_util, hyper};

pub use base_url::{
    AUTHORIZATION_SERVER, BaseUrl, OPENID_CONFIGURATION, PROTECTED_RESOURCE, ProtectedResource,
};
pub use challenge::{Challenge, Challenges};
pub use endpoint::{
    Adapter, AuthenticatedCaller, Caller, Endpoint, ErrorWriter, HandlerResult, Methods, Received,
    RequestBody,
};
pub use error_body::{Details, ErrorBody, ErrorObject, write_json};
pub use guard::Aborted;
pub use host_sign_in::HostSignIn;
pub use http_error::{HttpError, status_code};
pub use passbook_operations::json_parameters;
pub use pipeline::{ClientAddress, HostCaller, Pipeline, PipelineConfig};
pub use rate_limit::RateLimiter;
pub use request_body::read_body;
pub use request_id::{RequestId, TraceContext};
pub use request_record::{AnsweredRequest, RequestObserver, RequestRecord};
pub use response::{RETRY_AFTER_SECONDS, accepts_html};
pub use router::{Route, Router};
pub use shed::{bad_head_response, shed_response};
