//! `session`: lists and revokes sessions of OAuth clients.

use domain::access::SessionId;
use fault::Fault;
use ingest::sessions;
use tokio_postgres::Client;

use super::{revocation, transaction, user};
use crate::arguments::{Rehearsal, SessionCommand};
use crate::error::CommandError;
use crate::output;

/// Runs a command on sessions.
pub(super) async fn run(client: &mut Client, command: SessionCommand) -> Result<(), CommandError> {
    match command {
        SessionCommand::List { user } => list(client, user.as_deref()).await,
        SessionCommand::Revoke { session_id, user, rehearsal } => {
            revoke(client, &user, &session_id, rehearsal).await
        }
    }
}

/// Prints the recorded sessions of one user or of all users.
async fn list(client: &Client, email: Option<&str>) -> Result<(), CommandError> {
    let user_id = user::find_id(client, email).await?;
    let heading = ["id", "user", "client", "state", "began"];
    let mut rows = vec![heading.map(str::to_owned)];
    for session in sessions::list(client, user_id).await? {
        rows.push([
            session.session_id,
            session.email,
            session.client_id.unwrap_or_else(|| "unknown".to_owned()),
            revocation::state(session.revoked_at).to_owned(),
            format!("{:.0}", session.created_at),
        ]);
    }
    output::lines(output::table(&rows))
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
    let user_id = user::find(client, email).await?.user_id;
    let transaction = transaction::begin(client).await?;
    let revocation = sessions::revoke(&transaction, user_id, &session).await?;
    let unknown = || fault("must be the id of a session; `passbook-admin session list` shows them");
    revocation::end(transaction, rehearsal, revocation, session_id, unknown).await
}
