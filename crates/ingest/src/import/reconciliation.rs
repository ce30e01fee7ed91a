//! The comparison of transactions with the balances of files.

use jiff::civil::Date;
use passbook_matching::reconciliation::{self, AccountReconciliation};
use tokio_postgres::{Client, Transaction};
use uuid::Uuid;

use super::computed::{Computed, compute};
use super::stored::{self, Stored};
use crate::load::LoadError;

const RESTORE: &str = include_str!("../../sql/import_restore_balances.sql");
const STORE: &str = include_str!("../../sql/import_store_reconciliations.sql");
const SNAPSHOTS: &str = include_str!("../../sql/import_store_snapshots.sql");

/// The comparison of an account's transactions with the balances of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountReport {
    /// The account.
    pub account_id: Uuid,
    /// Name of the account.
    pub account: String,
    /// The comparison.
    pub reconciliation: AccountReconciliation,
    /// Statements whose lines do not add up: name of the file, and difference in hundredths.
    pub unbalanced: Vec<(String, i128)>,
    /// Names of two files whose equal lines of one day may be the same transactions.
    pub ambiguous: Vec<(String, String)>,
    /// Transactions that lie inside the days of a file and that the file lacks: name of the file, and number.
    pub missing: Vec<(String, u64)>,
}

/// Compares the transactions of a person's files with the balances of the files, by account.
pub async fn reconcile(client: &mut Client, user_id: Uuid) -> Result<Vec<AccountReport>, LoadError> {
    let transaction = client.transaction().await?;
    let stored = stored::read(&transaction, user_id).await?;
    let computed = compute(user_id, &stored);
    let today = today(&transaction, user_id).await?;
    Ok(reports(&stored, &computed, today))
}

/// Returns the current day of a person.
pub(super) async fn today(transaction: &Transaction<'_>, user_id: Uuid) -> Result<Date, LoadError> {
    let query = "select (now() at time zone time_zone)::date from passbook.users where user_id = $1";
    Ok(transaction.query_one(query, &[&user_id]).await?.try_get(0)?)
}

/// Returns the reports of all accounts with files, by name.
pub(super) fn reports(stored: &Stored, computed: &Computed, today: Date) -> Vec<AccountReport> {
    let changes_without_rows = |account: Uuid| {
        let kind = stored.account(account).map(|account| account.kind.as_str());
        matches!(kind, Some("investment" | "loan" | "other"))
    };
    let all = reconciliation::reconcile(
        &stored.statements,
        &stored.lines,
        &computed.resolution,
        &changes_without_rows,
        today,
    );
    let file = |statement: u32| stored.places[statement as usize].file_name.clone();
    let mut reports: Vec<AccountReport> = all
        .into_iter()
        .map(|(account_id, reconciliation)| {
            let own = |statement: u32| stored.statements[statement as usize].account == account_id;
            let missing = computed.resolution.missing.iter().filter(|(statement, _)| own(**statement));
            AccountReport {
                account_id,
                account: stored.account(account_id).map_or_else(String::new, |account| account.name.clone()),
                unbalanced: reconciliation
                    .unbalanced
                    .iter()
                    .map(|(statement, off)| (file(*statement), *off))
                    .collect(),
                ambiguous: reconciliation
                    .ambiguous
                    .iter()
                    .map(|(earlier, later)| (file(*earlier), file(*later)))
                    .collect(),
                missing: missing.map(|(statement, missing)| (file(*statement), missing.count)).collect(),
                reconciliation,
            }
        })
        .collect();
    reports.sort_by(|one, other| one.account.cmp(&other.account).then(one.account_id.cmp(&other.account_id)));
    reports
}

/// Stores the reconciliations: the last day of each account through which it is reconciled, its newest balance and the
/// balances of its days.
pub(super) async fn store(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    reports: &[AccountReport],
) -> Result<(), LoadError> {
    transaction.execute(RESTORE, &[&user_id]).await?;
    let clear = "delete from passbook.account_reconciliations where user_id = $1";
    transaction.execute(clear, &[&user_id]).await?;
    let (mut accounts, mut through) = (Vec::new(), Vec::new());
    let (mut newest_days, mut newest_cents) = (Vec::new(), Vec::new());
    let (mut of, mut days, mut cents) = (Vec::new(), Vec::new(), Vec::new());
    for report in reports {
        let Some((newest_day, newest)) = report.reconciliation.daily.last() else { continue };
        accounts.push(report.account_id);
        through.push(report.reconciliation.through);
        newest_days.push(*newest_day);
        newest_cents.push(*newest);
        for (day, balance) in &report.reconciliation.daily {
            of.push(report.account_id);
            days.push(*day);
            cents.push(*balance);
        }
    }
    transaction.execute(STORE, &[&user_id, &accounts, &through, &newest_days, &newest_cents]).await?;
    transaction.execute(SNAPSHOTS, &[&user_id, &of, &days, &cents]).await?;
    Ok(())
}
