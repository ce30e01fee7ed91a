//! `categorize`: applies the rules to all imported transactions again.

use std::path::PathBuf;

use clap::Args;
use passbook_ingest::import::{self, Change, ImportOptions};
use tokio_postgres::Client;

use super::import::files::read_rules;
use super::transaction::{self, Rehearsal};
use super::user::{self, Owner};
use crate::error::CommandError;
use crate::listing::{self, Column, Format, ListEntry, Listing};
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
    let mut changes = import::categorize(client, person.user_id, rules.as_ref(), options).await?.changes;
    for change in &mut changes {
        change.title = output::printable(&change.title);
    }
    transaction::note_dry_run(wanted.rehearsal);
    listing::print(&changes, wanted.listing)?;
    if wanted.listing.output == Format::Text {
        output::note(&format!("{} transactions have another category", changes.len()));
    }
    Ok(())
}

impl ListEntry for Change {
    const COLUMNS: &[Column<Change>] = &[
        ("date", |entry| entry.date.to_string()),
        ("amount", |entry| listing::amount(entry.cents)),
        ("currency", |entry| entry.currency.clone()),
        ("title", |entry| entry.title.clone()),
        ("from", |entry| entry.from.clone()),
        ("to", |entry| entry.to.clone()),
    ];
}
