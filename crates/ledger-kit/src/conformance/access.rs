//! Rules about grants: which caller reads which data.

use passbook_domain::access::Credential;
use passbook_domain::scope::{Scope, Surface};
use passbook_operations::CatalogueEntry;
use serde_json::Value;

use crate::conformance::calls::{describe, execute, is_not_offered, outcome};
use crate::conformance::report::{Report, Rule};
use crate::conformance::subject::{Grant, Subject};

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
