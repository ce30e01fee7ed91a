//! Unit tests of the service: scopes, surfaces, and the order of checks.

use std::sync::Arc;

use passbook_domain::person::Surfaces;
use passbook_domain::ports::ReadError;
use passbook_domain::scope::{Scope, Surface};
use passbook_test_support::{InMemoryLedger, RecordedAccess, credential, ready};

use super::Service;
use crate::entry::Entry;
use crate::error::{Code, Error};
use crate::harness::{execute, rest, texts};
use crate::top_merchants::TopMerchants;

/// Runs every operation of the catalogue without parameters.
#[expect(clippy::disallowed_methods, reason = "a unit test has no pipeline")]
fn run_all(ledger: &Arc<InMemoryLedger>) -> Vec<(Entry, Result<Vec<u8>, Error>)> {
    let service = Service::new(ledger.clone());
    let run = |entry: Entry| (entry, ready(entry.execute(&service, &credential(), &[])));
    Entry::all().into_iter().map(run).collect()
}

#[test]
fn every_operation_queries_the_ledger_once_with_its_scope() {
    let ledger = Arc::new(InMemoryLedger::new());
    let expected: Vec<Option<Scope>> = run_all(&ledger)
        .into_iter()
        .map(|(entry, result)| {
            assert!(result.is_ok(), "{}", entry.spec.id);
            entry.spec.scope
        })
        .collect();
    let scopes: Vec<Option<Scope>> = ledger.accesses().iter().map(|access| access.scope).collect();
    assert_eq!(scopes, expected);
}

#[test]
fn scopes_are_those_of_the_contract() {
    let contract = [
        ("me", None),
        ("transactions", Some("transactions:read")),
        ("cashflow_summary", Some("cashflow:read")),
        ("spending_summary", Some("spending:read")),
        ("spending_categories", Some("spending:read")),
        ("top_merchants", Some("spending:read")),
        ("recurring_payments", Some("recurring-payments:read")),
        ("budget_summary", Some("budgets:read")),
        ("budget_categories", Some("budgets:read")),
        ("banks_status", Some("banks:read")),
        ("portfolio", Some("portfolio:read")),
        ("portfolio_history", Some("portfolio:read")),
        ("preferences", Some("preferences:read")),
    ];
    let entries = Entry::all();
    for (id, scope) in contract {
        let entry = entries.iter().find(|entry| entry.spec.id == id).expect("an operation of the contract");
        assert_eq!(entry.spec.scope.map(Scope::as_str), scope, "{id}");
    }
}

#[test]
fn missing_scope_is_reported_with_its_name() {
    let ledger = Arc::new(InMemoryLedger::new().with_scopes(&[]));
    for (entry, result) in run_all(&ledger) {
        match (entry.spec.scope, result) {
            (None, result) => assert!(result.is_ok(), "{}", entry.spec.id),
            (Some(scope), Err(Error::InsufficientScope(missing))) => assert_eq!(missing.required, scope),
            (_, result) => panic!("{}: {result:?}", entry.spec.id),
        }
    }
}

#[test]
fn ledger_is_not_queried_if_a_parameter_is_invalid() {
    let ledger = Arc::new(InMemoryLedger::new());
    let result = execute::<TopMerchants>(ledger.clone(), &credential(), &texts(&[("limit", "0")]));
    assert_eq!(result.map_err(|error| error.code()), Err(Code::InvalidRequest));
    assert!(ledger.accesses().is_empty());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a unit test has no pipeline")]
fn check_grant_checks_grant_and_surface_without_a_scope() {
    let ledger =
        Arc::new(InMemoryLedger::new().with_scopes(&[]).with_surfaces(Surfaces { rest: true, mcp: false }));
    let service = Service::new(ledger.clone());
    let check_grant =
        |surface| ready(service.check_grant(&credential().through(surface))).map_err(|error| error.code());
    assert_eq!((check_grant(Surface::Rest), check_grant(Surface::Mcp)), (Ok(()), Err(Code::Forbidden)));
    let recorded = |surface| RecordedAccess { scope: None, surface: Some(surface) };
    assert_eq!(ledger.accesses(), [recorded(Surface::Rest), recorded(Surface::Mcp)]);
}

#[test]
fn revoked_grant_is_unauthorized() {
    let result = rest::<TopMerchants>(InMemoryLedger::new().with_failure(|| ReadError::Revoked), &[]);
    assert!(matches!(result, Err(Error::Unauthorized { expired: false })));
}

#[test]
fn report_settings_need_a_live_grant_and_no_scope() {
    let settings =
        |ledger: InMemoryLedger| ready(Service::new(Arc::new(ledger)).report_settings(&credential()));
    let found = settings(InMemoryLedger::new().with_scopes(&[])).expect("settings");
    let expected =
        (passbook_domain::Currency::EUR, "Europe/Berlin", passbook_test_support::date("2026-11-21"));
    assert_eq!((found.preferred_currency, found.time_zone.as_str(), found.today), expected);
    let revoked = settings(InMemoryLedger::new().with_failure(|| ReadError::Revoked));
    assert_eq!(revoked.map_err(|error| error.code()), Err(Code::Unauthorized));
}

#[test]
fn ledger_without_snapshots_answers_not_offered() {
    let service = Service::new(Arc::new(InMemoryLedger::new()));
    let credential = credential();
    let error = ready(service.snapshot(&credential)).expect_err("the in-memory ledger has no snapshots");
    assert!(matches!(error, Error::NotOffered("snapshots")), "{error:?}");
}
