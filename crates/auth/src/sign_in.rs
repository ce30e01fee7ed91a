//! Former paths of the items in [`crate::authorization_proxy`], [`crate::compatibility`] and [`crate::issuer_mode`].

pub use crate::authorization_proxy::{AUTHORIZE_PATH, STRIPPED_SCOPE, stripped_scopes};
pub use crate::compatibility::{Finding, Remedy, check as examine};
pub use crate::issuer_mode::IssuerMode as Mode;
