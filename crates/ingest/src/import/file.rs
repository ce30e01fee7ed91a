//! A file to store, and the copy of its lines.

use jiff::civil::Date;
use passbook_records::statement::{BalanceKind, Entry, IdTrust, LineState, Statement, StatementKind};
use tokio_postgres::Transaction;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::copy;
use super::profiles::{self, NewProfile};
use crate::load::LoadError;
use crate::load::from_database;

/// The lines of a file, each with the index of its statement: batches in the order of the file. A batch may be an error
/// of the reader, after which the file is not stored.
pub type Entries = Box<dyn Iterator<Item = Result<Vec<(usize, Entry)>, LoadError>> + Send>;

/// A file to import.
#[derive(Clone, Debug)]
pub struct NewFile {
    /// SHA-256 of the bytes.
    pub digest: [u8; 32],
    /// Name of the file, without its folder.
    pub name: String,
    /// True if transactions that the file should list and lacks are removed.
    pub replace: bool,
    /// The chosen order of day and month: `dmy`, `mdy` or `ymd`.
    pub date_order: Option<&'static str>,
    /// The person's new profile that the file was read with, which is stored with the file.
    pub new_profile: Option<NewProfile>,
    /// The statements, without entries.
    pub statements: Vec<NewStatement>,
}

/// A statement to import.
#[derive(Clone, Debug)]
pub struct NewStatement {
    /// The statement as read, without entries.
    pub statement: Statement,
    /// The account to which its lines belong.
    pub account_id: Uuid,
}

/// The rules file of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRules {
    /// Name of the file that the rules were read from.
    pub name: String,
    /// Text of the file (TOML).
    pub text: String,
}

/// Returns the identifier of a file.
pub(super) fn file_id(user_id: Uuid, digest: &[u8; 32]) -> Uuid {
    let text: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    passbook_records::id::derive(user_id, "imported-file", &text)
}

const INSERT_FILE: &str = "insert into passbook.import_files \
    (user_id, file_id, digest, name, format, profile, replaces_missing, date_order) \
    values ($1, $2, $3, $4::text, $5, $6, $7, $8)";

const INSERT_STATEMENT: &str = "insert into passbook.import_statements \
    (user_id, file_id, statement, account_id, iban, bank, account_number, account_name, kind, sequence_number, \
    statement_date, first_day, last_day, lists_pending, withdrawn_ids) \
    values ($1, $2, $3, $4, $5::text, $6::text, $7::text, $8::text, $9, $10::text, $11::date, $12::date, $13::date, $14, \
    $15)";

const INSERT_BALANCES: &str = include_str!("../../sql/import_insert_balances.sql");

const CREATE_LINES: &str = include_str!("../../sql/import_create_lines.sql");
const INSERT_LINES: &str = include_str!("../../sql/import_insert_lines.sql");

/// Stores a file with its statements and lines. Returns the number of lines.
pub(super) async fn store(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    file: &NewFile,
    entries: Entries,
    progress: &(dyn Fn(u64) + Send + Sync),
) -> Result<u64, LoadError> {
    let id = file_id(user_id, &file.digest);
    let first = file.statements.first().map(|one| &one.statement);
    let (format, profile) =
        (first.map_or("", |one| one.format.as_str()), first.and_then(|one| one.profile.as_deref()));
    let digest = file.digest.as_slice();
    if let Some(profile) = &file.new_profile {
        // Another file of this import may have stored it.
        profiles::create_profile(transaction, user_id, profile).await?;
    }
    let values: [&(dyn ToSql + Sync); 8] =
        [&user_id, &id, &digest, &file.name, &format, &profile, &file.replace, &file.date_order];
    transaction.execute(INSERT_FILE, &values).await.map_err(|error| from_database(error, "import_files"))?;
    for (number, one) in (0_i32..).zip(&file.statements) {
        insert_statement(transaction, user_id, id, number, one).await?;
    }
    copy_lines(transaction, user_id, id, file.statements.len(), entries, progress).await
}

