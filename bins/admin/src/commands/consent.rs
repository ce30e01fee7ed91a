//! `consent`: lists and revokes the consents of users.

use jiff::Timestamp;
use passbook_ingest::consents::{self, Consent};
use serde::Serialize;
use tokio_postgres::Client;

use super::revocation::State;
use super::{client, revocation, transaction, user};
use crate::arguments::{ConsentCommand, Listing, Rehearsal};
use crate::error::CommandError;
use crate::listing::{self, Entry};

/// Runs a command on consents.
pub(super) async fn run(client: &mut Client, command: ConsentCommand) -> Result<(), CommandError> {
    match command {
        ConsentCommand::List { user, listing } => list(client, user.as_deref(), listing).await,
        ConsentCommand::Revoke { client_id, user, rehearsal } => {
            revoke(client, &user, &client_id, rehearsal).await
        }
    }
}

/// Prints the recorded consents of one user or of all users.
async fn list(client: &Client, email: Option<&str>, listing: Listing) -> Result<(), CommandError> {
    let user_id = user::find_id(client, email).await?;
    let consents = consents::list(client, user_id).await?;
    let entries: Vec<ConsentEntry> = consents.into_iter().map(ConsentEntry::from).collect();
    listing::print(&entries, listing)
}

/// A consent in the list.
#[derive(Debug, Serialize)]
struct ConsentEntry {
    /// E-mail address.
    user: String,
    client_id: String,
    client_name: String,
    state: State,
    granted_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked_at: Option<Timestamp>,
}

impl From<Consent> for ConsentEntry {
    fn from(consent: Consent) -> ConsentEntry {
        ConsentEntry {
            user: consent.email,
            client_id: consent.client_id,
            client_name: consent.client_name,
            state: State::new(consent.revoked_at),
            granted_at: consent.granted_at,
            revoked_at: consent.revoked_at,
        }
    }
}

impl Entry for ConsentEntry {
    const HEADING: &'static [&'static str] = &["user", "client", "name", "state", "granted"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.user.clone(),
            self.client_id.clone(),
            self.client_name.clone(),
            self.state.as_str().to_owned(),
            format!("{:.0}", self.granted_at),
        ]
    }
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
