//! Requests and responses over HTTP: routes, heads, headers, rate limits, documents of the interface, and adapters.

pub(crate) mod catalogue;
pub(crate) mod contract;
pub(crate) mod extension;
mod http_head;
pub(crate) mod pipeline;
mod rate_limits;
pub(crate) mod response_headers;
pub(crate) mod snapshots;
