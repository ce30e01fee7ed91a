//! `note`: the note of a transaction.

use clap::Args;
use passbook_ingest::labels::{self, ByHand};
use tokio_postgres::Client;

use super::row::{self, Row};
use super::transaction;
use super::user::Edit;
use crate::error::CommandError;
use crate::output;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin note 'cafe de la gare' 'with Grace' --on 2026-11-20
  passbook-admin note 'cafe de la gare' --on 2026-11-20 --remove";

/// The note of a transaction.
#[derive(Debug, Args)]
pub(crate) struct NewNote {
    #[command(flatten)]
    row: Row,
    /// Text of the note, which later imports keep
    #[arg(required_unless_present_any = ["remove", "as_imported"])]
    text: Option<String>,
    /// Remove the note
    #[arg(long, conflicts_with = "text")]
    remove: bool,
    /// Give back the note of the file
    #[arg(long, conflicts_with_all = ["text", "remove"])]
    as_imported: bool,
    #[command(flatten)]
    edit: Edit,
}

/// Sets the note of a transaction.
pub(super) async fn run(client: &mut Client, wanted: &NewNote) -> Result<(), CommandError> {
    let user_id = wanted.edit.owner.find(client).await?.user_id;
    let found = wanted.row.find(client, user_id).await?;
    let (note, result) = match &wanted.text {
        Some(text) => (ByHand::Set(text.as_str()), format!("note {:?}", text.trim())),
        None if wanted.remove => (ByHand::Without, "no note".to_owned()),
        None => (ByHand::AsGiven, "note as imported".to_owned()),
    };
    let transaction = client.transaction().await?;
    labels::set_note(&transaction, user_id, found.transaction_id, note).await?;
    transaction::end(transaction, wanted.edit.rehearsal).await?;
    output::lines([format!("{}: {result}", row::line(&found))])
}
