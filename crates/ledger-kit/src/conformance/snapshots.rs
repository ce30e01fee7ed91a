//! Rules about snapshots. A ledger need not offer them.

use passbook_operations::cashflow_summary::{CashflowSummary, Params};
use passbook_operations::{Error, Service};

use crate::conformance::report::{Report, Rule};
use crate::conformance::subject::{Grant, OpenLedger, Subject};

const SNAPSHOT: Rule<'static> = Rule {
    name: "snapshot-answers-like-the-ledger",
    sentence: "A snapshot of unchanged data returns what the ledger returns, for its caller only.",
};

pub(crate) async fn check(subject: &dyn Subject, report: &mut Report) {
    let open = subject.open("ada", Grant::Full).expect("every person has a full grant");
    match compare(&open).await {
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

async fn compare(open: &OpenLedger) -> Result<Result<(), String>, Error> {
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
