//! The command line of sessions.

use clap::Subcommand;

use super::rehearsal::Rehearsal;

#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    /// List the recorded sessions
    List {
        /// List only the sessions of the user with this e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
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
