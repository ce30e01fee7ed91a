//! The comparison of transactions with the balances of files.

use jiff::civil::Date;
use passbook_domain::balance::{BalanceMoment, StatedBalance};
use passbook_matching::reconciliation;
use passbook_matching::reconciliation::AccountReconciliation;
use tokio_postgres::{Client, Transaction};
use uuid::Uuid;

use super::stored;
use super::stored::{Computed, Stored, compute};
use crate::load::LoadError;

const BALANCES: &str = include_str!("../../sql/import_store_balances.sql");
const COVERED: &str = include_str!("../../sql/import_store_covered_days.sql");

const AMBIGUOUS: &str = "update passbook.accounts set ambiguous_from = given.day \
                         from passbook.accounts as stored left join unnest($2::uuid[], $3::date[]) as given (account_id, day) \
                         on given.account_id = stored.account_id \
                         where accounts.user_id = $1 and stored.user_id = $1 and accounts.account_id = stored.account_id \
                         and accounts.ambiguous_from is distinct from given.day";

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
    /// True if the files of the account have several formats or profiles, so that one may be of another account.
    pub has_several_sources: bool,
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
        &|row| computed.transactions.all[row].is_stored,
        &changes_without_rows,
        today,
    );
    let file = |statement: u32| stored.places[statement as usize].file_name.clone();
    let mut reports: Vec<AccountReport> = all
        .into_iter()
        .map(|(account_id, reconciliation)| {
            let own = |statement: u32| stored.statements[statement as usize].account == account_id;
            let missing = computed.resolution.missing.iter().filter(|(statement, _)| own(**statement));
            let mut sources =
                stored.statements.iter().filter(|one| one.account == account_id).map(|one| &one.origin);
            let first = sources.next();
            AccountReport {
                account_id,
                has_several_sources: sources.any(|origin| Some(origin) != first),
                account: stored.account_name(account_id),
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
                missing: missing.map(|(statement, count)| (file(*statement), *count)).collect(),
                reconciliation,
            }
        })
        .collect();
    reports.sort_by(|one, other| one.account.cmp(&other.account).then(one.account_id.cmp(&other.account_id)));
    reports
}

/// Stores the balances and the days of the files of all accounts of a person: covered ones, and the first ambiguous one.
pub(super) async fn store(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    reports: &[AccountReport],
) -> Result<(), LoadError> {
    let (mut accounts, mut first, mut last) = (Vec::new(), Vec::new(), Vec::new());
    // The balances with the account, and the position among those of the day.
    let mut stated: Vec<(Uuid, i32, &StatedBalance)> = Vec::new();
    for report in reports {
        let reconciliation = &report.reconciliation;
        for of_day in reconciliation.stated.chunk_by(|one, other| one.day == other.day) {
            let numbered = (0..).zip(of_day);
            stated.extend(numbered.map(|(position, balance)| (report.account_id, position, balance)));
        }
        for days in &reconciliation.covered {
            accounts.push(report.account_id);
            first.push(days.first);
            last.push(days.last);
        }
    }
    let of: Vec<Uuid> = stated.iter().map(|(account, ..)| *account).collect();
    let dates: Vec<Date> = stated.iter().map(|(.., balance)| balance.day).collect();
    let positions: Vec<i32> = stated.iter().map(|(_, position, _)| *position).collect();
    let cents: Vec<i64> = stated.iter().map(|(.., balance)| balance.cents).collect();
    let listed = stated.iter().map(|(.., balance)| match balance.moment {
        BalanceMoment::EndOfDay => None,
        BalanceMoment::Instant { listed_cents } => Some(listed_cents),
    });
    let listed: Vec<Option<i64>> = listed.collect();
    transaction.execute(BALANCES, &[&user_id, &of, &dates, &positions, &cents, &listed]).await?;
    transaction.execute(COVERED, &[&user_id, &accounts, &first, &last]).await?;
    let ambiguous = reports.iter().map(|report| (report.account_id, report.reconciliation.ambiguous_from));
    let (accounts, first): (Vec<Uuid>, Vec<Option<Date>>) = ambiguous.unzip();
    transaction.execute(AMBIGUOUS, &[&user_id, &accounts, &first]).await?;
    Ok(())
}
