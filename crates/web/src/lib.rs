//! The HTTP layer that every adapter shares: one request pipeline, and the types that its requests and responses use.
//!
//! [`Pipeline`] handles an authenticated request from its head to its log line. An adapter adds its routes, the reading
//! of its parameters and the format of its results. [`PublicPipeline`] does the same for routes that need no token.
//! `docs/adding-an-adapter.md` walks through an adapter.

#![warn(missing_docs)]

mod base_url;
mod challenge;
mod error_body;
mod head_limits;
mod http_error;
pub mod openapi;
mod pipeline;
pub mod query_string;
pub mod rate_limit;
mod request_id;
pub mod response;
mod status_code;
pub mod well_known;

pub use base_url::BaseUrl;
pub use challenge::{Challenge, ChallengeConfig};
pub use error_body::{Details, ErrorBody, ErrorObject, write_json};
pub use http_error::HttpError;
pub use pipeline::{
    Aborted, Caller, Endpoint, ErrorWriter, Exchange, Pipeline, PipelineConfig, PublicPipeline,
};
pub use rate_limit::RateLimiter;
pub use request_id::RequestId;
pub use response::RETRY_AFTER_SECONDS;
pub use status_code::status_code;
