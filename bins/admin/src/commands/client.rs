//! `client`: creates, changes, lists and revokes OAuth clients.

use jiff::Timestamp;
use passbook_ingest::clients::{self, Client, ClientChanges, NewClient};
use passbook_input::Fault;
use serde::Serialize;
use uuid::Uuid;

use super::revocation::State;
use super::surfaces::{joined, surfaces};
use super::{revocation, transaction};
use crate::arguments::{self, ClientCommand, Listing, Rehearsal};
use crate::error::CommandError;
use crate::listing::{self, Entry};
use crate::output;

/// Runs a command on OAuth clients.
pub(super) async fn run(
    client: &mut tokio_postgres::Client,
    command: ClientCommand,
) -> Result<(), CommandError> {
    match command {
        ClientCommand::Create(wanted) => create(client, &wanted).await,
        ClientCommand::Update(wanted) => update(client, &wanted).await,
        ClientCommand::List { listing } => list(client, listing).await,
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

/// Changes a client.
async fn update(
    client: &mut tokio_postgres::Client,
    wanted: &arguments::UpdatedClient,
) -> Result<(), CommandError> {
    let (client_id, given) = (&wanted.client_id, &wanted.changes);
    let no_redirect_uris = given.no_redirect_uris.then_some(&[][..]);
    let changes = ClientChanges {
        name: given.name.as_deref(),
        scopes: given.scopes.as_deref(),
        surfaces: given.surfaces.as_deref(),
        redirect_uris: given.redirect_uris.as_deref().or(no_redirect_uris),
    };
    let transaction = transaction::begin(client).await?;
    let found = clients::update(&transaction, client_id, &changes).await?;
    if !found {
        return Err(CommandError::input(unknown(client_id)));
    }
    transaction::end(transaction, wanted.rehearsal).await?;
    output::lines([format!("updated {client_id}")])
}

/// Prints all clients.
async fn list(client: &tokio_postgres::Client, listing: Listing) -> Result<(), CommandError> {
    let entries: Vec<ClientEntry> = clients::list(client).await?.into_iter().map(ClientEntry::from).collect();
    listing::print(&entries, listing)
}

/// An OAuth client in the list.
#[derive(Debug, Serialize)]
struct ClientEntry {
    client_id: String,
    kind: String,
    /// E-mail address; absent for a client that serves all users.
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
    name: String,
    state: State,
    surfaces: Vec<&'static str>,
    scopes: Vec<String>,
    redirect_uris: Vec<String>,
    created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked_at: Option<Timestamp>,
}

impl From<Client> for ClientEntry {
    fn from(client: Client) -> ClientEntry {
        ClientEntry {
            client_id: client.client_id,
            kind: client.kind,
            owner: client.owner,
            name: client.name,
            state: State::new(client.revoked_at),
            surfaces: surfaces(client.rest, client.mcp),
            scopes: client.scopes,
            redirect_uris: client.redirect_uris,
            created_at: client.created_at,
            revoked_at: client.revoked_at,
        }
    }
}

impl Entry for ClientEntry {
    const HEADING: &'static [&'static str] =
        &["id", "kind", "owner", "name", "state", "surfaces", "created", "scopes", "redirect uris"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.client_id.clone(),
            self.kind.clone(),
            self.owner.clone().unwrap_or_else(|| "everyone".to_owned()),
            self.name.clone(),
            self.state.as_str().to_owned(),
            joined(&self.surfaces),
            format!("{:.0}", self.created_at),
            self.scopes.join(","),
            self.redirect_uris.join(" "),
        ]
    }
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
