//! The command line of consents.

use clap::Subcommand;

use super::listing::Listing;
use super::rehearsal::Rehearsal;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin consent list --user you@example.org
  passbook-admin consent revoke 4b8e9f0a-3b1f-4f7e-8a55-0d6b3c9e7d21 --user you@example.org";

#[derive(Debug, Subcommand)]
pub(crate) enum ConsentCommand {
    /// List the recorded consents
    List {
        /// List only the consents of the user with this e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Revoke a client for one user; the next request with its tokens is refused
    Revoke {
        /// Id of the client, from `client list`
        client_id: String,
        /// E-mail address of the user whose consent is revoked
        #[arg(long, value_name = "EMAIL")]
        user: String,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}
