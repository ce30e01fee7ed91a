//! `categorize`: applies the rules to all imported transactions again.

use std::path::PathBuf;

use clap::Args;
use passbook_ingest::import::{self, Change, ImportOptions};
use serde::Serialize;
use tokio_postgres::Client;

use super::import::files::read_rules;
use super::transaction::{self, Rehearsal};
use super::user::{self, Owner};
use crate::error::CommandError;
use crate::listing::{self, Format, ListEntry, Listing};
use crate::output;

pub(super) const CATEGORIZE_EXAMPLES: &str = "\
Examples:
  passbook-admin categorize --user you@example.org --rules rules.toml --dry-run";

/// Rules to apply.
#[derive(Clone, Debug, Args)]
pub(crate) struct Categorize {
    #[command(flatten)]
    pub(crate) owner: Owner,
    /// Rules file (TOML) that replaces the stored one
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

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

impl ListEntry for ChangeEntry {
    const HEADING: &'static [&'static str] = &["date", "amount", "currency", "title", "from", "to"];

    fn cells(&self) -> Vec<String> {
        let (date, amount) = (self.date.clone(), listing::amount(self.amount_cents));
        vec![date, amount, self.currency.clone(), self.title.clone(), self.from.clone(), self.to.clone()]
    }
}
