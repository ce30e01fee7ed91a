//! The command line of personal access tokens.

use clap::{Args, Subcommand};
use passbook_domain::scope::{Scope, Surface};
use passbook_ingest::tokens::{EXPIRES_IN_DAYS_DEFAULT, EXPIRES_IN_DAYS_MAX};
use uuid::Uuid;

use super::listing::Listing;
use super::rehearsal::Rehearsal;
use super::values;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin token create --user you@example.org --name laptop
  passbook-admin token create --user you@example.org --name assistant --surfaces mcp \
--scopes transactions:read,cashflow:read --expires-in-days 30
  passbook-admin token list --user you@example.org
  passbook-admin token rotate TOKEN_ID
  passbook-admin token revoke TOKEN_ID
  passbook-admin token revoke - < token.txt";

#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Create a token and print it; it cannot be shown again
    Create(NewToken),
    /// List tokens, without the tokens themselves, which are not stored
    List {
        /// List only the tokens of the user with this e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Replace a token: print a new token with the same name, scopes, surfaces and lifetime, and revoke the old one
    ///
    /// The lifetime starts again. The new token cannot be shown again.
    Rotate {
        /// Id of the token, from `token list`
        #[arg(value_parser = values::token_id)]
        token_id: Uuid,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
    /// Revoke a token; the next request with it is refused
    Revoke {
        /// Id of the token, from `token list`; or - to read the token itself from standard input
        #[arg(value_name = "TOKEN_ID", value_parser = values::token_reference)]
        token: TokenReference,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

/// The token that a command names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenReference {
    /// The token with this id.
    Id(Uuid),
    /// The token on standard input.
    StandardInput,
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
    #[arg(long, value_delimiter = ',', value_parser = values::scope())]
    pub(crate) scopes: Vec<Scope>,
    /// Surfaces that accept the token, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "rest,mcp", value_parser = values::surface())]
    pub(crate) surfaces: Vec<Surface>,
    #[arg(long, help = format!("Lifetime in days, at most {EXPIRES_IN_DAYS_MAX}"),
         value_name = "DAYS", default_value_t = EXPIRES_IN_DAYS_DEFAULT,
        value_parser = clap::value_parser!(u16).range(1..=i64::from(EXPIRES_IN_DAYS_MAX)))]
    pub(crate) expires_in_days: u16,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}
