//! Rate limits that several servers share through Redis or Valkey, with the cargo feature `shared-rate-limit`. A build
//! without the feature contains no client of such a store.

#[cfg(not(feature = "shared-rate-limit"))]
mod disabled;
#[cfg(feature = "shared-rate-limit")]
mod enabled;

#[cfg(not(feature = "shared-rate-limit"))]
pub use disabled::{RateLimitStore, shared};
#[cfg(feature = "shared-rate-limit")]
pub use enabled::{RateLimitStore, shared};
