//! `category`: the categories, those that totals exclude, and the category of a text.

use clap::Subcommand;
use passbook_domain::category::Category;
use passbook_ingest::people;
use passbook_input::Fault;
use serde::Serialize;
use tokio_postgres::Client;

use super::rule::{self, NewRule};
use super::transaction::{self, Rehearsal};
use super::user::Owner;
use crate::chosen::category;
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing};
use crate::output;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin category list
  passbook-admin category set METRO groceries --dry-run
  passbook-admin category exclude vacation
  passbook-admin category include vacation";

#[derive(Debug, Subcommand)]
pub(crate) enum CategoryCommand {
    /// List all categories, and which of them totals exclude
    List {
        #[command(flatten)]
        owner: Owner,
        #[command(flatten)]
        listing: Listing,
    },
    /// Give imported transactions with a text a category, past and future ones; the same as `rule create`
    Set(NewRule),
    /// Leave a category of expenses out of totals
    Exclude {
        /// Category, in any case and spelling
        #[arg(value_parser = category)]
        category: Category,
        #[command(flatten)]
        owner: Owner,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
    /// Include a category in totals again
    Include {
        /// Category, in any case and spelling
        #[arg(value_parser = category)]
        category: Category,
        #[command(flatten)]
        owner: Owner,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

/// Runs a command on categories.
pub(super) async fn run(client: &mut Client, command: CategoryCommand) -> Result<(), CommandError> {
    match command {
        CategoryCommand::List { owner, listing } => list(client, &owner, listing).await,
        CategoryCommand::Set(wanted) => rule::create(client, &wanted).await,
        CategoryCommand::Exclude { category, owner, rehearsal } => {
            exclude(client, category, true, &owner, rehearsal).await
        }
        CategoryCommand::Include { category, owner, rehearsal } => {
            exclude(client, category, false, &owner, rehearsal).await
        }
    }
}

/// A category in the list.
#[derive(Debug, Serialize)]
struct Listed {
    category: Category,
    /// `expense` or `income`.
    kind: &'static str,
    excluded: bool,
}

async fn list(client: &Client, owner: &Owner, listing: Listing) -> Result<(), CommandError> {
    let person = owner.find(client).await?;
    let excluded = people::overview(client, person.user_id).await?.excluded_categories;
    let listed = Category::wire_strings().filter_map(|name| {
        let category = Category::parse(name).ok()?;
        let kind = if matches!(category, Category::Expense(_)) { "expense" } else { "income" };
        Some(Listed { category, kind, excluded: excluded.iter().any(|other| other == name) })
    });
    listing::print(&listed.collect::<Vec<_>>(), listing)
}

async fn exclude(
    client: &mut Client,
    category: Category,
    is_excluded: bool,
    owner: &Owner,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let name = category.as_str();
    if !matches!(category, Category::Expense(_)) {
        let rule = "must be a category of expenses, because totals of income exclude none";
        return Err(CommandError::input(Fault::new("CATEGORY", rule).received(name)));
    }
    let person = owner.find(client).await?;
    let mut excluded = people::overview(client, person.user_id).await?.excluded_categories;
    excluded.retain(|other| other != name);
    excluded.extend(is_excluded.then(|| name.to_owned()));
    let excluded: Vec<&str> = excluded.iter().map(String::as_str).collect();
    let transaction = transaction::begin(client).await?;
    people::exclude_categories(&transaction, person.user_id, &excluded).await?;
    transaction::end(transaction, rehearsal).await?;
    let all = if excluded.is_empty() { "no category".to_owned() } else { excluded.join(", ") };
    output::lines([format!("totals exclude {all}")])
}

impl ListEntry for Listed {
    const COLUMNS: &[Column<Listed>] = &[
        ("category", |entry| entry.category.as_str().to_owned()),
        ("kind", |entry| entry.kind.to_owned()),
        ("totals", |entry| if entry.excluded { "excluded" } else { "" }.to_owned()),
    ];
}
