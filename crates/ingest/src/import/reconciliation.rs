//! The comparison of transactions with the balances of files.

use std::collections::BTreeMap;

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
    /// Transactions that lie inside the days of a file and that the file lacks: name of the file, and number.
    pub missing: Vec<(String, u64)>,
}

/// Compares the transactions of a person's files with the balances of the files, by account.
pub async fn reconcile(client: &mut Client, user_id: Uuid) -> Result<Vec<AccountReport>, LoadError> {
    let transaction = client.transaction().await?;
    let stored = stored::read(&transaction, user_id).await?;
    let computed = compute(user_id, &stored);
    Ok(reports(&stored, &computed))
}

/// Returns the reports of all accounts with files, by name.
pub(super) fn reports(stored: &Stored, computed: &Computed) -> Vec<AccountReport> {
    let all = reconciliation::reconcile(&stored.statements, &stored.lines, &computed.resolution);
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
                missing: missing.map(|(statement, missing)| (file(*statement), missing.count)).collect(),
                reconciliation,
            }
        })
        .collect();
    reports.sort_by(|one, other| one.account.cmp(&other.account).then(one.account_id.cmp(&other.account_id)));
    reports
}

/// Stores the reconciliations: the last day of each account that agrees, its balance and its balance snapshots.
pub(super) async fn store(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    reports: &[AccountReport],
) -> Result<(), LoadError> {
    transaction.execute(RESTORE, &[&user_id]).await?;
    let clear = "delete from passbook.account_reconciliations where user_id = $1";
    transaction.execute(clear, &[&user_id]).await?;
    let mut reconciled: (Vec<Uuid>, Vec<Date>, Vec<i64>) = Default::default();
    let mut agreeing: BTreeMap<(Uuid, Date), i64> = BTreeMap::new();
    for report in reports {
        let Some((through, cents)) = report.reconciliation.through.zip(report.reconciliation.closing_cents)
        else {
            continue;
        };
        reconciled.0.push(report.account_id);
        reconciled.1.push(through);
        reconciled.2.push(cents);
        let days =
            report.reconciliation.agreeing.iter().map(|(day, cents)| ((report.account_id, *day), *cents));
        agreeing.extend(days);
    }
    let (accounts, days, cents) = reconciled;
    transaction.execute(STORE, &[&user_id, &accounts, &days, &cents]).await?;
    let (keys, cents): (Vec<(Uuid, Date)>, Vec<i64>) = agreeing.into_iter().unzip();
    let (accounts, days): (Vec<Uuid>, Vec<Date>) = keys.into_iter().unzip();
    transaction.execute(SNAPSHOTS, &[&user_id, &accounts, &days, &cents]).await?;
    Ok(())
}
