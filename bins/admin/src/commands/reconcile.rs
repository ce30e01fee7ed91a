//! `reconcile`: compares imported transactions with the balances of their files.

use passbook_domain::balance::{BalanceFinding, FindingKind};
use passbook_ingest::import::{self, AccountReport};
use serde::Serialize;
use tokio_postgres::Client;

use super::user::UserList;
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry};

pub(super) const RECONCILE_EXAMPLES: &str = "\
Examples:
  passbook-admin reconcile --user you@example.org";

/// Prints the comparison of each account.
pub(super) async fn run(client: &mut Client, wanted: &UserList) -> Result<(), CommandError> {
    let person = wanted.owner.find(client).await?;
    let reports = import::reconcile(client, person.user_id).await?;
    let entries: Vec<ReportEntry> = reports.iter().map(ReportEntry::of).collect();
    listing::print(&entries, wanted.listing)
}

/// The comparison of one account.
#[derive(Serialize)]
struct ReportEntry {
    account: String,
    balances: usize,
    since: Option<String>,
    reconciled_through: Option<String>,
    findings: Vec<String>,
}

impl ReportEntry {
    fn of(report: &AccountReport) -> ReportEntry {
        let reconciliation = &report.reconciliation;
        let differences = reconciliation.findings.iter().map(difference);
        let unbalanced = report
            .unbalanced
            .iter()
            .map(|(file, off)| format!("{file}: its lines lack {} to its balances", listing::amount(*off)));
        let gaps = reconciliation
            .gaps
            .iter()
            .map(|gap| format!("statements {} to {} are missing after {}", gap.first, gap.last, gap.after));
        let ambiguous = report.ambiguous.iter().map(|(file, other)| {
            format!(
                "{file} and {other}: equal lines of one day are ambiguous, and may be the same transactions"
            )
        });
        let advice = if report.has_several_sources {
            "if a file is of another account, move it: passbook-admin import move FILE --to ACCOUNT"
        } else {
            "--replace removes them"
        };
        let missing = report
            .missing
            .iter()
            .map(|(file, count)| format!("{file} lacks {count} transactions of other files; {advice}"));
        ReportEntry {
            account: report.account.clone(),
            balances: reconciliation.stated.len(),
            since: reconciliation.stated.first().map(|balance| balance.day.to_string()),
            reconciled_through: reconciliation.through.map(|day| day.to_string()),
            findings: differences.chain(unbalanced).chain(gaps).chain(ambiguous).chain(missing).collect(),
        }
    }
}

/// Returns the text of a difference between balances and transactions.
fn difference(found: &BalanceFinding) -> String {
    let (after, through, more) = (found.after, found.through, listing::amount(found.cents));
    match found.kind {
        FindingKind::Break => format!("after {after} through {through}: the balances change by {more} more"),
        FindingKind::Gap => {
            format!("after {after} through {through}: no file, and the balances change by {more}")
        }
        FindingKind::Doubted => {
            format!("{through}: the balance is {more} above those before and after, which agree")
        }
        FindingKind::Unused => {
            format!("{through}: another balance of the day is {more} higher, and not used")
        }
    }
}

impl ListEntry for ReportEntry {
    const COLUMNS: &[Column<ReportEntry>] =
        &[
            ("account", |entry| entry.account.clone()),
            ("balances", |entry| entry.balances.to_string()),
            ("since", |entry| listing::optional(entry.since.as_ref())),
            ("proven through", |entry| {
                entry.reconciled_through.clone().unwrap_or_else(|| "not provable".to_owned())
            }),
            ("findings", |entry| {
                if entry.findings.is_empty() { "none".to_owned() } else { entry.findings.join("; ") }
            }),
        ];
}
