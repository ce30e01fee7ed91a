//! Authentication: turns a bearer token into a [`domain::access::Credential`].
//!
//! A credential names a user and a grant. It carries no permissions: the transaction that reads the data also reads
//! the grant, and the grant decides what the credential may do.

#![warn(missing_docs)]

#[cfg(feature = "provider")]
pub mod access_token;
mod authenticator;
#[cfg(feature = "provider")]
pub mod authorization_proxy;
#[cfg(feature = "provider")]
mod clock;
#[cfg(feature = "provider")]
pub mod compatibility;
mod error;
mod error_chain;
#[cfg(feature = "provider")]
pub mod issuer_mode;
pub mod loopback;
pub mod personal_access_token;
#[cfg(feature = "provider")]
pub mod provider;

pub use authenticator::{Authenticator, Config};
#[cfg(feature = "provider")]
pub use clock::{Clock, SystemClock};
pub use error::Error;
pub use error_chain::error_chain;
#[cfg(feature = "provider")]
pub use provider::Provider;
