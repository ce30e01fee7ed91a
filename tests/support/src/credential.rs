//! The user of the in-memory ledger and a credential of this user.

use passbook_domain::access::{Credential, GrantReference};
use passbook_domain::person::UserId;
use uuid::Uuid;

/// Returns the identifier of the user who owns the rows of every [`InMemoryLedger`](crate::InMemoryLedger).
#[expect(clippy::disallowed_methods, reason = "a test has no authentication")]
pub fn user() -> UserId {
    UserId::from_authenticated(Uuid::from_u128(0x0000_05e7))
}

/// Returns a credential of [`user`] for in-process use. [`Credential::through`] sets its surface.
pub fn credential() -> Credential {
    Credential::new(user(), GrantReference::PersonalAccessToken(Uuid::from_u128(0x70)))
}
