//! The command lines that import the files of banks and other apps.

use std::path::PathBuf;

use clap::Args;
use jiff::civil::DateTime;
use passbook_statements::DateOrder;
use uuid::Uuid;

use super::listing::Listing;
use super::loading::ImportCommand;
use super::rehearsal::Rehearsal;
use super::values;

pub(super) const IMPORT_EXAMPLES: &str = "\
Examples:
  passbook-admin import january.csv --user you@example.org --dry-run
  passbook-admin import statements/ --user you@example.org
  passbook-admin import card.ofx --user you@example.org --account card
  passbook-admin import beancount ledger.beancount --user you@example.org";

pub(super) const PREVIEW_EXAMPLES: &str = "\
Examples:
  passbook-admin preview january.csv
  passbook-admin preview export.csv --profile my-bank.toml";

pub(super) const UNDO_EXAMPLES: &str = "\
Examples:
  passbook-admin undo january.csv --user you@example.org --dry-run";

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  passbook-admin explain TRANSACTION_ID --user you@example.org";

pub(super) const CATEGORIZE_EXAMPLES: &str = "\
Examples:
  passbook-admin categorize --user you@example.org --rules rules.toml --dry-run";

pub(super) const RECONCILE_EXAMPLES: &str = "\
Examples:
  passbook-admin reconcile --user you@example.org";

/// Files of banks and other apps, or the books of another program.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Import {
    #[command(subcommand)]
    pub(crate) books: Option<ImportCommand>,
    #[command(flatten)]
    pub(crate) files: FileImport,
}

/// Files to import.
#[derive(Clone, Debug, Args)]
pub(crate) struct FileImport {
    /// Files and folders: CSV, OFX, QFX, CAMT, MT940, QIF, and exports of other apps
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// E-mail address of the user
    // Optional for clap, because a subcommand has a flag of its own.
    #[arg(long, value_name = "EMAIL", required = true)]
    pub(crate) user: Option<String>,
    /// Account of the files: its id, or its id in a bundle. For files with several accounts, once for each as NAME=ID
    #[arg(long, value_name = "[NAME=]ID")]
    pub(crate) account: Vec<String>,
    /// Create the accounts that the files name by IBAN or number and that do not exist
    #[arg(long, conflicts_with = "account")]
    pub(crate) create_accounts: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Rules file (TOML) that categorises transactions. It is stored and used by later imports
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// Remove transactions that a file should list and lacks
    #[arg(long)]
    pub(crate) replace: bool,
    /// Remove them also if they are more than half of the stored transactions of files
    #[arg(long, requires = "replace")]
    pub(crate) force: bool,
    /// Import also days on which the account has transactions of a bundle or ledger
    #[arg(long)]
    pub(crate) beside_others: bool,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// The user whose files they are.
#[derive(Clone, Debug, Args)]
pub(crate) struct Owner {
    /// E-mail address of the user
    #[arg(long, value_name = "EMAIL")]
    pub(crate) user: String,
}

/// The choices that a file may leave open.
#[derive(Clone, Debug, Args)]
pub(crate) struct Reading {
    /// Profile of CSV files: a name, or a file (TOML)
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) profile: Option<String>,
    /// Order of day and month, for files that leave it open
    #[arg(long, value_name = "ORDER", value_parser = values::date_order())]
    pub(crate) date_order: Option<DateOrder>,
    /// Time (UTC) of a list of changes that states none, such as 2026-01-31T10:00
    #[arg(long, value_name = "TIME", value_parser = values::as_of)]
    pub(crate) as_of: Option<DateTime>,
}

/// A file to show.
#[derive(Clone, Debug, Args)]
pub(crate) struct Preview {
    /// File of a bank or an app
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// A file whose import is undone.
#[derive(Clone, Debug, Args)]
pub(crate) struct Undo {
    /// The imported file, its name, or its SHA-256
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) owner: Owner,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// A transaction to explain.
#[derive(Clone, Debug, Args)]
pub(crate) struct Explain {
    /// Id of the transaction
    #[arg(value_name = "ROW")]
    pub(crate) transaction: Uuid,
    #[command(flatten)]
    pub(crate) owner: Owner,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

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

/// The files to compare with their balances.
#[derive(Clone, Debug, Args)]
pub(crate) struct Reconcile {
    #[command(flatten)]
    pub(crate) owner: Owner,
    #[command(flatten)]
    pub(crate) listing: Listing,
}
