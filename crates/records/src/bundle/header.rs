//! The values of the keys `format` and `version`, which identify a bundle.

/// Required value of the key `format`.
pub(super) const FORMAT: &str = "passbook-bundle";

/// The only supported value of the key `version`.
pub(super) const VERSION: u64 = 1;
