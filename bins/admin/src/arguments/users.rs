//! The command line of users.

use clap::{Args, Subcommand};
use passbook_domain::Currency;
use uuid::Uuid;

use super::listing::Listing;
use super::rehearsal::Rehearsal;
use super::values;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin user create --email you@example.org --currency EUR --time-zone Europe/Paris
  passbook-admin user list
  passbook-admin user show you@example.org
  passbook-admin user rename you@example.org --email you@example.net
  passbook-admin user delete you@example.net --dry-run
  passbook-admin user delete you@example.net --yes";

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Create a user and print the user's id
    Create(NewUser),
    /// List all users
    List {
        #[command(flatten)]
        listing: Listing,
    },
    /// Show the settings of a user, and the number of accounts, transactions and tokens
    Show {
        /// E-mail address of the user
        email: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Change the e-mail address of a user. The id of the user and the ids of the user's rows do not change
    Rename {
        /// Present e-mail address
        #[arg(value_name = "EMAIL")]
        present: String,
        /// New e-mail address
        #[arg(long, value_name = "NEW_EMAIL")]
        email: String,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
    /// Delete a user with all accounts, transactions, tokens and other rows of the user
    ///
    /// Prints the number of rows of each table. Without --yes, the command asks for the e-mail address on a terminal.
    Delete {
        /// E-mail address of the user
        #[arg(value_name = "EMAIL")]
        email: String,
        /// Delete without asking. Required if standard input is not a terminal
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

/// The values of a new user. They are validated with the database, so that every fault is listed at once.
#[derive(Debug, Args)]
pub(crate) struct NewUser {
    /// E-mail address
    #[arg(long)]
    pub(crate) email: String,
    /// Currency of totals
    #[arg(long, default_value = "EUR", value_parser = values::currency)]
    pub(crate) currency: Currency,
    /// IANA time zone, which decides what day it is for the user
    #[arg(long, default_value = "UTC")]
    pub(crate) time_zone: String,
    /// Id of the user at the identity provider [default: derived from the e-mail address]
    #[arg(long, value_name = "UUID")]
    pub(crate) id: Option<Uuid>,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}
