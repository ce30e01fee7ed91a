//! Tests of the table of settings.

use std::collections::BTreeSet;

use super::*;

#[test]
fn names_are_unique_and_have_the_prefix() {
    let names: BTreeSet<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
    assert_eq!(names.len(), SETTINGS.len());
    assert!(names.iter().all(|name| name.starts_with("PASSBOOK_")));
}

#[test]
fn secrets_have_no_flag() {
    for setting in SETTINGS.iter().filter(|setting| setting.secret) {
        assert!(!setting.has_flag(Program::Server) && !setting.has_flag(Program::Admin), "{}", setting.name);
    }
    let secrets = SETTINGS.iter().filter(|setting| setting.secret).map(|setting| setting.name);
    let expected = [
        "PASSBOOK_DATABASE_URL",
        "PASSBOOK_ADMIN_DATABASE_URL",
        "PASSBOOK_RATE_LIMIT_STORE",
        "PASSBOOK_SESSION_KEY",
    ];
    assert_eq!(BTreeSet::from_iter(secrets), BTreeSet::from(expected));
}

#[test]
fn every_setting_has_either_a_default_or_an_example() {
    for setting in SETTINGS {
        assert_ne!(setting.default.is_empty(), setting.example.is_empty(), "{}", setting.name);
    }
}

#[test]
fn every_setting_is_read_by_a_program() {
    assert!(SETTINGS.iter().all(|setting| !setting.read_by.is_empty()));
}
