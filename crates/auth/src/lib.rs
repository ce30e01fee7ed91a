//! Authentication: turns a bearer token into a [`passbook_domain::access::Credential`].
//!
//! ```
//! use passbook_auth::personal_access_token::PlainToken;
//!
//! // A host creates a token with its own prefix, shows the token once, and stores the hash.
//! let token = PlainToken::generate("own_");
//! let received = PlainToken::parse("own_", token.reveal()).expect("a well-formed token");
//! assert!(received.hash() == token.hash());
//! ```
//!
//! A credential names a user and a grant. It carries no permissions: the transaction that reads the data also reads
//! the grant, and the grant decides what the credential may do.

#[cfg(feature = "provider")]
pub mod access_token;
mod authenticator;
pub mod authorization_proxy;
mod clock;
#[cfg(feature = "provider")]
pub mod compatibility;
mod error;
pub mod loopback;
pub mod personal_access_token;
#[cfg(feature = "provider")]
pub mod provider;
#[cfg(feature = "sign-in-code")]
pub mod sign_in_code;
mod unseen_tokens;

/// The crate of the types that credentials contain.
pub use passbook_domain;

pub use authenticator::{Authenticator, AuthenticatorConfig, Fingerprint};
pub use clock::{Clock, SystemClock};
pub use error::Error;
pub use passbook_domain::error_chain;
#[cfg(feature = "provider")]
pub use provider::Provider;
