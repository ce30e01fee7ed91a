//! `categorize`: applies the rules to all imported transactions again.

use passbook_ingest::import::{self, Change, ImportOptions};
use serde::Serialize;
use tokio_postgres::Client;

use super::import::files::read_rules;
use super::{transaction, user};
use crate::arguments::{Categorize, Format};
use crate::error::CommandError;
use crate::listing::{self, Entry};
use crate::output;

/// Applies the rules, and prints the transactions whose category changes.
pub(super) async fn run(client: &mut Client, wanted: &Categorize) -> Result<(), CommandError> {
    let person = user::find(client, &wanted.owner.user).await?;
    let rules = wanted.rules.as_deref().map(read_rules).transpose()?;
    let options = ImportOptions {
        dry_run: wanted.rehearsal.dry_run,
        beside_others: true,
        remove_any: true,
        progress: &|_| {},
    };
    let changed = import::categorize(client, person.user_id, rules.as_ref(), options).await?;
    let entries: Vec<ChangeEntry> = changed.changes.iter().map(ChangeEntry::of).collect();
    transaction::note_dry_run(wanted.rehearsal);
    listing::print(&entries, wanted.listing)?;
    if wanted.listing.output == Format::Text {
        output::note(&format!("{} transactions have another category", entries.len()));
    }
    Ok(())
}

/// A transaction whose category changes.
#[derive(Serialize)]
struct ChangeEntry {
    date: String,
    amount_cents: i64,
    currency: String,
    title: String,
    from: String,
    to: String,
}

impl ChangeEntry {
    fn of(change: &Change) -> ChangeEntry {
        ChangeEntry {
            date: change.date.to_string(),
            amount_cents: change.cents,
            currency: change.currency.clone(),
            title: output::printable(&change.title),
            from: change.from.clone(),
            to: change.to.clone(),
        }
    }
}

impl Entry for ChangeEntry {
    const HEADING: &'static [&'static str] = &["date", "amount", "currency", "title", "from", "to"];

    fn cells(&self) -> Vec<String> {
        let (date, amount) = (self.date.clone(), listing::amount(self.amount_cents));
        vec![date, amount, self.currency.clone(), self.title.clone(), self.from.clone(), self.to.clone()]
    }
}
