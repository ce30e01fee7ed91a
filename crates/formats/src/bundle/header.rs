//! The values of the keys `format` and `version`, with which every bundle identifies itself.

/// What a bundle says it is.
pub(super) const FORMAT: &str = "passbook-bundle";

/// The version of the format. A reader refuses every other.
pub(super) const VERSION: u64 = 1;
