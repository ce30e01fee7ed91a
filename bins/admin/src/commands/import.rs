//! `import`: imports files of banks and other apps, and the books of other programs.

mod accounts;
mod beancount;
mod chosen_accounts;
pub(super) mod files;
pub(super) mod summary;

use clap::{Args, Subcommand};
use tokio_postgres::Client;

use crate::error::CommandError;
use beancount::{BEANCOUNT_EXAMPLES, BeancountImport};
use files::FileImport;

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
}

/// Imports what the command line names.
pub(super) async fn run(client: &mut Client, wanted: Import) -> Result<(), CommandError> {
    match wanted.books {
        Some(ImportCommand::Beancount(wanted)) => beancount::run(client, &wanted).await,
        None => files::run(client, &wanted.files).await,
    }
}
