//! The rules for clients and tokens that the reader cannot decide alone.

use jiff::Timestamp;

/// The rule for a token that was created after [`CredentialRules::created_at_max`].
pub const CREATED_IN_FUTURE: &str = "must not be in the future";

/// Rules for credentials that need the clock or a parser of another crate. The caller passes them to the reader, so
/// that their faults are reported together with all other faults of an element.
#[derive(Clone, Copy, Debug)]
pub struct CredentialRules {
    /// The latest accepted time of creation of a token. A token from the future would be valid for longer than the
    /// maximum lifetime.
    pub created_at_max: Timestamp,
    /// The rule for redirect URIs: returns the broken rule, as a clause.
    pub redirect_uri: fn(&str) -> Result<(), &'static str>,
}
