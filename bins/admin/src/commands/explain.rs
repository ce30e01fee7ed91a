//! `explain`: the origin of one imported transaction.

use clap::Args;
use passbook_ingest::import::{self, Explanation};
use passbook_input::Fault;
use serde_json::json;
use tokio_postgres::Client;

use super::row::{self, RowFilter};
use super::user::Owner;
use crate::error::CommandError;
use crate::listing::{self, Format, Listing};
use crate::output;

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  passbook-admin explain markt --on 2025-01-13
  passbook-admin explain --amount 12.50";

/// A transaction to explain.
#[derive(Clone, Debug, Args)]
pub(crate) struct Explain {
    /// Text in merchant or title of the transaction, or its id or the end of it
    #[arg(value_name = "ROW", default_value = "")]
    pub(crate) transaction: String,
    #[command(flatten)]
    pub(crate) filter: RowFilter,
    #[command(flatten)]
    pub(crate) owner: Owner,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// Prints the origin of a transaction.
pub(super) async fn run(client: &mut Client, wanted: &Explain) -> Result<(), CommandError> {
    let person = wanted.owner.find(client).await?;
    let text = &wanted.transaction;
    let id = match text.parse() {
        Ok(id) => id,
        Err(_) => row::find(client, person.user_id, text, wanted.filter, true).await?.transaction_id,
    };
    let Some(explanation) = import::explain(client, person.user_id, id).await? else {
        let rule = "must be the id of an imported transaction of this user, as GET /v1/transactions shows it";
        return Err(CommandError::input(Fault::new("ROW", rule).received(wanted.transaction.clone())));
    };
    match wanted.listing.output {
        Format::Text => output::lines(lines(&explanation)),
        // A value sorts the members of objects by name.
        Format::Json => listing::print_json(&json!(explanation)),
    }
}

fn lines(explanation: &Explanation) -> Vec<String> {
    let amount = format!("{} {}", listing::amount(explanation.cents), explanation.currency);
    let mut rows = vec![
        ["transaction".to_owned(), format!("{} {amount} on {}", explanation.date, explanation.account)],
        ["identity".to_owned(), explanation.identity.clone()],
        ["category".to_owned(), explanation.category.clone()],
        ["because".to_owned(), explanation.reason.clone()],
    ];
    rows.extend(explanation.labels.iter().map(|label| {
        let text = if label.text.is_empty() { "none" } else { &label.text };
        [label.kind.clone(), format!("{text} ({})", label.reason)]
    }));
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
    output::columns(&rows)
}
