//! The HTTP layer that every adapter shares: one request pipeline, and the types that its requests and responses use.
//!
//! ```no_run
//! use passbook_domain::scope::Surface;
//! use passbook_web::{Pipeline, PipelineConfig};
//!
//! fn pipeline(service: passbook_operations::Service, authenticator: passbook_auth::Authenticator) -> Pipeline {
//!     let config = PipelineConfig::new(Surface::host("graphql"), 10);
//!     Pipeline::new(service, authenticator, config)
//! }
//! ```
//!
//! [`Pipeline`] handles an authenticated request from its head to its log line. An adapter adds its routes, the reading
//! of its parameters and the format of its results. [`PublicPipeline`] does the same for routes that need no token.
//! `docs/embedding.md` walks through an adapter.

mod base_url;
mod challenge;
mod client_address;
mod error_body;
mod head_limits;
mod host_sign_in;
mod http_error;
mod method_name;
mod observer;
pub mod openapi;
mod pipeline;
pub mod query_string;
mod query_tokens;
pub mod rate_limit;
mod request_body;
mod request_id;
pub mod response;
mod shed;
mod status_code;
mod trace_context;
pub mod well_known;

/// The crates of the requests and responses of an adapter.
pub use {bytes, http_body_util, hyper};

pub use base_url::BaseUrl;
pub use challenge::{Challenge, ChallengeConfig};
pub use client_address::ClientAddress;
pub use error_body::{Details, ErrorBody, ErrorObject, write_json};
pub use host_sign_in::HostSignIn;
pub use http_error::HttpError;
pub use observer::{AnsweredRequest, RequestObserver};
pub use passbook_operations::json_parameters;
pub use pipeline::{
    Aborted, Caller, Endpoint, ErrorWriter, Exchange, Pipeline, PipelineConfig, PublicPipeline,
    REQUEST_SECONDS_MAX_DEFAULT,
};
pub use rate_limit::RateLimiter;
pub use request_body::read_body;
pub use request_id::RequestId;
pub use response::{RETRY_AFTER_SECONDS, accepts_html};
pub use shed::{bad_head_response, shed_response};
pub use status_code::status_code;
pub use trace_context::TraceContext;
