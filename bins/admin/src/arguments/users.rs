//! The command line of users.

use clap::{Args, Subcommand};
use domain::Currency;
use uuid::Uuid;

use super::rehearsal::Rehearsal;
use super::values;

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Create a user and print the user's id
    Create(NewUser),
    /// List all users
    List,
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
