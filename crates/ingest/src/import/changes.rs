//! Changes of the stored files and rules: each in one transaction, followed by the computation of all transactions.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use passbook_input::Fault;
use passbook_matching::rules::{Reason, Rules};
use passbook_matching::{Outcome, Step};
use passbook_records::record::{Account, Bank};
use serde::Serialize;
use tokio_postgres::{Client, Transaction};
use uuid::Uuid;

use super::file::{Entries, NewFile, StoredRules};
use super::reconciliation::AccountReport;
use super::stored::{Computed, Stored, compute};
use super::stored_files::is_stored;
use super::{accounts, difference, file, given_labels, reconciliation, stored};
use crate::load::{LoadError, Removal};

const LOCK: &str = include_str!("../../sql/import_lock.sql");

/// The rule of the fault for a file with days of an account that already has transactions of a bundle or ledger. A
/// program that offers a way to confirm can recognise the fault by this text, and name that way.
pub const OTHER_TRANSACTIONS: &str = "must have no days on which the account has transactions of a bundle or ledger, because these would count twice";

/// The rule of the fault for a list of changes with the time of another list of the account. A program that offers a way
/// to state the time can recognise the fault by this text, and name that way.
pub const SAME_TIME: &str =
    "must have another time than the other lists of changes of the account, because the newest one decides";

/// Options of an import.
#[derive(Clone, Copy)]
pub struct ImportOptions<'a> {
    /// True to run everything and then roll back.
    pub dry_run: bool,
    /// True to accept files with days of transactions of bundles and ledgers.
    pub beside_others: bool,
    /// True to remove transactions even if they are more than half of the stored transactions of files.
    pub remove_any: bool,
    /// Called with the number of lines that were stored so far.
    pub progress: &'a (dyn Fn(u64) + Send + Sync),
}

impl std::fmt::Debug for ImportOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ImportOptions").field("dry_run", &self.dry_run).finish_non_exhaustive()
    }
}

/// One file with one account in the result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FileSummary {
    /// Name of the file.
    pub file: String,
    /// Format, with the profile of a CSV file.
    pub format: String,
    /// Name of the account.
    pub account: String,
    /// Transactions that no other file has.
    pub new: u64,
    /// Transactions that an earlier file has.
    pub known: u64,
    /// Transactions that the file moved to another day.
    pub moved: u64,
    /// Lines of the file that are no transaction: a newer list of changes withdrew them, or a file whose balances prove its
    /// days lacks them.
    pub left_out: u64,
    /// Pending transactions of the file.
    pub pending: u64,
    /// Transactions of the file that are one leg of a transfer between own accounts.
    pub transfers: u64,
    /// Transactions of the file without a category.
    pub uncategorised: u64,
    /// The last day on which the account's transactions agree with the balances of its files.
    pub reconciled_through: Option<Date>,
}

/// The result of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// The new files by account.
    pub files: Vec<FileSummary>,
    /// The files that were stored before: the name now, and the identifier.
    pub known_files: Vec<(String, Uuid)>,
    /// Number of transactions that did not exist before.
    pub inserted: u64,
    /// Number of transactions with other values than before.
    pub updated: u64,
    /// Number of transactions to which files and rules give another own category, other tags or another note.
    pub relabelled: u64,
    /// The transactions that were removed.
    pub removal: Removal,
    /// Transactions that changed their type, category or link.
    pub changes: Vec<Change>,
    /// The accounts with files.
    pub reports: Vec<AccountReport>,
}

/// A transaction whose category changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Booking day.
    pub date: Date,
    /// Signed hundredths.
    #[serde(rename = "amount_cents")]
    pub cents: i64,
    /// Currency.
    pub currency: String,
    /// Title.
    pub title: String,
    /// Category before.
    pub from: String,
    /// Category afterwards.
    pub to: String,
}

/// Stores new banks and accounts, files and, if given, rules, and then the difference of all transactions, in one
/// transaction. A file that is stored already only takes the option to replace.
///
/// # Errors
/// [`LoadError::Faults`]: a file with days of other transactions, a text that cannot be stored, or a removal of more
/// than half of the transactions.
pub async fn import(
    client: &mut Client,
    user_id: Uuid,
    accounts: &[(Bank, Account)],
    files: Vec<(NewFile, Entries)>,
    rules: Option<&StoredRules>,
    options: ImportOptions<'_>,
) -> Result<Imported, LoadError> {
    let transaction = begin(client, user_id).await?;
    accounts::create_for_files(&transaction, user_id, accounts).await?;
    if let Some(rules) = rules {
        store_rules(&transaction, user_id, rules).await?;
    }
    let (mut new, mut known_files, mut stored_lines) = (Vec::new(), Vec::new(), 0);
    for (file, entries) in files {
        let id = file::file_id(user_id, &file.digest);
        if is_stored(&transaction, user_id, &file.digest).await? {
            if file.replace {
                let statement = "update passbook.import_files set replaces_missing = true \
                                 where user_id = $1 and file_id = $2";
                transaction.execute(statement, &[&user_id, &id]).await?;
            }
            known_files.push((file.name, id));
            continue;
        }
        let progress = |lines| (options.progress)(stored_lines + lines);
        stored_lines += file::store(&transaction, user_id, &file, entries, &progress).await?;
        new.push(id);
    }
    check_days(&transaction, user_id, &new, options).await?;
    let imported = change(&transaction, user_id, &new, options).await?;
    end(transaction, options).await?;
    Ok(Imported { known_files, ..imported })
}

