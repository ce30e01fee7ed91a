//! Turns a bearer string into a credential: whose it is and which grant it names, never what it may do. Only
//! the transaction that reads the data knows that.

#![warn(missing_docs)]

mod authenticator;
mod error;
pub mod personal_access_token;

pub use authenticator::{Authenticator, Config};
pub use error::Error;