async fn insert_statement(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    file_id: Uuid,
    number: i32,
    one: &NewStatement,
) -> Result<(), LoadError> {
    let NewStatement { statement, account_id } = one;
    let account = &statement.account;
    let values: [&(dyn ToSql + Sync); 15] = [
        &user_id,
        &file_id,
        &number,
        account_id,
        &account.iban,
        &account.bank,
        &account.number,
        &account.name,
        &kind_text(statement.kind),
        &statement.number,
        &statement.as_of,
        &statement.from,
        &statement.to,
        &statement.lists_pending,
        &statement.removed,
    ];
    let stored = transaction.execute(INSERT_STATEMENT, &values).await;
    stored.map_err(|error| from_database(error, "import_statements"))?;
    let balances = &statement.balances;
    let kinds: Vec<&str> = balances.iter().map(|balance| balance_kind(balance.kind)).collect();
    let dates: Vec<Date> = balances.iter().map(|balance| balance.day).collect();
    let cents: Vec<i64> = balances.iter().map(|balance| balance.cents).collect();
    let currencies: Vec<Option<&str>> =
        balances.iter().map(|balance| balance.currency.as_ref().map(|currency| currency.as_str())).collect();
    let values: [&(dyn ToSql + Sync); 7] = [&user_id, &file_id, &number, &kinds, &dates, &cents, &currencies];
    let stored = transaction.execute(INSERT_BALANCES, &values).await;
    stored.map_err(|error| from_database(error, "statement_balances"))?;
    Ok(())
}

async fn copy_lines(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    file_id: Uuid,
    statements: usize,
    entries: Entries,
    progress: &(dyn Fn(u64) + Send + Sync),
) -> Result<u64, LoadError> {
    let failed = |error| from_database(error, "import_lines");
    transaction.batch_execute(CREATE_LINES).await?;
    let mut writer = copy::begin(transaction, "given_lines").await.map_err(failed)?;
    let mut positions = vec![0_i32; statements];
    let mut count = 0;
    // A text of the database cannot contain the character NUL.
    let clean = |text: &str| text.replace('\0', " ");
    let optional = |text: &Option<String>| text.as_deref().map(clean);
    for batch in entries {
        for (statement, entry) in batch? {
            let position = positions[statement];
            positions[statement] += 1;
            count += 1;
            let statement = i32::try_from(statement).expect("a file has at most 10,000 statements");
            let id = entry.id.as_ref();
            // The columns of `import_create_lines.sql`.
            let values: [&(dyn ToSql + Sync); 31] = [
                &user_id,
                &file_id,
                &statement,
                &position,
                &i64::try_from(entry.line).unwrap_or(i64::MAX),
                &entry.booked,
                &entry.cents,
                &entry.currency.as_ref().map(|currency| currency.as_str()),
                &(entry.status == LineState::Pending),
                &entry.value_day,
                &entry.transaction_day,
                &id.map(|id| clean(&id.text)),
                &id.is_some_and(|id| id.trust == IdTrust::Authoritative),
                &optional(&entry.replaces),
                &optional(&entry.reference),
                &optional(&entry.party),
                &optional(&entry.party_account),
                &clean(&entry.text),
                &optional(&entry.code),
                &optional(&entry.category),
                &optional(&entry.own_category),
                &optional(&entry.own_parent),
                &entry.tags.iter().map(|tag| clean(tag)).collect::<Vec<_>>(),
                &optional(&entry.note),
                &entry.original.map(|original| original.cents),
                &entry.original.as_ref().map(|original| original.currency.as_str()),
                &entry.fee.map(|fee| fee.cents),
                &entry.fee.is_some_and(|fee| fee.included),
                &entry.balance_after,
                &optional(&entry.transfer_with),
                &clean(&entry.raw),
            ];
            writer.as_mut().write(&values).await.map_err(failed)?;
        }
        progress(count);
    }
    writer.as_mut().finish().await.map_err(failed)?;
    transaction.execute(INSERT_LINES, &[]).await.map_err(failed)?;
    let remove = "drop table pg_temp.given_lines";
    transaction.batch_execute(remove).await?;
    Ok(count)
}

/// Returns a kind of statements as stored.
fn kind_text(kind: StatementKind) -> &'static str {
    match kind {
        StatementKind::Window => "complete",
        StatementKind::Sequence => "sequence",
        StatementKind::Delta => "changes",
    }
}

/// Returns the kind of statements of a stored text.
pub(super) fn parse_kind(text: &str) -> StatementKind {
    match text {
        "sequence" => StatementKind::Sequence,
        "changes" => StatementKind::Delta,
        _ => StatementKind::Window,
    }
}

/// The kinds of balances, as stored.
const BALANCES: [(BalanceKind, &str); 4] = [
    (BalanceKind::Opening, "opening"),
    (BalanceKind::Closing, "closing"),
    (BalanceKind::Interim, "interim"),
    (BalanceKind::Available, "available"),
];

/// Returns a kind of balances as stored.
fn balance_kind(kind: BalanceKind) -> &'static str {
    BALANCES.iter().find(|(known, _)| *known == kind).map_or("", |(_, text)| *text)
}

/// Returns the kind of balances of a stored text.
pub(super) fn parse_balance_kind(text: &str) -> Option<BalanceKind> {
    BALANCES.iter().find(|(_, known)| *known == text).map(|(kind, _)| *kind)
}
