//! `category create`, `rename`, `move`, `delete`, `add` and `remove`: the categories of a person's own.

use clap::{Args, Subcommand};
use passbook_domain::category::Category;
use passbook_ingest::labels::{self, ByHand, OwnCategory, OwnCategoryChange};
use passbook_input::Fault;
use tokio_postgres::Client;
use uuid::Uuid;

use super::dialogue::{Confirmation, confirm};
use super::row::{self, Row};
use super::transaction::{self, Rehearsal};
use super::user::{Edit, Owner, UserList};
use crate::chosen::{Choosable, category, choose, short};
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry};
use crate::output;

#[derive(Debug, Subcommand)]
pub(crate) enum OwnCategoryCommand {
    /// Create a category of your own
    Create(NewOwnCategory),
    /// Rename a category of your own, or let it stand for another category; its transactions keep it
    Rename {
        /// Own category: its name, "Parent: Name", or its id
        #[arg(value_name = "OWN")]
        own: String,
        /// New name, without the parent's
        #[arg(required_unless_present = "category")]
        name: Option<String>,
        /// Category for which it stands, in any case and spelling
        #[arg(long, value_parser = category)]
        category: Option<Category>,
        #[command(flatten)]
        edit: Edit,
    },
    /// Move a category of your own into another one, or to the top
    Move {
        /// Own category: its name, "Parent: Name", or its id
        #[arg(value_name = "OWN")]
        own: String,
        /// Own category that contains it [default: none]
        #[arg(long, value_name = "OWN")]
        to: Option<String>,
        #[command(flatten)]
        edit: Edit,
    },
    /// Delete a category of your own; its transactions then have none
    Delete {
        /// Own category: its name, "Parent: Name", or its id
        #[arg(value_name = "OWN")]
        own: String,
        #[command(flatten)]
        confirmation: Confirmation,
        #[command(flatten)]
        edit: Edit,
    },
    /// Give one transaction a category of your own, which later imports keep
    Add {
        #[command(flatten)]
        row: Row,
        /// Own category: its name, "Parent: Name", or its id
        #[arg(value_name = "OWN")]
        own: String,
        #[command(flatten)]
        edit: Edit,
    },
    /// Take the category of your own from one transaction
    Remove {
        #[command(flatten)]
        row: Row,
        /// Give back the category that file and rules give
        #[arg(long)]
        as_imported: bool,
        #[command(flatten)]
        edit: Edit,
    },
}

/// A category of a person's own.
#[derive(Debug, Args)]
pub(crate) struct NewOwnCategory {
    /// Name
    name: String,
    /// Category for which it stands, in any case and spelling
    #[arg(value_parser = category)]
    category: Category,
    /// Own category that contains it
    #[arg(long, value_name = "OWN")]
    parent: Option<String>,
    #[command(flatten)]
    edit: Edit,
}

/// Runs a command on own categories.
pub(super) async fn run(client: &mut Client, command: OwnCategoryCommand) -> Result<(), CommandError> {
    match command {
        OwnCategoryCommand::Create(wanted) => create(client, &wanted).await,
        OwnCategoryCommand::Rename { own, name, category, edit } => {
            let (user_id, known) = find(client, &edit.owner, &own).await?;
            let name = name.as_deref();
            let change = OwnCategoryChange { name, category, ..OwnCategoryChange::default() };
            let (name, category) = (name.unwrap_or(&known.name).trim(), category.map(Category::as_str));
            let category = category.unwrap_or(&known.category);
            let result = format!("{} is now {name}, which stands for {category}", path(&known));
            apply(client, user_id, &known, change, edit.rehearsal, &result).await
        }
        OwnCategoryCommand::Move { own, to, edit } => {
            let (user_id, known) = find(client, &edit.owner, &own).await?;
            let parent = parent(client, user_id, to.as_deref(), "--to").await?;
            let (id, place) = parent.map_or((None, "the top".to_owned()), |(id, name)| (Some(id), name));
            let change = OwnCategoryChange { parent_id: Some(id), ..OwnCategoryChange::default() };
            let result = format!("moved {} to {place}", path(&known));
            apply(client, user_id, &known, change, edit.rehearsal, &result).await
        }
        OwnCategoryCommand::Delete { own, confirmation, edit } => {
            let (user_id, known) = find(client, &edit.owner, &own).await?;
            if known.transactions > 0 {
                output::note(&format!("{} transactions have {}", known.transactions, path(&known)));
                confirm("Delete it?", confirmation, edit.rehearsal)?;
            }
            let transaction = client.transaction().await?;
            labels::delete_own_category(&transaction, user_id, known.own_category_id).await?;
            transaction::end(transaction, edit.rehearsal).await?;
            output::lines([format!("deleted {}", path(&known))])
        }
        OwnCategoryCommand::Add { row, own, edit } => {
            let (user_id, known) = find(client, &edit.owner, &own).await?;
            let label = ByHand::Set(known.own_category_id);
            set(client, user_id, &row, label, &format!("own category {}", path(&known)), edit.rehearsal).await
        }
        OwnCategoryCommand::Remove { row, as_imported, edit } => {
            let user_id = edit.owner.find(client).await?.user_id;
            let (label, result) = match as_imported {
                true => (ByHand::AsGiven, "own category as imported"),
                false => (ByHand::Without, "no own category"),
            };
            set(client, user_id, &row, label, result, edit.rehearsal).await
        }
    }
}

