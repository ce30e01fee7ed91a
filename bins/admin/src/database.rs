//! The database session of a command: on an external server, or on the embedded one, which a command starts if it is
//! not running.

mod embedded_server;

use std::path::PathBuf;
use std::time::Duration;

use passbook_embedded::Address;
use passbook_store::{ConnectionFailure, ConnectionSettings};
use tokio_postgres::{Client, GenericClient};

use crate::error::CommandError;
use crate::settings::DatabaseLocation;
use embedded_server::{DATABASE, EmbeddedServer, StartedServer};

/// The setting that names the external database.
pub(crate) const ADMIN_URL: &str = "PASSBOOK_ADMIN_DATABASE_URL";
/// The setting that names the database of the server.
pub(crate) const READER_URL: &str = "PASSBOOK_DATABASE_URL";
/// Maximum time to connect to one host of a database, in seconds, unless its URL has another.
const CONNECT_SECONDS_MAX: u64 = 10;

/// A session, and the server if this command started it.
pub(crate) struct Database {
    pub(crate) client: Client,
    server: Server,
}

/// The schema versions that a command accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Schema {
    Current,
    CurrentOrOlder,
}

enum Server {
    External(Box<ConnectionSettings>),
    /// Another process keeps the embedded server running in this data folder.
    Running(Address, PathBuf),
    Started(StartedServer),
}

impl Server {
    async fn reach(location: DatabaseLocation) -> Result<Server, CommandError> {
        let config = match location {
            DatabaseLocation::External(config) => return Ok(Server::External(config)),
            DatabaseLocation::Embedded(config) => config,
        };
        Ok(match embedded_server::find_or_start(&config).await? {
            EmbeddedServer::Running(address) => Server::Running(address, config.data_dir),
            EmbeddedServer::Started(started) => Server::Started(started),
        })
    }

    /// The address of the embedded server.
    fn embedded_address(&self) -> Option<&Address> {
        match self {
            Server::External(_) => None,
            Server::Running(address, _) => Some(address),
            Server::Started(started) => Some(started.address()),
        }
    }

    /// Connects as the role that may change the schema: the role of the URL, or the embedded server's superuser.
    async fn connect_as_owner(&self) -> Result<Client, CommandError> {
        match self {
            Server::External(config) => connect(ADMIN_URL, config).await,
            Server::Running(address, _) => connect_embedded(address, passbook_embedded::SUPERUSER).await,
            Server::Started(started) => {
                connect_embedded(started.address(), passbook_embedded::SUPERUSER).await
            }
        }
    }
}

impl Database {
    /// Opens a session that may change the schema.
    pub(crate) async fn for_migration(location: DatabaseLocation) -> Result<Database, CommandError> {
        let server = Server::reach(location).await?;
        let client = server.connect_as_owner().await?;
        Ok(Database { client, server })
    }

    /// Starts the embedded database unless it is running, and returns the configuration of a role for other sessions.
    pub(crate) async fn embedded_for(
        role: &str,
        config: passbook_embedded::EmbeddedConfig,
    ) -> Result<(Database, ConnectionSettings), CommandError> {
        let location = DatabaseLocation::Embedded(config);
        require_embedded_database(&location)?;
        let server = Server::reach(location).await?;
        let client = server.connect_as_owner().await?;
        let address = server.embedded_address().expect("the location is the embedded database");
        let connection = address.connect(role, DATABASE).into();
        Ok((Database { client, server }, connection))
    }

    /// Opens a session of the writing role on a database with the current schema.
    pub(crate) async fn for_data(location: DatabaseLocation) -> Result<Database, CommandError> {
        Database::as_writer(location, Schema::Current).await
    }

    /// Opens a session of the writing role on a database with the current schema or an older one.
    pub(crate) async fn for_backup(location: DatabaseLocation) -> Result<Database, CommandError> {
        Database::as_writer(location, Schema::CurrentOrOlder).await
    }

    async fn as_writer(location: DatabaseLocation, schema: Schema) -> Result<Database, CommandError> {
        require_embedded_database(&location)?;
        let server = Server::reach(location).await?;
        let client = server.connect_as_owner().await?;
        require_schema(&client, schema).await?;
        let client = match server.embedded_address() {
            Some(address) => connect_embedded(address, passbook_schema::WRITER).await?,
            None => {
                set_writer_role(&client, WRITER_OF_SESSION).await?;
                client
            }
        };
        Ok(Database { client, server })
    }

