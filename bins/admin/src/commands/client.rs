//! `client`: creates, lists and revokes OAuth clients.

use fault::Fault;
use ingest::clients::{self, Client, NewClient};
use uuid::Uuid;

use super::surfaces::surfaces;
use super::{revocation, transaction};
use crate::arguments::{self, ClientCommand, Rehearsal};
use crate::error::CommandError;
use crate::output;

/// Runs a command on OAuth clients.
pub(super) async fn run(
    client: &mut tokio_postgres::Client,
    command: ClientCommand,
) -> Result<(), CommandError> {
    match command {
        ClientCommand::Create(wanted) => create(client, &wanted).await,
        ClientCommand::List => list(client).await,
        ClientCommand::Revoke { client_id, rehearsal } => revoke(client, &client_id, rehearsal).await,
    }
}

/// Creates a client and prints its id.
async fn create(
    client: &mut tokio_postgres::Client,
    wanted: &arguments::NewClient,
) -> Result<(), CommandError> {
    // Without an id on the command line, `--generate-id` was given.
    let client_id = wanted.id.clone().unwrap_or_else(|| Uuid::new_v4().to_string());
    let new = NewClient {
        client_id: &client_id,
        kind: &wanted.kind,
        name: &wanted.name,
        owner: wanted.owner.as_deref(),
        scopes: &wanted.scopes,
        surfaces: &wanted.surfaces,
        redirect_uris: &wanted.redirect_uris,
    };
    let transaction = transaction::begin(client).await?;
    clients::create(&transaction, &new).await?;
    transaction::end(transaction, wanted.rehearsal).await?;
    output::lines([&client_id])?;
    if !wanted.rehearsal.dry_run {
        let users = wanted.owner.as_deref().map_or("all users".to_owned(), |owner| format!("{owner} only"));
        output::note(&format!(
            "created the {} {}, which serves {users}; register the client at the identity provider under this id",
            wanted.kind, wanted.name
        ));
    }
    Ok(())
}

/// Prints all clients.
async fn list(client: &tokio_postgres::Client) -> Result<(), CommandError> {
    let heading = ["id", "kind", "owner", "name", "state", "surfaces", "created", "scopes", "redirect uris"];
    let mut rows = vec![heading.map(str::to_owned)];
    rows.extend(clients::list(client).await?.into_iter().map(row));
    output::lines(output::table(&rows))
}

fn row(client: Client) -> [String; 9] {
    [
        client.client_id,
        client.kind,
        client.owner.unwrap_or_else(|| "everyone".to_owned()),
        client.name,
        revocation::state(client.revoked_at).to_owned(),
        surfaces(client.rest, client.mcp).to_owned(),
        format!("{:.0}", client.created_at),
        client.scopes.join(","),
        client.redirect_uris.join(" "),
    ]
}

/// Revokes a client for all users.
async fn revoke(
    client: &mut tokio_postgres::Client,
    client_id: &str,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let transaction = transaction::begin(client).await?;
    let revocation = clients::revoke(&transaction, client_id).await?;
    revocation::end(transaction, rehearsal, revocation, client_id, || unknown(client_id)).await
}

/// The fault for a client that does not exist.
pub(super) fn unknown(client_id: &str) -> Fault {
    let rule = "must be the id of a client; `passbook-admin client list` shows them";
    Fault::new("CLIENT_ID", rule).received(client_id)
}
