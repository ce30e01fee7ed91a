//! `category`: the categories, those that totals exclude, the category of a text, and the categories of a person's own.

use clap::Subcommand;
use passbook_domain::category::Category;
use passbook_ingest::people;
use passbook_input::Fault;
use serde::Serialize;
use tokio_postgres::Client;

use super::own_category::{self, OwnCategoryCommand};
use super::rule::{self, NewRule};
use super::transaction;
use super::user::{Edit, UserList};
use crate::chosen::category;
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry};
use crate::output;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin category list
  passbook-admin category set METRO groceries --dry-run
  passbook-admin category exclude vacation
  passbook-admin category include vacation
  passbook-admin category create Breakfast coffee
  passbook-admin category add 'cafe de la gare' Breakfast --on 2026-11-20
  passbook-admin category list --own";

#[derive(Debug, Subcommand)]
pub(crate) enum CategoryCommand {
    /// List all categories, and which of them totals exclude
    List {
        /// List the categories of your own
        #[arg(long)]
        own: bool,
        #[command(flatten)]
        wanted: UserList,
    },
    /// Give imported transactions with a text a category or one of your own, past and future ones; the same as `rule create`
    Set(NewRule),
    /// Leave a category of expenses out of totals
    Exclude {
        /// Category, in any case and spelling
        #[arg(value_parser = category)]
        category: Category,
        #[command(flatten)]
        edit: Edit,
    },
    /// Include a category in totals again
    Include {
        /// Category, in any case and spelling
        #[arg(value_parser = category)]
        category: Category,
        #[command(flatten)]
        edit: Edit,
    },
    #[command(flatten)]
    Own(OwnCategoryCommand),
}

/// Runs a command on categories.
pub(super) async fn run(client: &mut Client, command: CategoryCommand) -> Result<(), CommandError> {
    match command {
        CategoryCommand::List { own: true, wanted } => own_category::list(client, &wanted).await,
        CategoryCommand::List { own: false, wanted } => list(client, &wanted).await,
        CategoryCommand::Own(command) => own_category::run(client, command).await,
        CategoryCommand::Set(wanted) => rule::create(client, &wanted).await,
        CategoryCommand::Exclude { category, edit } => exclude(client, category, true, &edit).await,
        CategoryCommand::Include { category, edit } => exclude(client, category, false, &edit).await,
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

async fn list(client: &Client, wanted: &UserList) -> Result<(), CommandError> {
    let person = wanted.owner.find(client).await?;
    let excluded = people::overview(client, person.user_id).await?.excluded_categories;
    let listed = Category::wire_strings().filter_map(|name| {
        let category = Category::parse(name).ok()?;
        let kind = if matches!(category, Category::Expense(_)) { "expense" } else { "income" };
        Some(Listed { category, kind, excluded: excluded.iter().any(|other| other == name) })
    });
    listing::print(&listed.collect::<Vec<_>>(), wanted.listing)
}

async fn exclude(
    client: &mut Client,
    category: Category,
    is_excluded: bool,
    edit: &Edit,
) -> Result<(), CommandError> {
    let name = category.as_str();
    if !matches!(category, Category::Expense(_)) {
        let rule = "must be a category of expenses, because totals of income exclude none";
        return Err(CommandError::input(Fault::new("CATEGORY", rule).received(name)));
    }
    let person = edit.owner.find(client).await?;
    let mut excluded = people::overview(client, person.user_id).await?.excluded_categories;
    excluded.retain(|other| other != name);
    excluded.extend(is_excluded.then(|| name.to_owned()));
    let excluded: Vec<&str> = excluded.iter().map(String::as_str).collect();
    let transaction = client.transaction().await?;
    people::exclude_categories(&transaction, person.user_id, &excluded).await?;
    transaction::end(transaction, edit.rehearsal).await?;
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
