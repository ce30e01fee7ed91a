//! What the adapters say of HTTP alike, whatever they speak on top of it: refusals with their statuses and codes,
//! challenges, the size of a head, the headers of every answer, the identifier of a request, and how many requests there
//! may be. Adapters do not know each other; what they would otherwise each say for themselves stands here once.

#![warn(missing_docs)]

mod base_url;
mod challenge;
pub mod head;
pub mod limits;
pub mod metadata;
mod refusal;
pub mod reply;
mod request;
mod request_id;
mod within;

pub use base_url::BaseUrl;
pub use challenge::{Challenge, Challenges};
pub use limits::Limits;
pub use refusal::{Details, ErrorBody, ErrorObject, RETRY_AFTER, Refusal};
pub use request::{credential, moved};
pub use request_id::RequestId;
pub use within::{walled, within};
