//! The command lines of who may sign in: clients, consents and sessions.

use clap::{Args, Subcommand};

use super::Rehearsal;

#[derive(Debug, Subcommand)]
pub(crate) enum ClientCommand {
    /// Make a client; prints its identifier
    Create(NewClient),
    /// List clients
    List,
    /// Take a client back for everyone, from the next request on
    Revoke {
        /// Its identifier, as listed
        client_id: String,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

/// A client as it is typed. Its words are read together with what the database knows, so that every fault is listed.
#[derive(Debug, Args)]
pub(crate) struct NewClient {
    /// Its identifier at the identity provider
    #[arg(long, value_name = "CLIENT_ID", required_unless_present = "generate_id")]
    pub(crate) id: Option<String>,
    /// Make up an identifier (a UUID), where the identity provider will be told it
    #[arg(long, conflicts_with = "id")]
    pub(crate) generate_id: bool,
    /// Whom it serves: `personal_dashboard`, its owner alone; `known_mcp`, everyone
    #[arg(long)]
    pub(crate) kind: String,
    /// By which people recognise it
    #[arg(long)]
    pub(crate) name: String,
    /// The owner of a `personal_dashboard`, by e-mail address
    #[arg(long, value_name = "EMAIL")]
    pub(crate) owner: Option<String>,
    /// What it may read, separated by commas
    #[arg(long, value_delimiter = ',', required = true)]
    pub(crate) scopes: Vec<String>,
    /// Who accepts it
    #[arg(long, value_delimiter = ',', default_value = "rest,mcp")]
    pub(crate) surfaces: Vec<String>,
    /// Where the identity provider may send people back to, for the record; may be repeated
    #[arg(long = "redirect-uri", value_name = "URI")]
    pub(crate) redirect_uris: Vec<String>,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConsentCommand {
    /// List what people agreed to, where it is recorded
    List {
        /// Only this person's, by e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
    },
    /// Take a client away from one person, from the next request on
    Revoke {
        /// The client's identifier, as listed
        client_id: String,
        /// The person, by e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: String,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    /// List sessions of clients, where they are recorded
    List {
        /// Only this person's, by e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
    },
    /// End a session, from the next request on: tokens that name it are refused
    Revoke {
        /// Its identifier at the identity provider, the `session_id` of its tokens
        session_id: String,
        /// The person, by e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: String,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}
