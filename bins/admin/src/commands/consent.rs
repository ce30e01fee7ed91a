//! `consent` and `session`: lists and revokes what users gave to OAuth clients.

use clap::Subcommand;
use passbook_domain::access::SessionId;
use passbook_ingest::consents::{self, Consent};
use passbook_ingest::sessions::{self, Session};
use passbook_input::Fault;
use tokio_postgres::Client;

use super::client;
use super::transaction;
use super::user::{self, Edit};
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing};

pub(super) const CONSENT_EXAMPLES: &str = "\
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
        edit: Edit,
    },
}

pub(super) const SESSION_EXAMPLES: &str = "\
Examples:
  passbook-admin session list --user you@example.org
  passbook-admin session revoke 5e550000-0000-4000-8000-000000000001 --user you@example.org";

#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    /// List the recorded sessions
    List {
        /// List only the sessions of the user with this e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Revoke a session; the next request with a token of the session is refused
    Revoke {
        /// Id of the session at the identity provider: the `session_id` claim of its tokens
        session_id: String,
        #[command(flatten)]
        edit: Edit,
    },
}

/// Runs a command on consents.
pub(super) async fn run_on_consents(
    client: &mut Client,
    command: ConsentCommand,
) -> Result<(), CommandError> {
    match command {
        ConsentCommand::List { user, listing } => {
            let user_id = user::find_id(client, user.as_deref()).await?;
            listing::print(&consents::list(client, user_id).await?, listing)
        }
        ConsentCommand::Revoke { client_id, edit } => {
            let user_id = edit.owner.find(client).await?.user_id;
            let transaction = client.transaction().await?;
            let revocation = consents::revoke(&transaction, user_id, &client_id).await?;
            let unknown = || client::unknown(&client_id);
            transaction::end_revocation(transaction, edit.rehearsal, revocation, &client_id, unknown).await
        }
    }
}

/// Runs a command on sessions.
pub(super) async fn run_on_sessions(
    client: &mut Client,
    command: SessionCommand,
) -> Result<(), CommandError> {
    match command {
        SessionCommand::List { user, listing } => {
            let user_id = user::find_id(client, user.as_deref()).await?;
            listing::print(&sessions::list(client, user_id).await?, listing)
        }
        SessionCommand::Revoke { session_id, edit } => {
            let fault = |rule: &str| Fault::new("SESSION_ID", rule).received(format!("{session_id:?}"));
            let session = SessionId::parse(&session_id)
                .map_err(|invalid| CommandError::input(fault(invalid.rule())))?;
            if passbook_input::contains_token(&session_id) {
                let rule = "must not be a token, because ids of sessions are displayed";
                return Err(CommandError::input(Fault::new("SESSION_ID", rule)));
            }
            let user_id = edit.owner.find(client).await?.user_id;
            let transaction = client.transaction().await?;
            let revocation = sessions::revoke(&transaction, user_id, &session).await?;
            let unknown = || fault("must be the id of a session; `passbook-admin session list` shows them");
            transaction::end_revocation(transaction, edit.rehearsal, revocation, &session_id, unknown).await
        }
    }
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

impl ListEntry for Session {
    const COLUMNS: &[Column<Session>] = &[
        ("id", |entry| entry.session_id.clone()),
        ("user", |entry| entry.email.clone()),
        ("client", |entry| entry.client_id.clone().unwrap_or_else(|| "unknown".to_owned())),
        ("state", |entry| entry.state.clone()),
        ("began", |entry| format!("{:.0}", entry.created_at)),
    ];
}