/// Removes a file, as if it had never been imported, with the accounts that only this file made.
pub async fn undo(
    client: &mut Client,
    user_id: Uuid,
    file_id: Uuid,
    options: ImportOptions<'_>,
) -> Result<Imported, LoadError> {
    let transaction = begin(client, user_id).await?;
    let statement = "delete from passbook.import_files where user_id = $1 and file_id = $2";
    transaction.execute(statement, &[&user_id, &file_id]).await?;
    // The person named the file whose transactions go away.
    let imported = change(&transaction, user_id, &[], ImportOptions { remove_any: true, ..options }).await?;
    accounts::remove_unused(&transaction, user_id).await?;
    end(transaction, options).await?;
    Ok(imported)
}

/// Stores rules, if given, and categorises all transactions again.
pub async fn categorize(
    client: &mut Client,
    user_id: Uuid,
    rules: Option<&StoredRules>,
    options: ImportOptions<'_>,
) -> Result<Imported, LoadError> {
    let transaction = begin(client, user_id).await?;
    let before = categories(&transaction, user_id).await?;
    if let Some(rules) = rules {
        store_rules(&transaction, user_id, rules).await?;
    }
    let mut imported = change(&transaction, user_id, &[], options).await?;
    let after = categories(&transaction, user_id).await?;
    imported.changes = after
        .into_iter()
        .filter_map(|(id, now)| {
            let former = before.get(&id).filter(|former| former.to != now.to)?;
            Some(Change { from: former.to.clone(), ..now })
        })
        .collect();
    end(transaction, options).await?;
    Ok(imported)
}

pub(super) async fn begin(client: &mut Client, user_id: Uuid) -> Result<Transaction<'_>, LoadError> {
    let transaction = client.transaction().await?;
    transaction.query(LOCK, &[&user_id]).await?;
    Ok(transaction)
}

async fn store_rules(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    rules: &StoredRules,
) -> Result<(), LoadError> {
    Rules::from_toml(&rules.text, &rules.name).map_err(|faults| LoadError::Faults(faults.into_list()))?;
    let statement = "insert into passbook.import_rules (user_id, name, rules) values ($1, $2::text, $3) \
                     on conflict (user_id) do update set name = excluded.name, rules = excluded.rules";
    transaction.execute(statement, &[&user_id, &rules.name, &rules.text]).await?;
    Ok(())
}

/// Rejects files whose rows may count twice in their account, or whose order in it is open.
pub(super) async fn check_days(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    files: &[Uuid],
    options: ImportOptions<'_>,
) -> Result<(), LoadError> {
    check_times(transaction, user_id, files).await?;
    if options.beside_others { Ok(()) } else { check_others(transaction, user_id, files).await }
}

/// Rejects new files with days on which their account has transactions of a bundle or ledger.
async fn check_others(transaction: &Transaction<'_>, user_id: Uuid, files: &[Uuid]) -> Result<(), LoadError> {
    let statement = include_str!("../../sql/import_other_transactions.sql");
    let rows = transaction.query(statement, &[&user_id, &files]).await?;
    let fault = |row: &tokio_postgres::Row| {
        let (file, account, count): (&str, &str, i64) = (row.get(0), row.get(1), row.get(2));
        let received = format!("{count} transactions of the account {account} on these days");
        Fault::new(file, OTHER_TRANSACTIONS).received(received)
    };
    let faults: Vec<Fault> = rows.iter().map(fault).collect();
    if faults.is_empty() { Ok(()) } else { Err(LoadError::Faults(faults)) }
}

/// Rejects new lists of changes whose order among the others of their account is open.
async fn check_times(transaction: &Transaction<'_>, user_id: Uuid, files: &[Uuid]) -> Result<(), LoadError> {
    let statement = include_str!("../../sql/import_equal_times.sql");
    let rows = transaction.query(statement, &[&user_id, &files]).await?;
    let fault = |row: &tokio_postgres::Row| {
        let (file, other, day): (&str, &str, Option<Date>) = (row.get(0), row.get(1), row.get(2));
        let time: Option<&str> = row.get(3);
        let day = day.map(|day| day.to_string()).unwrap_or_default();
        Fault::new(file, SAME_TIME).received(format!("{day}T{}, as {other}", time.unwrap_or_default()))
    };
    let faults: Vec<Fault> = rows.iter().map(fault).collect();
    if faults.is_empty() { Ok(()) } else { Err(LoadError::Faults(faults)) }
}

