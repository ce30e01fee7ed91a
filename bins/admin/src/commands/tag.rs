//! `tag`: the tags of transactions.

use clap::Subcommand;
use passbook_ingest::labels::{self, Tag};
use tokio_postgres::Client;
use uuid::Uuid;

use super::dialogue::{Confirmation, confirm};
use super::row::{self, Row};
use super::transaction;
use super::user::{Edit, Owner, UserList};
use crate::chosen::{Choosable, choose, short};
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry};
use crate::output;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin tag add 'cafe de la gare' 'Lyon 2026' --on 2026-11-20
  passbook-admin tag list
  passbook-admin tag rename 'Lyon 2026' Lyon";

#[derive(Debug, Subcommand)]
pub(crate) enum TagCommand {
    /// List the tags
    List(UserList),
    /// Rename a tag; its transactions keep it
    Rename {
        /// Tag: its name or id
        tag: String,
        /// New name
        name: String,
        #[command(flatten)]
        edit: Edit,
    },
    /// Delete a tag, also from all transactions
    Delete {
        /// Tag: its name or id
        tag: String,
        #[command(flatten)]
        confirmation: Confirmation,
        #[command(flatten)]
        edit: Edit,
    },
    /// Add a tag to one transaction, which later imports keep
    Add {
        #[command(flatten)]
        row: Row,
        /// Name of the tag, which is created if it is new
        tag: String,
        #[command(flatten)]
        edit: Edit,
    },
    /// Remove a tag from one transaction; later imports do not bring it back
    Remove {
        #[command(flatten)]
        row: Row,
        /// Tag: its name or id
        tag: String,
        #[command(flatten)]
        edit: Edit,
    },
}

/// Runs a command on tags.
pub(super) async fn run(client: &mut Client, command: TagCommand) -> Result<(), CommandError> {
    match command {
        TagCommand::List(UserList { owner, listing }) => {
            let person = owner.find(client).await?;
            listing::print(&labels::tags(client, person.user_id).await?, listing)
        }
        TagCommand::Rename { tag, name, edit } => {
            let (user_id, known) = find(client, &edit.owner, &tag).await?;
            let transaction = client.transaction().await?;
            labels::rename_tag(&transaction, user_id, known.tag_id, &name).await?;
            transaction::end(transaction, edit.rehearsal).await?;
            output::lines([format!("renamed {} to {}", known.name, name.trim())])
        }
        TagCommand::Delete { tag, confirmation, edit } => {
            let (user_id, known) = find(client, &edit.owner, &tag).await?;
            if known.transactions > 0 {
                output::note(&format!("{} transactions have {}", known.transactions, known.name));
                confirm("Delete it?", confirmation, edit.rehearsal)?;
            }
            let transaction = client.transaction().await?;
            labels::delete_tag(&transaction, user_id, known.tag_id).await?;
            transaction::end(transaction, edit.rehearsal).await?;
            output::lines([format!("deleted {}", known.name)])
        }
        TagCommand::Add { row, tag, edit } => {
            let user_id = edit.owner.find(client).await?.user_id;
            let found = row.find(client, user_id).await?;
            let transaction = client.transaction().await?;
            let tag_id = labels::create_tag(&transaction, user_id, &tag).await?;
            labels::set_tag(&transaction, user_id, found.transaction_id, tag_id, true).await?;
            transaction::end(transaction, edit.rehearsal).await?;
            output::lines([format!("{}: added {}", row::line(&found), tag.trim())])
        }
        TagCommand::Remove { row, tag, edit } => {
            let (user_id, known) = find(client, &edit.owner, &tag).await?;
            let found = row.find(client, user_id).await?;
            let transaction = client.transaction().await?;
            labels::set_tag(&transaction, user_id, found.transaction_id, known.tag_id, false).await?;
            transaction::end(transaction, edit.rehearsal).await?;
            output::lines([format!("{}: removed {}", row::line(&found), known.name)])
        }
    }
}

/// Returns the person, and their tag that a text names.
async fn find(client: &Client, owner: &Owner, text: &str) -> Result<(Uuid, Tag), CommandError> {
    let user_id = owner.find(client).await?.user_id;
    let stored = labels::tags(client, user_id).await?;
    Ok((user_id, choose(&stored, "TAG", "a tag", text).cloned().map_err(CommandError::input)?))
}

impl Choosable for Tag {
    fn id(&self) -> Uuid {
        self.tag_id
    }

    fn names(&self) -> Vec<String> {
        vec![self.name.clone()]
    }
}

impl ListEntry for Tag {
    const COLUMNS: &[Column<Tag>] = &[
        ("tag", |entry| output::printable(&entry.name)),
        ("transactions", |entry| entry.transactions.to_string()),
        ("id", |entry| short(entry.tag_id)),
    ];
}
