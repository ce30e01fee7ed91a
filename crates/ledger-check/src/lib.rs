//! A conformance kit for ledgers: rows, rules about numbers and access, and the expected answer of each rule.
//!
//! A test of the ledger stores the rows of [`sample`], implements [`Subject`] for the ledger, and runs [`check`]. The
//! report names each rule that the ledger breaks, with the call, the expected answer and the difference. The expected
//! answers are literals in `data/rules.json`. They were computed independently of the code of this project.
//!
//! ```
//! # struct NoLedger;
//! # impl passbook_ledger_check::Subject for NoLedger {
//! #     fn open(&self, _: &str, _: passbook_ledger_check::Grant) -> Option<passbook_ledger_check::OpenLedger> { None }
//! # }
//! # let subject = NoLedger;
//! let sample = passbook_ledger_check::sample();
//! assert_eq!(sample.people.iter().map(|person| person.name).collect::<Vec<_>>(), ["ada", "bob", "cleo"]);
//! // Store the sample; then, in a test with an asynchronous runtime:
//! let checking = async { passbook_ledger_check::check(&subject).await };
//! ```

mod access;
mod calls;
mod difference;
mod lists;
mod portfolio;
mod recurring;
mod report;
mod rules;
mod sample;
mod snapshots;
mod subject;
mod sums;
mod table;

pub use report::{Failure, Report};
pub use sample::{Rate, Sample, SamplePerson, sample};
pub use subject::{Grant, OpenLedger, Subject};

/// Checks every rule, and returns the rules that the ledger of the subject breaks.
pub async fn check(subject: &dyn Subject) -> Report {
    let mut report = Report::default();
    rules::check(subject, &mut report).await;
    lists::check(subject, &mut report).await;
    sums::check(subject, &mut report).await;
    portfolio::check(subject, &mut report).await;
    recurring::check(subject, &mut report).await;
    access::check(subject, &mut report).await;
    snapshots::check(subject, &mut report).await;
    report
}
