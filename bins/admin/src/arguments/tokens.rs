//! The command line of personal access tokens.

use clap::{Args, Subcommand};
use domain::scope::{Scope, Surface};
use ingest::tokens::{EXPIRES_IN_DAYS_DEFAULT, EXPIRES_IN_DAYS_MAX};
use uuid::Uuid;

use super::rehearsal::Rehearsal;
use super::values;

#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Create a token and print it; it cannot be shown again
    Create(NewToken),
    /// List tokens, without the tokens themselves, which are not stored
    List {
        /// List only the tokens of the user with this e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
    },
    /// Revoke a token; the next request with it is refused
    Revoke {
        /// Id of the token, from `token list`
        token_id: Uuid,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

#[derive(Debug, Args)]
pub(crate) struct NewToken {
    /// E-mail address of the owner
    #[arg(long, value_name = "EMAIL")]
    pub(crate) user: String,
    /// Name by which the owner recognises the token
    #[arg(long)]
    pub(crate) name: String,
    /// Scopes that the token grants, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_parser = values::scope)]
    pub(crate) scopes: Vec<Scope>,
    /// Surfaces that accept the token, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "rest,mcp", value_parser = values::surface)]
    pub(crate) surfaces: Vec<Surface>,
    /// Lifetime in days
    #[arg(long, value_name = "DAYS", default_value_t = EXPIRES_IN_DAYS_DEFAULT,
        value_parser = clap::value_parser!(u16).range(1..=i64::from(EXPIRES_IN_DAYS_MAX)))]
    pub(crate) expires_in_days: u16,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}
