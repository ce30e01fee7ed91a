//! `consent`: lists and revokes the consents of users.

use clap::Subcommand;
use passbook_ingest::consents::{self, Consent};
use tokio_postgres::Client;

use super::client;
use super::transaction::{self, Rehearsal};
use super::user::{self, Owner};
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing};

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin consent list --user you@example.org
  passbook-admin consent revoke 4b8e9f0a-3b1f-4f7e-8a55-0d6b3c9e7d21 --user you@example.org";

#[derive(Debug, Subcommand)]
pub(crate) enum ConsentCommand {
    /// List the recorded consents
    List {
        /// List only the consents of the user with this e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Revoke a client for one user; the next request with its tokens is refused
    Revoke {
        /// Id of the client, from `client list`
        client_id: String,
        #[command(flatten)]
        owner: Owner,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

/// Runs a command on consents.
pub(super) async fn run(client: &mut Client, command: ConsentCommand) -> Result<(), CommandError> {
    match command {
        ConsentCommand::List { user, listing } => list(client, user.as_deref(), listing).await,
        ConsentCommand::Revoke { client_id, owner, rehearsal } => {
            revoke(client, &owner, &client_id, rehearsal).await
        }
    }
}

/// Prints the recorded consents of one user or of all users.
async fn list(client: &Client, email: Option<&str>, listing: Listing) -> Result<(), CommandError> {
    let user_id = user::find_id(client, email).await?;
    listing::print(&consents::list(client, user_id).await?, listing)
}

impl ListEntry for Consent {
    const COLUMNS: &[Column<Consent>] = &[
        ("user", |entry| entry.email.clone()),
        ("client", |entry| entry.client_id.clone()),
        ("name", |entry| entry.client_name.clone()),
        ("state", |entry| entry.state.clone()),
        ("granted", |entry| format!("{:.0}", entry.granted_at)),
    ];
}

/// Revokes a client for one user.
async fn revoke(
    client: &mut Client,
    owner: &Owner,
    client_id: &str,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let user_id = owner.find(client).await?.user_id;
    let transaction = transaction::begin(client).await?;
    let revocation = consents::revoke(&transaction, user_id, client_id).await?;
    transaction::end_revocation(transaction, rehearsal, revocation, client_id, || client::unknown(client_id))
        .await
}
