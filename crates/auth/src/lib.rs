//! Turns a bearer string into a credential: whose it is and which grant it names, never what it may do. Only
//! the transaction that reads the data knows that.

#![warn(missing_docs)]

#[cfg(feature = "provider")]
pub mod access_token;
mod authenticator;
#[cfg(feature = "provider")]
mod clock;
mod error;
mod error_chain;
pub mod loopback;
pub mod personal_access_token;
#[cfg(feature = "provider")]
pub mod provider;
#[cfg(feature = "provider")]
pub mod sign_in;

pub use authenticator::{Authenticator, Config};
#[cfg(feature = "provider")]
pub use clock::{Clock, SystemClock};
pub use error::Error;
pub use error_chain::error_chain;
#[cfg(feature = "provider")]
pub use provider::Provider;
