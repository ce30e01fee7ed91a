//! The command line of OAuth clients.

use clap::{Args, Subcommand};

use super::listing::Listing;
use super::rehearsal::Rehearsal;
use super::values;

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
    Create(NewClient),
    /// Change a client; its tokens have the new scopes and surfaces from the next request on
    ///
    /// Each value that is given replaces the earlier one; the others stay. Id, kind and owner cannot be changed: create
    /// another client instead.
    Update(UpdatedClient),
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
pub(crate) struct NewClient {
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
    #[arg(long, value_delimiter = ',', required = true, help = values::client_scopes_help())]
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
pub(crate) struct UpdatedClient {
    /// Id of the client, from `client list`
    pub(crate) client_id: String,
    #[command(flatten)]
    pub(crate) changes: ClientChanges,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}

/// The values of a client that can be changed. At least one must be given.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct ClientChanges {
    /// New name by which users recognise the client
    #[arg(long)]
    pub(crate) name: Option<String>,
    #[arg(long, value_delimiter = ',', help = values::client_scopes_help())]
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
