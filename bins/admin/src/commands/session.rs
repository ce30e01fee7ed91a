//! `session`: lists and revokes sessions of OAuth clients.

use jiff::Timestamp;
use passbook_domain::access::SessionId;
use passbook_ingest::sessions::{self, Session};
use passbook_input::Fault;
use serde::Serialize;
use tokio_postgres::Client;

use super::revocation::State;
use super::{revocation, transaction, user};
use crate::arguments::{Listing, Rehearsal, SessionCommand};
use crate::error::CommandError;
use crate::listing::{self, Entry};

/// Runs a command on sessions.
pub(super) async fn run(client: &mut Client, command: SessionCommand) -> Result<(), CommandError> {
    match command {
        SessionCommand::List { user, listing } => list(client, user.as_deref(), listing).await,
        SessionCommand::Revoke { session_id, user, rehearsal } => {
            revoke(client, &user, &session_id, rehearsal).await
        }
    }
}

/// Prints the recorded sessions of one user or of all users.
async fn list(client: &Client, email: Option<&str>, listing: Listing) -> Result<(), CommandError> {
    let user_id = user::find_id(client, email).await?;
    let sessions = sessions::list(client, user_id).await?;
    let entries: Vec<SessionEntry> = sessions.into_iter().map(SessionEntry::from).collect();
    listing::print(&entries, listing)
}

/// A session in the list.
#[derive(Debug, Serialize)]
struct SessionEntry {
    session_id: String,
    /// E-mail address.
    user: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_id: Option<String>,
    state: State,
    created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked_at: Option<Timestamp>,
}

impl From<Session> for SessionEntry {
    fn from(session: Session) -> SessionEntry {
        SessionEntry {
            session_id: session.session_id,
            user: session.email,
            client_id: session.client_id,
            state: State::new(session.revoked_at),
            created_at: session.created_at,
            revoked_at: session.revoked_at,
        }
    }
}

impl Entry for SessionEntry {
    const HEADING: &'static [&'static str] = &["id", "user", "client", "state", "began"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.session_id.clone(),
            self.user.clone(),
            self.client_id.clone().unwrap_or_else(|| "unknown".to_owned()),
            self.state.as_str().to_owned(),
            format!("{:.0}", self.created_at),
        ]
    }
}

/// Revokes a session of a user.
async fn revoke(
    client: &mut Client,
    email: &str,
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
    let user_id = user::find(client, email).await?.user_id;
    let transaction = transaction::begin(client).await?;
    let revocation = sessions::revoke(&transaction, user_id, &session).await?;
    let unknown = || fault("must be the id of a session; `passbook-admin session list` shows them");
    revocation::end(transaction, rehearsal, revocation, session_id, unknown).await
}
