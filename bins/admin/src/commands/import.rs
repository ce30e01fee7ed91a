//! `import`: imports files of banks and other apps, and the books of other programs.

pub(super) mod accounts;
mod beancount;
mod chosen_accounts;
pub(super) mod files;
pub(super) mod stored_files;
pub(super) mod summary;

use clap::{Args, Subcommand};
use tokio_postgres::Client;

use super::user::UserList;
use crate::error::CommandError;
use beancount::{BEANCOUNT_EXAMPLES, BeancountImport};
use files::FileImport;
use stored_files::{FileMove, Undo};

pub(super) const IMPORT_EXAMPLES: &str = "\
Examples:
  passbook-admin import january.csv --user you@example.org --dry-run
  passbook-admin import statements/ --user you@example.org
  passbook-admin import card.ofx --user you@example.org --account card
  passbook-admin import beancount ledger.beancount --user you@example.org";

/// Files of banks and other apps, or the books of another program.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Import {
    #[command(subcommand)]
    pub(crate) books: Option<ImportCommand>,
    #[command(flatten)]
    pub(crate) files: FileImport,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImportCommand {
    /// Import a Beancount ledger
    #[command(after_help = BEANCOUNT_EXAMPLES)]
    Beancount(BeancountImport),
    /// List the imported files. A file of this name is `./list`
    #[command(after_help = stored_files::LIST_EXAMPLES)]
    List(UserList),
    /// Undo the import of a file: afterwards, all is as if it had never been imported
    #[command(after_help = stored_files::UNDO_EXAMPLES)]
    Undo(Undo),
    /// Move a file to another account: afterwards, all is as if it had been imported into that account
    #[command(after_help = stored_files::MOVE_EXAMPLES)]
    Move(FileMove),
}

/// Imports what the command line names.
pub(super) async fn run(client: &mut Client, wanted: Import) -> Result<(), CommandError> {
    match wanted.books {
        Some(ImportCommand::Beancount(wanted)) => beancount::run(client, &wanted).await,
        Some(ImportCommand::List(wanted)) => stored_files::list(client, &wanted).await,
        Some(ImportCommand::Undo(wanted)) => stored_files::undo(client, &wanted).await,
        Some(ImportCommand::Move(wanted)) => stored_files::move_file(client, &wanted).await,
        None => files::run(client, &wanted.files).await,
    }
}
