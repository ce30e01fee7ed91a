//! The command line of consents.

use clap::Subcommand;

use super::rehearsal::Rehearsal;

#[derive(Debug, Subcommand)]
pub(crate) enum ConsentCommand {
    /// List the recorded consents
    List {
        /// List only the consents of the user with this e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
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