pub(super) async fn end(transaction: Transaction<'_>, options: ImportOptions<'_>) -> Result<(), LoadError> {
    let ended = if options.dry_run { transaction.rollback().await } else { transaction.commit().await };
    Ok(ended?)
}

/// Computes and stores all transactions of files.
pub(super) async fn change(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    new: &[Uuid],
    options: ImportOptions<'_>,
) -> Result<Imported, LoadError> {
    let stored = stored::read(transaction, user_id).await?;
    let computed = compute(user_id, &stored);
    let difference = difference::store(transaction, user_id, &stored, &computed).await?;
    let relabelled = given_labels::store(transaction, user_id, &stored, &computed, new).await?;
    // A pending row that is booked is removed too, and needs no confirmation.
    let lacks_rows = computed.resolution.outcomes.contains(&Outcome::Removed);
    if lacks_rows && !options.remove_any && difference.removal.needs_confirmation() {
        return Err(LoadError::Faults(vec![difference.removal.too_large()]));
    }
    let today = reconciliation::today(transaction, user_id).await?;
    let reports = reconciliation::reports(&stored, &computed, today);
    reconciliation::store(transaction, user_id, &reports).await?;
    Ok(Imported {
        files: summaries(&stored, &computed, new, &reports),
        inserted: difference.inserted,
        updated: difference.updated,
        relabelled,
        removal: difference.removal,
        reports,
        ..Imported::default()
    })
}

/// Returns the summaries of the new files, in the order in which they were stored.
fn summaries(
    stored: &Stored,
    computed: &Computed,
    new: &[Uuid],
    reports: &[AccountReport],
) -> Vec<FileSummary> {
    let age: HashMap<Uuid, u32> = (1..).zip(new).map(|(age, file)| (*file, age)).collect();
    let age_of = |line: usize| {
        let place = &stored.places[stored.lines[line].statement as usize];
        age.get(&place.file_id).copied().unwrap_or(0)
    };
    // The oldest file of each row; 0 stands for all files that were stored before.
    let mut oldest = vec![u32::MAX; computed.resolution.rows.len()];
    for (line, outcome) in computed.resolution.outcomes.iter().enumerate() {
        if let Outcome::Row(row) = outcome {
            oldest[*row as usize] = oldest[*row as usize].min(age_of(line));
        }
    }
    let mut summaries: BTreeMap<(u32, Uuid), FileSummary> = BTreeMap::new();
    for (place, statement) in stored.places.iter().zip(&stored.statements) {
        let Some(age) = age.get(&place.file_id) else { continue };
        let report = reports.iter().find(|report| report.account_id == statement.account);
        summaries.entry((*age, statement.account)).or_insert_with(|| FileSummary {
            file: place.file_name.clone(),
            format: place.format.clone(),
            account: report.map(|report| report.account.clone()).unwrap_or_default(),
            reconciled_through: report.and_then(|report| report.reconciliation.through),
            ..FileSummary::default()
        });
    }
    // The file that counted the row last. A statement may stand twice in a file.
    let mut counted = vec![0; computed.resolution.rows.len()];
    for (line, outcome) in computed.resolution.outcomes.iter().enumerate() {
        let age = age_of(line);
        if *outcome == Outcome::Removed {
            let account = stored.statements[stored.lines[line].statement as usize].account;
            if let Some(summary) = summaries.get_mut(&(age, account)) {
                summary.left_out += 1;
            }
        }
        let Outcome::Row(index) = outcome else { continue };
        if std::mem::replace(&mut counted[*index as usize], age) == age {
            continue;
        }
        let row = &computed.resolution.rows[*index as usize];
        let Some(summary) = summaries.get_mut(&(age, computed.resolution.account(row))) else { continue };
        let transaction = &computed.transactions.all[*index as usize];
        let reason = stored.meanings[row.line as usize].meaning.reason;
        let is_new = oldest[*index as usize] == age;
        summary.new += u64::from(is_new);
        summary.known += u64::from(!is_new);
        summary.moved += u64::from(row.moved_from.is_some() && row.line as usize == line);
        summary.pending += u64::from(matches!(row.step, Step::Pending(_)));
        summary.transfers += u64::from(transaction.tier.is_some());
        summary.uncategorised += u64::from(reason == Reason::Nothing && transaction.link.is_none());
    }
    summaries.into_values().collect()
}

/// Returns the category of each stored transaction of files.
async fn categories(
    transaction: &Transaction<'_>,
    user_id: Uuid,
) -> Result<BTreeMap<Uuid, Change>, LoadError> {
    let statement = include_str!("../../sql/import_categories.sql");
    let rows = transaction.query(statement, &[&user_id]).await?;
    let change = |row: &tokio_postgres::Row| {
        let (date, cents, currency, title) = (row.get(1), row.get(2), row.get(3), row.get(4));
        (row.get(0), Change { date, cents, currency, title, from: String::new(), to: row.get(5) })
    };
    Ok(rows.iter().map(change).collect())
}
