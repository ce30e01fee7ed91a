//! `consent`: lists and revokes the consents of users.

use ingest::consents;
use tokio_postgres::Client;

use super::{client, revocation, transaction, user};
use crate::arguments::{ConsentCommand, Rehearsal};
use crate::error::CommandError;
use crate::output;

/// Runs a command on consents.
pub(super) async fn run(client: &mut Client, command: ConsentCommand) -> Result<(), CommandError> {
    match command {
        ConsentCommand::List { user } => list(client, user.as_deref()).await,
        ConsentCommand::Revoke { client_id, user, rehearsal } => {
            revoke(client, &user, &client_id, rehearsal).await
        }
    }
}

/// Prints the recorded consents of one user or of all users.
async fn list(client: &Client, email: Option<&str>) -> Result<(), CommandError> {
    let user_id = user::find_id(client, email).await?;
    let heading = ["user", "client", "name", "state", "granted"];
    let mut rows = vec![heading.map(str::to_owned)];
    for consent in consents::list(client, user_id).await? {
        rows.push([
            consent.email,
            consent.client_id,
            consent.client_name,
            revocation::state(consent.revoked_at).to_owned(),
            format!("{:.0}", consent.granted_at),
        ]);
    }
    output::lines(output::table(&rows))
}

/// Revokes a client for one user.
async fn revoke(
    client: &mut Client,
    email: &str,
    client_id: &str,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let user_id = user::find(client, email).await?.user_id;
    let transaction = transaction::begin(client).await?;
    let revocation = consents::revoke(&transaction, user_id, client_id).await?;
    revocation::end(transaction, rehearsal, revocation, client_id, || client::unknown(client_id)).await
}
