//! TLS for connections to PostgreSQL, with the feature `tls`. Without the feature the build contains neither a TLS library
//! nor the certificates of authorities, and connections are not encrypted.

#[cfg(not(feature = "tls"))]
mod disabled;
#[cfg(feature = "tls")]
mod enabled;

#[cfg(not(feature = "tls"))]
pub use disabled::Connector;
#[cfg(feature = "tls")]
pub(crate) use enabled::Verification;
#[cfg(feature = "tls")]
pub use enabled::{Connector, Handshake, HandshakeError, Stream};
