//! Sessions of OAuth clients.

use domain::access::SessionId;
use formats::Fault;
use ingest::sessions;
use tokio_postgres::Client;

use super::{revoke, user};
use crate::arguments::Rehearsal;
use crate::exit::Failure;
use crate::output;

/// Prints the recorded sessions of a person, or of everyone.
pub(super) async fn list(client: &Client, email: Option<&str>) -> Result<(), Failure> {
    let user_id = user::find_id(client, email).await?;
    let heading = ["id", "user", "client", "state", "began"];
    let mut rows = vec![heading.map(str::to_owned)];
    for session in sessions::list(client, user_id).await? {
        rows.push([
            session.session_id,
            session.email,
            session.client_id.unwrap_or_else(|| "unknown".to_owned()),
            revoke::state(session.revoked_at).to_owned(),
            format!("{:.0}", session.created_at),
        ]);
    }
    output::lines(output::table(&rows))
}

/// Ends a session of a person.
pub(super) async fn revoke(
    client: &mut Client,
    email: &str,
    session_id: &str,
    rehearsal: Rehearsal,
) -> Result<(), Failure> {
    let wrong = |rule: &str| Fault::new("SESSION_ID", rule).received(format!("{session_id:?}"));
    let named = SessionId::parse(session_id).map_err(|invalid| Failure::input(wrong(invalid.rule())))?;
    let user_id = user::find(client, email).await?.user_id;
    let transaction = client.transaction().await.map_err(|error| Failure::database(&error))?;
    let revocation = sessions::revoke(&transaction, user_id, &named).await?;
    revoke::end(transaction, rehearsal, revocation, session_id, || wrong("must be a session")).await
}