async fn create(client: &mut Client, wanted: &NewOwnCategory) -> Result<(), CommandError> {
    let user_id = wanted.edit.owner.find(client).await?.user_id;
    let parent = parent(client, user_id, wanted.parent.as_deref(), "--parent").await?.map(|(id, _)| id);
    let transaction = client.transaction().await?;
    labels::create_own_category(&transaction, user_id, &wanted.name, wanted.category, parent).await?;
    transaction::end(transaction, wanted.edit.rehearsal).await?;
    output::lines([format!("created {}, which stands for {}", wanted.name.trim(), wanted.category.as_str())])
}

async fn apply(
    client: &mut Client,
    user_id: Uuid,
    known: &OwnCategory,
    change: OwnCategoryChange<'_>,
    rehearsal: Rehearsal,
    result: &str,
) -> Result<(), CommandError> {
    let transaction = client.transaction().await?;
    labels::change_own_category(&transaction, user_id, known.own_category_id, change).await?;
    transaction::end(transaction, rehearsal).await?;
    output::lines([result])
}

async fn set(
    client: &mut Client,
    user_id: Uuid,
    row: &Row,
    label: ByHand<Uuid>,
    result: &str,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let found = row.find(client, user_id).await?;
    let transaction = client.transaction().await?;
    labels::set_own_category(&transaction, user_id, found.transaction_id, label).await?;
    transaction::end(transaction, rehearsal).await?;
    output::lines([format!("{}: {result}", row::line(&found))])
}

/// Prints the own categories.
pub(super) async fn list(client: &Client, wanted: &UserList) -> Result<(), CommandError> {
    let person = wanted.owner.find(client).await?;
    listing::print(&labels::own_categories(client, person.user_id).await?, wanted.listing)
}

/// Returns the person, and their own category that a text names.
async fn find(client: &Client, owner: &Owner, text: &str) -> Result<(Uuid, OwnCategory), CommandError> {
    let user_id = owner.find(client).await?.user_id;
    Ok((user_id, named(client, user_id, text, "OWN").await?))
}

/// Returns identifier and name of the own category that shall contain another one.
async fn parent(
    client: &Client,
    user_id: Uuid,
    text: Option<&str>,
    argument: &str,
) -> Result<Option<(Uuid, String)>, CommandError> {
    let Some(text) = text else { return Ok(None) };
    let parent = named(client, user_id, text, argument).await?;
    if let Some(grandparent) = &parent.parent {
        let rule = format!("must have no parent itself, and {grandparent} contains it");
        return Err(CommandError::input(Fault::new(argument, rule).received(text)));
    }
    Ok(Some((parent.own_category_id, parent.name)))
}

/// Returns the own category that a text names.
pub(super) async fn named(
    client: &Client,
    user_id: Uuid,
    text: &str,
    argument: &str,
) -> Result<OwnCategory, CommandError> {
    let stored = labels::own_categories(client, user_id).await?;
    choose(&stored, argument, "an own category", text).cloned().map_err(CommandError::input)
}

/// Returns the name of an own category with that of its parent.
pub(super) fn path(category: &OwnCategory) -> String {
    let OwnCategory { name, parent, .. } = category;
    parent.as_ref().map_or_else(|| name.clone(), |parent| format!("{parent}: {name}"))
}

impl Choosable for OwnCategory {
    fn id(&self) -> Uuid {
        self.own_category_id
    }

    fn names(&self) -> Vec<String> {
        vec![path(self), self.name.clone()]
    }
}

impl ListEntry for OwnCategory {
    const COLUMNS: &[Column<OwnCategory>] = &[
        ("category", |entry| output::printable(&path(entry))),
        ("stands for", |entry| entry.category.clone()),
        ("transactions", |entry| entry.transactions.to_string()),
        ("id", |entry| short(entry.own_category_id)),
    ];
}
