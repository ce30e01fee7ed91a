//! The command lines that load data from files.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::rehearsal::Rehearsal;
use super::values;

pub(super) const RATES_EXAMPLES: &str = "\
Examples:
  passbook-admin rates load eurofxref-hist.csv";

pub(super) const BUNDLE_EXAMPLES: &str = "\
Examples:
  passbook-admin load bundle.json --user you@example.org --with-credentials --dry-run
  passbook-admin load - --user you@example.org --with-credentials < bundle.json";

pub(super) const BEANCOUNT_EXAMPLES: &str = "\
Examples:
  passbook-admin import beancount ledger.beancount --user you@example.org
  passbook-admin import beancount ledger.beancount --user you@example.org --dry-run";

#[derive(Debug, Subcommand)]
pub(crate) enum RatesCommand {
    /// Load the reference rates of the European Central Bank (CSV)
    Load {
        /// File of rates, or - for standard input
        file: PathBuf,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

/// A bundle to load.
#[derive(Debug, Args)]
pub(crate) struct BundleLoad {
    /// Bundle file, or - for standard input
    pub(crate) file: PathBuf,
    /// E-mail address of a user whose rows the bundle may write; repeat it for several. Without it, the bundle may
    /// write the rows of new users only
    #[arg(long = "user", value_name = "EMAIL")]
    pub(crate) users: Vec<String>,
    /// Also store the OAuth clients, consents, sessions and tokens of the bundle, which give access to data
    #[arg(long)]
    pub(crate) with_credentials: bool,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImportCommand {
    /// Import a Beancount ledger
    #[command(after_help = BEANCOUNT_EXAMPLES)]
    Beancount(BeancountImport),
}

/// A ledger to import.
#[derive(Clone, Debug, Args)]
pub(crate) struct BeancountImport {
    /// Ledger file; included files are read too
    pub(crate) file: PathBuf,
    /// E-mail address of the user who owns the ledger
    #[arg(long, value_name = "EMAIL")]
    pub(crate) user: String,
    /// Name of the ledger, for a user with several
    #[arg(long, value_name = "NAME", default_value = "main", value_parser = values::ledger)]
    pub(crate) ledger: String,
    /// Map from accounts to categories (TOML), in addition to the built-in one. It is stored, and used by later imports
    /// of the ledger without this flag
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
    /// Use the built-in map alone, and no longer store a map for the ledger
    #[arg(long, conflicts_with = "map")]
    pub(crate) built_in_map: bool,
    /// Remove stored transactions that are not in the ledger any more. Without this flag such a transaction is a
    /// fault, because an edited entry would be counted twice
    #[arg(long)]
    pub(crate) replace: bool,
    /// Remove them also if they are more than half of the ledger's stored transactions
    #[arg(long, requires = "replace")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}
