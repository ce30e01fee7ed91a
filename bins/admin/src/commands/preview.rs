//! `preview`: shows the content of a file of a bank or an app.

use std::path::PathBuf;

use clap::Args;
use passbook_ingest::import::{AccountMatch, OwnAccount, match_account, own_accounts};
use passbook_ingest::people;
use passbook_statements::{Balance, BalanceKind, Entry, LineState, Statement};
use serde_json::{Value, json};
use tokio_postgres::Client;
use uuid::Uuid;

use super::memory::Memory;
use super::statement_file::{self, ReadingFlags, StatementFile};
use super::user::Owner;
use crate::database::{Database, is_absent};
use crate::error::CommandError;
use crate::listing::{self, Format, Listing};
use crate::output;
use crate::settings::DatabaseLocation;

pub(super) const PREVIEW_EXAMPLES: &str = "\
Examples:
  passbook-admin preview january.csv
  passbook-admin preview export.csv --profile my-bank.toml";

/// A file to show.
#[derive(Clone, Debug, Args)]
pub(crate) struct Preview {
    /// File of a bank or an app
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) owner: Owner,
    #[command(flatten)]
    pub(crate) reading: ReadingFlags,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// The titles of the cells of [`row`].
pub(super) const HEADING: [&str; 5] = ["line", "date", "amount", "party", "text"];
/// Number of rows that are shown of each account.
const ROWS: usize = 5;

/// Shows format, profile, account, the first rows, the sum and the balances of a file, and what earlier files decide.
pub(super) async fn run(location: DatabaseLocation, wanted: &Preview) -> Result<(), CommandError> {
    let earlier = match earlier(location, &wanted.owner).await {
        // A preview needs no database.
        Err(error) if wanted.owner.user.is_none() => {
            output::note(&format!("earlier files decide nothing: {}", error.lines().join(", ")));
            None
        }
        earlier => earlier?,
    };
    let unknown = Memory::default();
    let memory = earlier.as_ref().map_or(&unknown, |(_, _, memory)| memory);
    let mut file = memory.read_file(&wanted.file, &memory.options(&wanted.reading)?, ROWS)?;
    for (statement, (user_id, accounts, _)) in file.statements.iter_mut().zip(earlier.iter().cycle()) {
        let name = statement_file::name(&wanted.file);
        let known = match_account(*user_id, statement, &name, accounts, &memory.earlier);
        if let AccountMatch::Remembered { account, file } = known {
            let name = accounts.iter().find(|one| one.account_id == account).map_or("", |one| &one.name);
            statement.notices.push(format!("into {name}, as {file}"));
        }
    }
    match wanted.listing.output {
        Format::Text => output::lines(lines(&file)),
        Format::Json => listing::print_json(&document(&file)),
    }
}

/// Returns the user, the accounts and what earlier files decide; `None` without a database or a user.
async fn earlier(
    location: DatabaseLocation,
    owner: &Owner,
) -> Result<Option<(Uuid, Vec<OwnAccount>, Memory)>, CommandError> {
    if matches!(&location, DatabaseLocation::Embedded(config) if is_absent(config)) {
        return Ok(None);
    }
    let database = Database::for_data(location).await?;
    let read = async |client: &Client| {
        if owner.user.is_none() && people::list(client).await?.is_empty() {
            return Ok(None);
        }
        let user_id = owner.find(client).await?.user_id;
        Ok(Some((user_id, own_accounts(client, user_id).await?, Memory::read(client, user_id).await?)))
    };
    let (read, done) = match read(&database.client).await {
        Ok(read) => (read, Ok(())),
        Err(error) => (None, Err(error)),
    };
    database.close(done).await?;
    Ok(read)
}

fn rows_of(file: &StatementFile, index: usize) -> impl Iterator<Item = &Entry> {
    file.first.iter().filter(move |(owner, _)| *owner == index).map(|(_, entry)| entry)
}

fn account_text(statement: &Statement) -> String {
    let account = &statement.account;
    let currency = account.currency.map(|currency| currency.to_string());
    let parts = [
        account.bank_name.clone(),
        account.iban.clone().or_else(|| account.shown_number()),
        account.name.clone(),
        currency,
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "not named: give it with --account".to_owned() } else { parts.join(" ") }
}

fn lines(file: &StatementFile) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, statement) in file.statements.iter().enumerate() {
        let profile = statement.profile.as_ref().map(|profile| format!(" ({profile})")).unwrap_or_default();
        lines.push(format!("format   {}{profile}", statement.format));
        lines.push(format!("account  {}", account_text(statement)));
        lines.extend(output::table(HEADING, rows_of(file, index).map(row)));
        lines.push(format!("sum      {}", listing::amount(file.totals[index])));
        for balance in &statement.balances {
            lines.push(format!(
                "balance  {} on {}: {}",
                kind(balance),
                balance.day,
                listing::amount(balance.cents)
            ));
        }
        for skipped in &statement.skipped {
            lines.push(format!("left out {} rows: {}", skipped.count, skipped.reason));
        }
        lines.extend(statement.notices.iter().map(|notice| format!("notice   {notice}")));
    }
    lines.push(format!("rows     {} in the file", file.entries));
    lines
}

/// Returns the cells of an entry below [`HEADING`].
pub(super) fn row(entry: &Entry) -> [String; 5] {
    let pending = if entry.status == LineState::Pending { " pending" } else { "" };
    [
        entry.line.to_string(),
        entry.booked.to_string(),
        format!("{}{pending}", listing::amount(entry.cents)),
        output::printable(entry.party.as_deref().unwrap_or_default()),
        output::printable(&entry.text),
    ]
}

fn kind(balance: &Balance) -> &'static str {
    match balance.kind {
        BalanceKind::Opening => "before the first row",
        BalanceKind::Closing => "at the end",
        BalanceKind::Interim => "booked",
        BalanceKind::Available => "available",
    }
}

fn document(file: &StatementFile) -> Value {
    let statement = |(index, statement): (usize, &Statement)| {
        let entry = |entry: &Entry| {
            json!({
                "line": entry.line,
                "date": entry.booked,
                "amount_cents": entry.cents,
                "party": entry.party,
                "text": entry.text,
                "pending": entry.status == LineState::Pending,
            })
        };
        let balance = |balance: &Balance| json!({ "kind": kind(balance), "date": balance.day, "balance_cents": balance.cents });
        json!({
            "format": statement.format.as_str(),
            "profile": statement.profile,
            "account": {
                "iban": statement.account.iban,
                "number": statement.account.shown_number(),
                "name": statement.account.name,
                "bank": statement.account.bank_name,
                "currency": statement.account.currency,
            },
            "rows": rows_of(file, index).map(entry).collect::<Vec<_>>(),
            // JSON has no number for a sum of more than 64 bits.
            "sum_cents": i64::try_from(file.totals[index]).ok(),
            "balances": statement.balances.iter().map(balance).collect::<Vec<_>>(),
            "notices": statement.notices,
        })
    };
    let statements: Vec<Value> = file.statements.iter().enumerate().map(statement).collect();
    json!({ "statements": statements, "rows": file.entries })
}
