//! Unit tests of the errors of operations.

use domain::ports::ReadError;
use domain::scope::Scope;
use domain::tally::Overflow;

use super::{Code, Error};

#[test]
fn every_ledger_error_has_its_code() {
    let source = || Box::new(Overflow);
    for (error, code) in [
        (ReadError::Revoked, Code::Unauthorized),
        (ReadError::Expired, Code::Unauthorized),
        (ReadError::Forbidden, Code::Forbidden),
        (ReadError::MissingScope(Scope::BanksRead), Code::InsufficientScope),
        (ReadError::UnknownCursor, Code::InvalidCursor),
        (ReadError::Unavailable(source()), Code::Unavailable),
        (ReadError::TimedOut(source()), Code::Timeout),
        (ReadError::Broken(source()), Code::Internal),
    ] {
        let text = error.to_string();
        assert_eq!(Error::from(error).code(), code, "{text}");
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
