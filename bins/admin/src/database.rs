//! Reaching the database: somebody else's server, the private one that runs already, or the private one started
//! for the duration of a command.

mod turn;

use std::path::PathBuf;

use embedded::Address;
use schema::Status;
use tokio_postgres::{Client, Config, NoTls};

use crate::exit::Failure;
use crate::settings::Settings;
use turn::{Private, Started};

/// The database within the private server.
const DATABASE: &str = "passbook";

/// A session, and the server behind it where it is ours.
pub(crate) struct Database {
    pub(crate) client: Client,
    server: Server,
}

enum Server {
    External(Box<Config>),
    /// Another process keeps it running in this data folder.
    Running(Address, PathBuf),
    Started(Started),
}

impl Server {
    async fn reach(settings: Settings) -> Result<Server, Failure> {
        let config = match settings {
            Settings::External(config) => return Ok(Server::External(config)),
            Settings::Private(config) => config,
        };
        Ok(match turn::reach(&config).await? {
            Private::Running(address) => Server::Running(address, config.data_dir),
            Private::Started(started) => Server::Started(started),
        })
    }

    /// Where the private server listens.
    fn address(&self) -> Option<&Address> {
        match self {
            Server::External(_) => None,
            Server::Running(address, _) => Some(address),
            Server::Started(started) => Some(started.address()),
        }
    }

    /// A session of the role that may do anything to the schema: on somebody else's server, whom the URL names.
    async fn connect_to_set_up(&self) -> Result<Client, Failure> {
        match (self, self.address()) {
            (Server::External(config), _) => connect(config).await,
            (_, Some(address)) => connect(&address.connect(embedded::SUPERUSER, DATABASE)).await,
            (_, None) => unreachable!("a private server has an address"),
        }
    }
}

impl Database {
    /// A session for migrating.
    pub(crate) async fn to_migrate(settings: Settings) -> Result<Database, Failure> {
        let server = Server::reach(settings).await?;
        let client = server.connect_to_set_up().await?;
        Ok(Database { client, server })
    }

    /// The private server, and how the one that serves would connect to it: as its reader.
    pub(crate) async fn to_examine(settings: Settings) -> Result<(Database, Config), Failure> {
        let server = Server::reach(settings).await?;
        let client = server.connect_to_set_up().await?;
        let address = server.address().expect("only the private server is looked for here");
        let reader = address.connect(schema::READER, DATABASE);
        Ok((Database { client, server }, reader))
    }

    /// A session of the writer, in a database whose schema is this program's.
    pub(crate) async fn to_write(settings: Settings) -> Result<Database, Failure> {
        refuse_empty_folder(&settings)?;
        let server = Server::reach(settings).await?;
        let client = server.connect_to_set_up().await?;
        refuse_other_schema(&client).await?;
        let client = match server.address() {
            Some(address) => connect(&address.connect(schema::WRITER, DATABASE)).await?,
            None => {
                become_writer(&client).await?;
                client
            }
        };
        Ok(Database { client, server })
    }

    /// Whether the server is the private one, where whoever enters the folder is trusted.
    pub(crate) fn is_private(&self) -> bool {
        self.server.address().is_some()
    }

    /// Ends the session, and the server if it was started for it. Answers what came of the work, which may have
    /// failed because the server of another process ended.
    pub(crate) async fn close(self, done: Result<(), Failure>) -> Result<(), Failure> {
        let lost = self.client.is_closed();
        drop(self.client);
        match (self.server, done) {
            (Server::Started(started), done) => {
                let stopped = started.stop().await;
                done.and(stopped)
            }
            (Server::Running(_, data_dir), Err(Failure::Unreachable(said)))
                if lost || embedded::running_in(&data_dir).await?.is_none() =>
            {
                Err(Failure::Unreachable(format!(
                    "the process that ran the database in {} ended it while this command worked on it: run the \
                     command again ({said})",
                    data_dir.display()
                )))
            }
            (Server::External(_) | Server::Running(..), done) => done,
        }
    }
}

async fn connect(config: &Config) -> Result<Client, Failure> {
    let (client, connection) = config.connect(NoTls).await.map_err(|error| Failure::database(&error))?;
    // Its error reaches whoever awaits an answer of the client.
    tokio::spawn(connection);
    Ok(client)
}

/// Whether a private database has ever been made in the folder.
pub(crate) fn is_empty_folder(settings: &Settings) -> bool {
    match settings {
        Settings::External(_) => false,
        Settings::Private(config) => {
            matches!(config.data_dir.join("postgres").join("cluster").try_exists(), Ok(false))
        }
    }
}

/// A command that reads or writes rows does not make a database by the way.
fn refuse_empty_folder(settings: &Settings) -> Result<(), Failure> {
    match settings {
        Settings::Private(config) if is_empty_folder(settings) => Err(Failure::configuration(format!(
            "there is no database in {}; make one with `passbook-admin migrate`, or name another place in \
             PASSBOOK_DATA_DIR or PASSBOOK_ADMIN_DATABASE_URL",
            config.data_dir.display()
        ))),
        _ => Ok(()),
    }
}

async fn refuse_other_schema(client: &Client) -> Result<(), Failure> {
    let problem = match schema::status(client).await? {
        Status::Current => return Ok(()),
        Status::Absent => "the database has no schema yet; make it with `passbook-admin migrate`".to_owned(),
        Status::Behind { version, .. } => format!(
            "the database is at schema version {version}, behind this program's {}; bring it up to date with \
             `passbook-admin migrate`",
            schema::latest_version()
        ),
        Status::Ahead { version } => format!(
            "the database is at schema version {version}, ahead of this program's {}; use a program as new as the \
             database",
            schema::latest_version()
        ),
        Status::Edited { version, name } => format!(
            "migration {version} ({name}) differs from the one this database was made with; use the program that \
             made it"
        ),
    };
    Err(Failure::configuration(problem))
}

/// Takes on the writer's rights where the role of the URL may; else its own have to do.
async fn become_writer(client: &Client) -> Result<(), Failure> {
    let member = "select coalesce((select pg_has_role(current_user, oid, 'member') from pg_roles \
                  where rolname = 'passbook_writer'), false)";
    let failed = |error: tokio_postgres::Error| Failure::database(&error);
    if client.query_one(member, &[]).await.map_err(failed)?.get(0) {
        client.batch_execute("set role passbook_writer").await.map_err(failed)?;
    }
    Ok(())
}
