//! The command line of sessions.

use clap::Subcommand;

use super::listing::Listing;
use super::rehearsal::Rehearsal;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin session list --user you@example.org
  passbook-admin session revoke 5e550000-0000-4000-8000-000000000001 --user you@example.org";

#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    /// List the recorded sessions
    List {
        /// List only the sessions of the user with this e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Revoke a session; the next request with a token of the session is refused
    Revoke {
        /// Id of the session at the identity provider: the `session_id` claim of its tokens
        session_id: String,
        /// E-mail address of the session's user
        #[arg(long, value_name = "EMAIL")]
        user: String,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}
