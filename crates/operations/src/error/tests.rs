//! Unit tests of the errors of operations.

use passbook_domain::access::MissingScope;
use passbook_domain::ports::ReadError;
use passbook_domain::scope::Scope;
use passbook_domain::tally::Overflow;

use super::{Code, Error};

#[test]
fn every_ledger_error_has_its_code() {
    let source = || Box::new(Overflow);
    let missing = missing(true);
    for (error, code) in [
        (ReadError::Revoked, Code::Unauthorized),
        (ReadError::Expired, Code::Unauthorized),
        (ReadError::Forbidden, Code::Forbidden),
        (ReadError::MissingScope(missing), Code::InsufficientScope),
        (ReadError::UnknownCursor, Code::InvalidCursor),
        (ReadError::NotOffered("snapshots"), Code::NotFound),
        (ReadError::Unavailable(source()), Code::Unavailable),
        (ReadError::TimedOut(source()), Code::Timeout),
        (ReadError::Broken(source()), Code::Internal),
    ] {
        let text = error.to_string();
        assert_eq!(Error::from(error).code(), code, "{text}");
    }
}

fn missing(is_granted: bool) -> MissingScope {
    let missing = MissingScope::new(Scope::BanksRead, Vec::new());
    if is_granted { missing.granted() } else { missing }
}

#[test]
fn missing_data_is_named() {
    assert_eq!(Error::NotOffered("snapshots").public(), "This service does not offer snapshots.");
}

#[test]
fn missing_scope_names_its_remedy() {
    for (is_granted, remedy) in
        [(true, "sign in again and allow it"), (false, "enable it where the token or client was created")]
    {
        let message = Error::InsufficientScope(missing(is_granted)).public();
        assert_eq!(message, format!("The access token lacks the scope banks:read: {remedy}."));
    }
}

#[test]
fn only_an_expired_grant_is_distinguished_from_an_invalid_one() {
    assert_eq!(Error::from(ReadError::Expired).public(), "The access token has expired.");
    assert_eq!(Error::from(ReadError::Revoked).public(), "The access token is missing or invalid.");
}

#[test]
fn internal_errors_do_not_show_their_cause() {
    let error = Error::from(Overflow);
    assert!(!error.public().contains("64-bit"), "{}", error.public());
}
