//! Rules about grants: which caller reads which data.

use passbook_domain::access::Credential;
use passbook_domain::scope::{Scope, Surface};
use passbook_operations::cashflow_summary::{CashflowSummary, Params};
use passbook_operations::{CatalogueEntry, Error, Service};
use serde_json::Value;

use super::calls::{Grant, OpenLedger, Subject, describe, execute, is_not_offered, outcome};
use super::report::{Report, Rule};

const REVOKED: Rule<'static> = Rule {
    name: "revoked-grant-reads-nothing",
    sentence: "No method returns data under a grant that is unknown or revoked.",
};
const EXPIRED: Rule<'static> = Rule {
    name: "expired-grant-reads-nothing",
    sentence: "No method returns data under a grant that has expired.",
};
const SCOPES: Rule<'static> = Rule {
    name: "scope-of-the-grant-is-required",
    sentence: "A method returns data only if the grant has the scope of the access.",
};
const TOKEN_SCOPES: Rule<'static> = Rule {
    name: "scopes-of-the-token-narrow",
    sentence: "If the token names scopes, only those scopes of the grant count (Access::check_scope).",
};
const SURFACES: Rule<'static> = Rule {
    name: "surface-of-the-grant-is-required",
    sentence: "No method returns data through a surface that the grant does not allow.",
};
const PEOPLE: Rule<'static> = Rule {
    name: "grant-belongs-to-its-person",
    sentence: "No method returns data of a person under the grant of another person.",
};

/// The scopes of [`Grant::Spending`].
const SPENDING: [Scope; 2] = [Scope::SpendingRead, Scope::CashflowRead];

pub(crate) async fn check(subject: &dyn Subject, report: &mut Report) {
    let rejected = |codes: &'static [&'static str]| move |_: &CatalogueEntry| codes;
    let missing = |entry: &CatalogueEntry| match entry.spec.scope {
        Some(scope) if !SPENDING.contains(&scope) => &["INSUFFICIENT_SCOPE"][..],
        _ => &[],
    };
    let scoped =
        |entry: &CatalogueEntry| if entry.spec.scope.is_some() { &["INSUFFICIENT_SCOPE"][..] } else { &[] };
    let no_change = |credential: Credential| credential;
    let to_tools = |credential: Credential| credential.through(Surface::Mcp);
    let to_rest = |credential: Credential| credential.through(Surface::Rest);
    let narrowed = |credential: Credential| credential.limited_to(Vec::new());
    each(subject, report, (REVOKED, Grant::Revoked), no_change, rejected(&["UNAUTHORIZED"])).await;
    each(subject, report, (EXPIRED, Grant::Expired), no_change, rejected(&["UNAUTHORIZED"])).await;
    each(subject, report, (SCOPES, Grant::Spending), no_change, missing).await;
    each(subject, report, (TOKEN_SCOPES, Grant::Full), narrowed, scoped).await;
    each(subject, report, (SURFACES, Grant::RestOnly), to_tools, rejected(&["FORBIDDEN"])).await;
    each(subject, report, (SURFACES, Grant::RestOnly), to_rest, rejected(&[])).await;
    let others = rejected(&["FORBIDDEN", "UNAUTHORIZED"]);
    each(subject, report, (PEOPLE, Grant::OfAnotherPerson), no_change, others).await;
}

/// Runs every operation under a grant. `expected` returns the codes of the errors that an operation may have; none if
/// the operation must succeed.
async fn each(
    subject: &dyn Subject,
    report: &mut Report,
    (rule, grant): (Rule<'static>, Grant),
    change: impl Fn(Credential) -> Credential,
    expected: impl Fn(&CatalogueEntry) -> &'static [&'static str],
) {
    let Some(open) = subject.open("ada", grant) else { return report.skip(&rule) };
    let credential = change(open.credential.clone());
    for entry in CatalogueEntry::all() {
        let operation = entry.spec.id;
        let found = outcome(execute(&open, &credential, operation, &[]).await);
        let call = describe(&format!("ada under the grant {grant:?}"), operation, &[]);
        report.record(rule, call, check_code(expected(&entry), &found));
    }
}

fn check_code(expected: &[&str], found: &Value) -> Result<(), String> {
    let code = found.get("error").and_then(Value::as_str);
    // A ledger need not offer every kind of data.
    if is_not_offered(found) || code.map_or(expected.is_empty(), |code| expected.contains(&code)) {
        return Ok(());
    }
    let wanted = if expected.is_empty() { "a result".to_owned() } else { expected.join(" or ") };
    Err(format!("expected {wanted}, found {found}"))
}

const SNAPSHOT: Rule<'static> = Rule {
    name: "snapshot-answers-like-the-ledger",
    sentence: "A snapshot of unchanged data returns what the ledger returns, for its caller only.",
};

pub(super) async fn check_snapshots(subject: &dyn Subject, report: &mut Report) {
    let open = subject.open("ada", Grant::Full).expect("every person has a full grant");
    match compare_snapshot(&open).await {
        Err(Error::NotOffered(_)) => report.skip(&SNAPSHOT),
        result => {
            let result = result.map_err(|error| passbook_domain::error_chain(&error));
            report.record(SNAPSHOT, "ada: Ledger::snapshot", result.flatten());
        }
    }
    if let Some(open) = subject.open("ada", Grant::Revoked) {
        let service = Service::new(open.ledger.clone());
        let result = match service.snapshot(&open.credential).await.map(drop) {
            Err(Error::NotOffered(_) | Error::Unauthorized { .. }) => Ok(()),
            other => Err(format!("expected UNAUTHORIZED, found {other:?}")),
        };
        report.record(SNAPSHOT, "ada under the grant Revoked: Ledger::snapshot", result);
    }
}

async fn compare_snapshot(open: &OpenLedger) -> Result<Result<(), String>, Error> {
    let service = Service::new(open.ledger.clone());
    let expected = service.call::<CashflowSummary>(&open.credential, Params::default()).await?;
    let snapshot = service.snapshot(&open.credential).await?;
    for _ in 0..2 {
        let found = snapshot.call::<CashflowSummary>(Params::default()).await?;
        if found != expected {
            return Ok(Err(format!("expected {expected:?}, found {found:?}")));
        }
    }
    Ok(Ok(()))
}
