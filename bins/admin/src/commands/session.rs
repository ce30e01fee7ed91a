//! `session`: lists and revokes sessions of OAuth clients.

use clap::Subcommand;
use passbook_domain::access::SessionId;
use passbook_ingest::sessions::{self, Session};
use passbook_input::Fault;
use tokio_postgres::Client;

use super::transaction::{self, Rehearsal};
use super::user::{self, Owner};
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing};

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
        #[command(flatten)]
        owner: Owner,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

/// Runs a command on sessions.
pub(super) async fn run(client: &mut Client, command: SessionCommand) -> Result<(), CommandError> {
    match command {
        SessionCommand::List { user, listing } => list(client, user.as_deref(), listing).await,
        SessionCommand::Revoke { session_id, owner, rehearsal } => {
            revoke(client, &owner, &session_id, rehearsal).await
        }
    }
}

/// Prints the recorded sessions of one user or of all users.
async fn list(client: &Client, email: Option<&str>, listing: Listing) -> Result<(), CommandError> {
    let user_id = user::find_id(client, email).await?;
    listing::print(&sessions::list(client, user_id).await?, listing)
}

impl ListEntry for Session {
    const COLUMNS: &[Column<Session>] = &[
        ("id", |entry| entry.session_id.clone()),
        ("user", |entry| entry.email.clone()),
        ("client", |entry| entry.client_id.clone().unwrap_or_else(|| "unknown".to_owned())),
        ("state", |entry| entry.state.clone()),
        ("began", |entry| format!("{:.0}", entry.created_at)),
    ];
}

/// Revokes a session of a user.
async fn revoke(
    client: &mut Client,
    owner: &Owner,
    session_id: &str,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let fault = |rule: &str| Fault::new("SESSION_ID", rule).received(format!("{session_id:?}"));
    let session =
        SessionId::parse(session_id).map_err(|invalid| CommandError::input(fault(invalid.rule())))?;
    if passbook_input::contains_token(session_id) {
        let rule = "must not be a token, because ids of sessions are displayed";
        return Err(CommandError::input(Fault::new("SESSION_ID", rule)));
    }
    let user_id = owner.find(client).await?.user_id;
    let transaction = transaction::begin(client).await?;
    let revocation = sessions::revoke(&transaction, user_id, &session).await?;
    let unknown = || fault("must be the id of a session; `passbook-admin session list` shows them");
    transaction::end_revocation(transaction, rehearsal, revocation, session_id, unknown).await
}
