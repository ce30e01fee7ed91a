//! `client`: creates, changes, lists and revokes OAuth clients.

use clap::{Args, Subcommand};
use passbook_domain::scope::Scope;
use passbook_ingest::clients::{self, Client, ClientChanges, NewClient};
use passbook_input::Fault;
use uuid::Uuid;

use super::transaction::{self, Rehearsal};
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing, joined};
use crate::output;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin client create --id 4b8e9f0a-3b1f-4f7e-8a55-0d6b3c9e7d21 --kind known_mcp --name Assistant \
--scopes transactions:read,cashflow:read
  passbook-admin client update 4b8e9f0a-3b1f-4f7e-8a55-0d6b3c9e7d21 --scopes transactions:read
  passbook-admin client list
  passbook-admin client revoke 4b8e9f0a-3b1f-4f7e-8a55-0d6b3c9e7d21";

#[derive(Debug, Subcommand)]
pub(crate) enum ClientCommand {
    /// Create a client and print its id
    Create(ClientCreation),
    /// Change a client; its tokens have the new scopes and surfaces from the next request on
    ///
    /// Each value that is given replaces the earlier one; the others stay. Id, kind and owner cannot be changed: create
    /// another client instead.
    Update(ClientUpdate),
    /// List all clients
    List {
        #[command(flatten)]
        listing: Listing,
    },
    /// Revoke a client for all users; the next request with its tokens is refused
    Revoke {
        /// Id of the client, from `client list`
        client_id: String,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

/// The values of a new client. They are validated with the database, so that every fault is listed at once.
#[derive(Debug, Args)]
pub(crate) struct ClientCreation {
    /// Id of the client at the identity provider
    #[arg(long, value_name = "CLIENT_ID", required_unless_present = "generate_id")]
    pub(crate) id: Option<String>,
    /// Generate an id (a UUID); configure the client with this id at the identity provider
    #[arg(long, conflicts_with = "id")]
    pub(crate) generate_id: bool,
    /// Kind of the client: `personal_dashboard` serves its owner only, `known_mcp` serves all users
    #[arg(long)]
    pub(crate) kind: String,
    /// Name by which users recognise the client
    #[arg(long)]
    pub(crate) name: String,
    /// E-mail address of the owner of a `personal_dashboard`
    #[arg(long, value_name = "EMAIL")]
    pub(crate) owner: Option<String>,
    #[arg(long, value_delimiter = ',', required = true, help = client_scopes_help())]
    pub(crate) scopes: Vec<String>,
    /// Surfaces that accept the client's tokens, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "rest,mcp")]
    pub(crate) surfaces: Vec<String>,
    /// Redirect URI of the client, for the record; may be repeated
    #[arg(long = "redirect-uri", value_name = "URI")]
    pub(crate) redirect_uris: Vec<String>,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}

/// The new values of a client. They are validated like those of a new client.
#[derive(Debug, Args)]
pub(crate) struct ClientUpdate {
    /// Id of the client, from `client list`
    pub(crate) client_id: String,
    #[command(flatten)]
    pub(crate) changes: ChangedValues,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}

/// The values of a client that can be changed. At least one must be given.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct ChangedValues {
    /// New name by which users recognise the client
    #[arg(long)]
    pub(crate) name: Option<String>,
    #[arg(long, value_delimiter = ',', help = client_scopes_help())]
    pub(crate) scopes: Option<Vec<String>>,
    /// Surfaces that accept the client's tokens, separated by commas
    #[arg(long, value_delimiter = ',')]
    pub(crate) surfaces: Option<Vec<String>>,
    /// Redirect URI of the client, for the record; may be repeated
    #[arg(long = "redirect-uri", value_name = "URI")]
    pub(crate) redirect_uris: Option<Vec<String>>,
    /// Remove all redirect URIs from the record
    #[arg(long, conflicts_with = "redirect_uris")]
    pub(crate) no_redirect_uris: bool,
}

/// Runs a command on OAuth clients.
pub(super) async fn run(
    client: &mut tokio_postgres::Client,
    command: ClientCommand,
) -> Result<(), CommandError> {
    match command {
        ClientCommand::Create(wanted) => create(client, &wanted).await,
        ClientCommand::Update(wanted) => update(client, &wanted).await,
        ClientCommand::List { listing } => listing::print(&clients::list(client).await?, listing),
        ClientCommand::Revoke { client_id, rehearsal } => revoke(client, &client_id, rehearsal).await,
    }
}

/// Creates a client and prints its id.
async fn create(client: &mut tokio_postgres::Client, wanted: &ClientCreation) -> Result<(), CommandError> {
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
    let transaction = client.transaction().await?;
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
async fn update(client: &mut tokio_postgres::Client, wanted: &ClientUpdate) -> Result<(), CommandError> {
    let (client_id, given) = (&wanted.client_id, &wanted.changes);
    let no_redirect_uris = given.no_redirect_uris.then_some(&[][..]);
    let changes = ClientChanges {
        name: given.name.as_deref(),
        scopes: given.scopes.as_deref(),
        surfaces: given.surfaces.as_deref(),
        redirect_uris: given.redirect_uris.as_deref().or(no_redirect_uris),
    };
    let transaction = client.transaction().await?;
    let found = clients::update(&transaction, client_id, &changes).await?;
    if !found {
        return Err(CommandError::input(unknown(client_id)));
    }
    transaction::end(transaction, wanted.rehearsal).await?;
    output::lines([format!("updated {client_id}")])
}

impl ListEntry for Client {
    const COLUMNS: &[Column<Client>] = &[
        ("id", |entry| entry.client_id.clone()),
        ("kind", |entry| entry.kind.clone()),
        ("owner", |entry| entry.owner.clone().unwrap_or_else(|| "everyone".to_owned())),
        ("name", |entry| entry.name.clone()),
        ("state", |entry| entry.state.clone()),
        ("surfaces", |entry| joined(&entry.surfaces)),
        ("created", |entry| format!("{:.0}", entry.created_at)),
        ("scopes", |entry| entry.scopes.join(",")),
        ("redirect uris", |entry| entry.redirect_uris.join(" ")),
    ];
}

/// Revokes a client for all users.
async fn revoke(
    client: &mut tokio_postgres::Client,
    client_id: &str,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let transaction = client.transaction().await?;
    let revocation = clients::revoke(&transaction, client_id).await?;
    transaction::end_revocation(transaction, rehearsal, revocation, client_id, || unknown(client_id)).await
}

/// The fault for a client that does not exist.
pub(super) fn unknown(client_id: &str) -> Fault {
    let rule = "must be the id of a client; `passbook-admin client list` shows them";
    Fault::new("CLIENT_ID", rule).received(client_id)
}

/// The help of the scopes of a client. They are validated with the database, so clap does not know their values.
fn client_scopes_help() -> String {
    let scopes: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    format!("Scopes that the client may request, separated by commas: {}", scopes.join(", "))
}
