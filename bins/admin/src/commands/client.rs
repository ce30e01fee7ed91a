//! Clients that sign people in through the identity provider.

use formats::Fault;
use ingest::clients::{self, Client, NewClient};
use uuid::Uuid;

use super::revoke;
use crate::arguments::{self, Rehearsal};
use crate::exit::{self, Failure};
use crate::output;

/// Makes a client and prints its identifier.
pub(super) async fn create(
    client: &mut tokio_postgres::Client,
    wanted: &arguments::NewClient,
) -> Result<(), Failure> {
    // The identity provider has to know the client by the same identifier, so one is made up only where that is asked.
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
    let transaction = client.transaction().await.map_err(|error| Failure::database(&error))?;
    clients::create(&transaction, &new).await?;
    let rehearsal = wanted.rehearsal;
    let ended = if rehearsal.dry_run { transaction.rollback().await } else { transaction.commit().await };
    ended.map_err(|error| Failure::database(&error))?;
    super::remark_on_rehearsal(rehearsal);
    output::lines([&client_id])?;
    if !rehearsal.dry_run {
        let serves = wanted.owner.as_deref().map_or("everyone".to_owned(), |owner| format!("{owner} alone"));
        exit::remark(&format!(
            "{} {}, which serves {serves}; the identity provider must know it by this identifier",
            wanted.kind, wanted.name
        ));
    }
    Ok(())
}

/// Prints every client.
pub(super) async fn list(client: &tokio_postgres::Client) -> Result<(), Failure> {
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
        revoke::state(client.revoked_at).to_owned(),
        super::surfaces(client.rest, client.mcp).to_owned(),
        format!("{:.0}", client.created_at),
        client.scopes.join(","),
        client.redirect_uris.join(" "),
    ]
}

/// Takes a client back.
pub(super) async fn revoke(
    client: &mut tokio_postgres::Client,
    client_id: &str,
    rehearsal: Rehearsal,
) -> Result<(), Failure> {
    let transaction = client.transaction().await.map_err(|error| Failure::database(&error))?;
    let revocation = clients::revoke(&transaction, client_id).await?;
    revoke::end(transaction, rehearsal, revocation, client_id, || unknown(client_id)).await
}

/// A client that does not exist.
pub(super) fn unknown(client_id: &str) -> Fault {
    Fault::new("CLIENT_ID", "must be the identifier of a client; see `client list`").received(client_id)
}
