//! Turns a bearer string into a credential: whose it is and which grant it names, never what it may do. Only
//! the transaction that reads the data knows that.

#![warn(missing_docs)]

pub mod access_token;
mod authenticator;
mod clock;
mod error;
pub mod personal_access_token;
pub mod provider;
pub mod sign_in;

pub use authenticator::{Authenticator, Config};
pub use clock::{Clock, SystemClock};
pub use error::Error;
pub use provider::Provider;
