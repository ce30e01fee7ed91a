//! `reconcile`: compares imported transactions with the balances of their files.

use clap::Args;
use passbook_ingest::import::{self, AccountReport};
use serde::Serialize;
use tokio_postgres::Client;

use super::user::{self, Owner};
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing};

pub(super) const RECONCILE_EXAMPLES: &str = "\
Examples:
  passbook-admin reconcile --user you@example.org";

/// The files to compare with their balances.
#[derive(Clone, Debug, Args)]
pub(crate) struct Reconcile {
    #[command(flatten)]
    pub(crate) owner: Owner,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// Prints the comparison of each account.
pub(super) async fn run(client: &mut Client, wanted: &Reconcile) -> Result<(), CommandError> {
    let person = user::find(client, &wanted.owner.user).await?;
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
        let breaks = reconciliation.breaks.iter().map(|one| {
            let (after, through) = (one.after, one.through);
            format!("after {after} through {through}: the balances change by {} more", amount(one.cents))
        });
        let unbalanced = report
            .unbalanced
            .iter()
            .map(|(file, off)| format!("{file}: its lines lack {} to its balances", amount(*off)));
        let gaps = reconciliation
            .gaps
            .iter()
            .map(|gap| format!("statements {} to {} are missing after {}", gap.first, gap.last, gap.after));
        let missing = report.missing.iter().map(|(file, count)| {
            format!("{file} lacks {count} transactions of other files; --replace removes them")
        });
        ReportEntry {
            account: report.account.clone(),
            balances: reconciliation.points,
            since: reconciliation.since.map(|day| day.to_string()),
            reconciled_through: reconciliation.through.map(|day| day.to_string()),
            findings: breaks.chain(unbalanced).chain(gaps).chain(missing).collect(),
        }
    }
}

/// Returns hundredths as text with two decimals.
fn amount(cents: i128) -> String {
    listing::amount(i64::try_from(cents).unwrap_or(if cents < 0 { i64::MIN } else { i64::MAX }))
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
