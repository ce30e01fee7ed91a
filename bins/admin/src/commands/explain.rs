//! `explain`: the origin of one imported transaction.

use clap::Args;
use jiff::civil::Date;
use passbook_ingest::import::{self, Explanation, FoundRow};
use passbook_input::Fault;
use serde_json::json;
use tokio_postgres::Client;
use uuid::Uuid;

use super::user::Owner;
use crate::chosen::cents;
use crate::error::CommandError;
use crate::listing::{self, Column, Format, ListEntry, Listing};
use crate::output;

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  passbook-admin explain markt --on 2025-01-13
  passbook-admin explain --amount 12.50";

/// Maximum number of transactions that a message lists.
const LISTED_MAX: i64 = 20;

/// A transaction to explain.
#[derive(Clone, Debug, Args)]
pub(crate) struct Explain {
    /// Id of the transaction, or a text in its merchant or title
    #[arg(value_name = "ROW", default_value = "")]
    pub(crate) transaction: String,
    /// Day of the transaction
    #[arg(long, value_name = "DAY")]
    pub(crate) on: Option<Date>,
    /// Amount of the transaction, with or without sign
    #[arg(long, value_parser = cents, allow_negative_numbers = true)]
    pub(crate) amount: Option<i64>,
    #[command(flatten)]
    pub(crate) owner: Owner,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// Prints the origin of a transaction.
pub(super) async fn run(client: &mut Client, wanted: &Explain) -> Result<(), CommandError> {
    let person = wanted.owner.find(client).await?;
    let id = match wanted.transaction.parse() {
        Ok(id) => id,
        Err(_) => find(client, person.user_id, wanted).await?,
    };
    let Some(explanation) = import::explain(client, person.user_id, id).await? else {
        let rule = "must be the id of an imported transaction of this user, as GET /v1/transactions shows it";
        return Err(CommandError::input(Fault::new("ROW", rule).received(wanted.transaction.clone())));
    };
    match wanted.listing.output {
        Format::Text => output::lines(lines(&explanation)),
        Format::Json => listing::print_json(&document(&explanation)),
    }
}

/// Returns the only transaction that fits text, day and amount.
async fn find(client: &Client, user_id: Uuid, wanted: &Explain) -> Result<Uuid, CommandError> {
    let rows =
        import::find(client, user_id, &wanted.transaction, wanted.on, wanted.amount, LISTED_MAX).await?;
    let rule = match &rows[..] {
        [row] => return Ok(row.transaction_id),
        [] => "must fit an imported transaction of this user, with --on and --amount".to_owned(),
        rows => {
            listing::table(rows).iter().for_each(|line| output::note(line));
            "must fit one transaction; narrow it with --on or --amount, or give an id of the list".to_owned()
        }
    };
    let fault = Fault::new("ROW", rule);
    let text = &wanted.transaction;
    Err(CommandError::input(if text.is_empty() { fault } else { fault.received(text.clone()) }))
}

impl ListEntry for FoundRow {
    const COLUMNS: &[Column<FoundRow>] = &[
        ("date", |entry| entry.date.to_string()),
        ("amount", |entry| listing::amount(entry.cents)),
        ("currency", |entry| entry.currency.clone()),
        ("transaction", |entry| entry.title.clone()),
        ("account", |entry| entry.account.clone()),
        ("id", |entry| entry.transaction_id.to_string()),
    ];
}

fn lines(explanation: &Explanation) -> Vec<String> {
    let amount = format!("{} {}", listing::amount(explanation.cents), explanation.currency);
    let mut rows = vec![
        ["transaction".to_owned(), format!("{} {amount} on {}", explanation.date, explanation.account)],
        ["identity".to_owned(), explanation.identity.clone()],
        ["category".to_owned(), explanation.category.clone()],
        ["because".to_owned(), explanation.reason.clone()],
    ];
    if let Some(link) = &explanation.link {
        rows.push(["linked".to_owned(), link.clone()]);
    }
    for other in &explanation.rejected {
        let text =
            format!("{} on {} in {}: {}", other.transaction_id, other.date, other.account, other.reason);
        rows.push(["not linked".to_owned(), text]);
    }
    for line in &explanation.lines {
        rows.push(["line".to_owned(), format!("{}, line {}, {}", line.file, line.line, line.format)]);
        let raw = output::printable(&line.raw);
        rows.push(["".to_owned(), raw.trim().to_owned()]);
    }
    output::table(&rows)
}

fn document(explanation: &Explanation) -> serde_json::Value {
    let line = |line: &import::ExplainedLine| json!({ "file": line.file, "format": line.format, "line": line.line, "raw": line.raw });
    let rejected = |other: &import::Rejected| {
        json!({
            "transaction_id": other.transaction_id,
            "date": other.date,
            "account": other.account,
            "reason": other.reason,
        })
    };
    json!({
        "date": explanation.date,
        "amount_cents": explanation.cents,
        "currency": explanation.currency,
        "account": explanation.account,
        "identity": explanation.identity,
        "category": explanation.category,
        "reason": explanation.reason,
        "link": explanation.link,
        "rejected": explanation.rejected.iter().map(rejected).collect::<Vec<_>>(),
        "lines": explanation.lines.iter().map(line).collect::<Vec<_>>(),
    })
}
