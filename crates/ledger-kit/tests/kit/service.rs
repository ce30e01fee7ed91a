//! The service over a ledger: scopes, surfaces, and the order of checks.

use std::sync::Arc;

use passbook_domain::Currency;
use passbook_domain::access::Credential;
use passbook_domain::person::Surfaces;
use passbook_domain::ports::ReadError;
use passbook_domain::scope::{Scope, Surface};
use passbook_ledger_kit::{LedgerData, MemoryLedger, OpenLedger, TestGrants, answer, sample};
use passbook_operations::{CatalogueEntry, Code, Error, Service};
use serde_json::json;

use super::ready;

type Ledger = Arc<MemoryLedger<TestGrants>>;

fn grants() -> TestGrants {
    TestGrants::new(sample())
}

fn ledger(grants: TestGrants) -> (Ledger, Credential) {
    let LedgerData { people, .. } = sample();
    (Arc::new(MemoryLedger::new(grants)), TestGrants::credential(people[0].id))
}

/// Runs every operation of the catalogue without parameters.
#[expect(clippy::disallowed_methods, reason = "a unit test has no pipeline")]
fn run_all((ledger, credential): &(Ledger, Credential)) -> Vec<(CatalogueEntry, Result<Vec<u8>, Error>)> {
    let service = Service::new(ledger.clone());
    let run = |entry: CatalogueEntry| (entry, ready(entry.execute(&service, credential, &[])));
    CatalogueEntry::all().into_iter().map(run).collect()
}

#[test]
fn every_operation_queries_the_ledger_once_with_its_scope() {
    let opened = ledger(grants());
    let mut expected = Vec::new();
    for (entry, result) in run_all(&opened) {
        assert!(result.is_ok(), "{}", entry.spec.id);
        expected.push((entry.spec.scope, None));
    }
    assert_eq!(opened.0.grants().accesses(), expected);
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
    let entries = CatalogueEntry::all();
    for (id, scope) in contract {
        let entry = entries.iter().find(|entry| entry.spec.id == id).expect("an operation of the contract");
        assert_eq!(entry.spec.scope.map(Scope::as_str), scope, "{id}");
    }
}

#[test]
fn missing_scope_is_reported_with_its_name() {
    for (entry, result) in run_all(&ledger(grants().with_scopes(&[]))) {
        match (entry.spec.scope, result) {
            (None, result) => assert!(result.is_ok(), "{}", entry.spec.id),
            (Some(scope), Err(Error::InsufficientScope(missing))) => assert_eq!(missing.required, scope),
            (_, result) => panic!("{}: {result:?}", entry.spec.id),
        }
    }
}

#[test]
fn ledger_is_not_queried_if_a_parameter_is_invalid() {
    let (ledger, credential) = ledger(grants());
    let open = OpenLedger { ledger: ledger.clone(), credential };
    assert_eq!(ready(answer(&open, "top_merchants", &[("limit", "0")]))["error"], "INVALID_REQUEST");
    assert!(ledger.grants().accesses().is_empty());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a unit test has no pipeline")]
fn check_grant_checks_grant_and_surface_without_a_scope() {
    let grants = grants().with_scopes(&[]).with_surfaces(Surfaces { rest: true, mcp: false });
    let (ledger, credential) = ledger(grants);
    let service = Service::new(ledger.clone());
    let check_grant = |surface| {
        ready(service.check_grant(&credential.clone().through(surface))).map_err(|error| error.code())
    };
    assert_eq!((check_grant(Surface::Rest), check_grant(Surface::Mcp)), (Ok(()), Err(Code::Forbidden)));
    let recorded = [Surface::Rest, Surface::Mcp].map(|surface| (None, Some(surface)));
    assert_eq!(ledger.grants().accesses(), recorded);
}

#[test]
fn current_user_has_the_surfaces_of_the_grant_and_needs_no_scope() {
    let grants = grants().with_scopes(&[]).with_surfaces(Surfaces { rest: true, mcp: false });
    let (ledger, credential) = ledger(grants);
    let id = credential.user().as_uuid();
    let me = ready(answer(&OpenLedger { ledger, credential }, "me", &[]));
    let capabilities = json!({ "readonly": true, "rest": true, "mcp": false });
    assert_eq!(me, json!({ "id": id, "capabilities": capabilities, "email": "ada" }));
}

#[test]
fn report_settings_need_a_live_grant_and_no_scope() {
    let settings = |grants| {
        let (ledger, credential) = ledger(grants);
        ready(Service::new(ledger).report_settings(&credential))
    };
    let found = settings(grants().with_scopes(&[])).expect("settings");
    let found = (found.preferred_currency, found.time_zone.as_str(), found.today);
    assert_eq!(found, (Currency::EUR, "Europe/Berlin", sample().today));
    let revoked = settings(grants().with_failure(|| ReadError::Revoked));
    assert!(matches!(revoked, Err(Error::Unauthorized { expired: false })), "{revoked:?}");
}

#[test]
fn ledger_without_snapshots_answers_not_offered() {
    let (ledger, credential) = ledger(grants());
    let service = Service::new(ledger);
    let error = ready(service.snapshot(&credential)).expect_err("the ledger in memory has no snapshots");
    assert!(matches!(error, Error::NotOffered("snapshots")), "{error:?}");
}