    /// Returns true if the database is the embedded one, where every user who can enter the folder is trusted.
    pub(crate) fn is_embedded(&self) -> bool {
        self.server.embedded_address().is_some()
    }

    /// Ends the session, and stops the server if this command started it. Returns `result`, or the error that explains
    /// it: the process that ran the embedded server may have stopped it meanwhile.
    pub(crate) async fn close(self, result: Result<(), CommandError>) -> Result<(), CommandError> {
        let lost = self.client.is_closed();
        drop(self.client);
        match (self.server, result) {
            (Server::Started(started), result) => {
                let stopped = started.stop().await;
                result.and(stopped)
            }
            (Server::Running(_, data_dir), Err(CommandError::Unreachable(cause)))
                if lost || passbook_embedded::running_in(&data_dir).await?.is_none() =>
            {
                Err(CommandError::Unreachable(format!(
                    "the process that ran the database in {} stopped it during this command; run the command again \
                     ({cause})",
                    data_dir.display()
                )))
            }
            (Server::External(_) | Server::Running(..), result) => result,
        }
    }
}

/// Connects to the database that `setting` names.
pub(crate) async fn connect(setting: &str, settings: &ConnectionSettings) -> Result<Client, CommandError> {
    let config = settings.config();
    let seconds = Duration::from_secs(CONNECT_SECONDS_MAX);
    let timeout = config.get_connect_timeout().copied().unwrap_or(seconds);
    // The driver's own limit does not include the sign-in, during which a server may never answer.
    let hosts = u32::try_from(config.get_hosts().len().max(1)).unwrap_or(u32::MAX);
    let connecting = tokio::time::timeout(timeout.saturating_mul(hosts), settings.connect());
    let failure = match connecting.await {
        Ok(Ok((client, connection))) => {
            // The client returns the errors of the connection.
            tokio::spawn(connection);
            return Ok(client);
        }
        Ok(Err(error)) => ConnectionFailure::new(config, &error),
        Err(_elapsed) => ConnectionFailure::timed_out(config),
    };
    Err(CommandError::connection(setting, &failure))
}

pub(crate) async fn connect_embedded(address: &Address, role: &str) -> Result<Client, CommandError> {
    connect("the embedded database", &address.connect(role, DATABASE).into()).await
}

/// Returns true if no embedded database has been created in the data folder.
pub(crate) fn is_absent(config: &passbook_embedded::EmbeddedConfig) -> bool {
    matches!(config.data_dir.join("postgres").join("cluster").try_exists(), Ok(false))
}

/// Only `migrate` and the server create the embedded database.
fn require_embedded_database(location: &DatabaseLocation) -> Result<(), CommandError> {
    match location {
        DatabaseLocation::Embedded(config) if is_absent(config) => Err(CommandError::configuration(format!(
            "there is no database in {}: create it with `passbook-admin migrate`, or set PASSBOOK_DATA_DIR or \
             PASSBOOK_ADMIN_DATABASE_URL to the right one",
            config.data_dir.display()
        ))),
        DatabaseLocation::Embedded(_) | DatabaseLocation::External(_) => Ok(()),
    }
}

async fn require_schema(client: &Client, accepted: Schema) -> Result<(), CommandError> {
    let latest = passbook_schema::latest_version();
    let problem = match passbook_schema::status(client).await?.version()? {
        Some(version) if version == latest || accepted == Schema::CurrentOrOlder => return Ok(()),
        Some(version) => format!(
            "the database has schema version {version}, behind version {latest} of this program: update it with \
             `passbook-admin migrate`"
        ),
        None => "the database has no Passbook schema: create it with `passbook-admin migrate`".to_owned(),
    };
    Err(CommandError::configuration(problem))
}

/// The statement that sets the role of a session to the writer.
const WRITER_OF_SESSION: &str = "set role passbook_writer";
/// The statement that sets the role of a transaction to the writer.
pub(crate) const WRITER_OF_TRANSACTION: &str = "set local role passbook_writer";

/// Sets the role to the writer with a statement, if the role of the URL is a member. Otherwise the role of the URL needs
/// the same rights.
pub(crate) async fn set_writer_role(
    client: &impl GenericClient,
    statement: &str,
) -> Result<(), CommandError> {
    let is_member = "select coalesce((select pg_has_role(current_user, oid, 'member') from pg_roles \
                     where rolname = 'passbook_writer'), false)";
    if client.query_one(is_member, &[]).await?.get(0) {
        client.batch_execute(statement).await?;
    }
    Ok(())
}
