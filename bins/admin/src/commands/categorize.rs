//! `categorize`: applies the rules to all imported transactions again.

use std::path::PathBuf;

use clap::Args;
use passbook_ingest::import::{self, Change, StoredRules};
use tokio_postgres::Client;
use uuid::Uuid;

use super::dialogue::{Confirmation, confirm};
use super::import::files::read_rules;
use super::import::stored_files::options;
use super::rule;
use super::transaction::{self, Rehearsal};
use super::user::Owner;
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
    /// Remove stored rules that the file lacks without asking. Required if standard input is not a terminal
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// Applies the rules, and prints the transactions whose category changes.
pub(super) async fn run(client: &mut Client, wanted: &Categorize) -> Result<(), CommandError> {
    let person = wanted.owner.find(client).await?;
    let rules = wanted.rules.as_deref().map(read_rules).transpose()?;
    if let Some(rules) = &rules {
        let removed = rule::removed_by(client, person.user_id, rules).await?;
        removed.iter().for_each(|rule| output::note(&format!("removes the rule {rule}")));
        if !removed.is_empty() {
            let query = "Replace the stored rules?";
            confirm(query, Confirmation { yes: wanted.yes }, wanted.rehearsal)?;
        }
    }
    apply(client, person.user_id, rules.as_ref(), wanted.rehearsal, wanted.listing).await
}

/// Stores rules, if given, applies them, and prints the transactions whose category changes.
pub(super) async fn apply(
    client: &mut Client,
    user_id: Uuid,
    rules: Option<&StoredRules>,
    rehearsal: Rehearsal,
    listing: Listing,
) -> Result<(), CommandError> {
    let imported = import::categorize(client, user_id, rules, options(rehearsal)).await?;
    let mut changes = imported.changes;
    for change in &mut changes {
        change.title = output::printable(&change.title);
    }
    transaction::note_dry_run(rehearsal);
    listing::print(&changes, listing)?;
    if listing.output == Format::Text {
        output::note(&format!("{} transactions have another category", changes.len()));
        if imported.relabelled > 0 {
            output::note(&format!("{} transactions have another own category or tags", imported.relabelled));
        }
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
