//! The embedded database server of a command: the running one, or one that the command starts.
//!
//! A command that starts the server holds a lock until the server has stopped. Other commands wait for the lock, so
//! that none of them works on a server that is about to stop. Any number of commands can use a server that another
//! process, such as `passbook-server`, keeps running.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, fchown};
use std::path::Path;
use std::time::{Duration, Instant};

use passbook_embedded::{Address, Embedded, EmbeddedConfig};

use crate::error::CommandError;
use crate::output;

/// The name of the database in the embedded server.
pub(super) const DATABASE: &str = "passbook";
/// Maximum time to wait for another process that starts or stops the server, in seconds.
const WAIT_SECONDS_MAX: u64 = 30;
/// Waiting time after which a note says that the command waits for another process.
const NOTE_AFTER: Duration = Duration::from_secs(1);
/// Time between two attempts to find or start the server.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);
/// Name of the lock file, in the folder that contains the cluster.
const LOCK_FILE: &str = "admin.lock";

/// A running embedded server.
pub(super) enum EmbeddedServer {
    /// Another process keeps the server running.
    Running(Address),
    /// This command started the server.
    Started(StartedServer),
}

/// A server that this command started.
pub(super) struct StartedServer {
    // Dropped in this order: the lock is released when the server has stopped.
    embedded: Embedded,
    lock: Option<StartLock>,
}

impl StartedServer {
    pub(super) fn address(&self) -> &Address {
        self.embedded.address()
    }

    /// Stops the server, then releases the lock.
    pub(super) async fn stop(self) -> Result<(), CommandError> {
        let stopped = self.embedded.stop().await;
        drop(self.lock);
        Ok(stopped?)
    }
}

/// The result of one attempt to find or start the server.
enum Attempt {
    Reached(EmbeddedServer),
    /// Another process starts or stops the server. Carries the error to report if that takes too long.
    Busy(CommandError),
}

/// Returns the server that runs in the folder, or starts one. Waits while another process starts or stops one.
pub(super) async fn find_or_start(config: &EmbeddedConfig) -> Result<EmbeddedServer, CommandError> {
    let start = Instant::now();
    let mut noted = false;
    loop {
        let busy = match attempt(config).await? {
            Attempt::Reached(server) => return Ok(server),
            Attempt::Busy(error) => error,
        };
        if start.elapsed() >= Duration::from_secs(WAIT_SECONDS_MAX) {
            return Err(busy);
        }
        if !noted && start.elapsed() >= NOTE_AFTER {
            let folder = config.data_dir.display();
            output::note(&format!("waiting for another process that uses the database in {folder}"));
            noted = true;
        }
        tokio::time::sleep(RETRY_INTERVAL).await;
    }
}

async fn attempt(config: &EmbeddedConfig) -> Result<Attempt, CommandError> {
    let mut lock = match StartLock::try_acquire(&config.data_dir)? {
        LockAttempt::Acquired(lock) => Some(lock),
        LockAttempt::NoFolder => None,
        LockAttempt::Held => return Ok(Attempt::Busy(held_by_another_command(&config.data_dir))),
    };
    if let Some(address) = passbook_embedded::running_in(&config.data_dir).await? {
        return match passbook_embedded::ensure_database(&address, DATABASE).await {
            Ok(()) => Ok(Attempt::Reached(EmbeddedServer::Running(address))),
            // The server stopped between the two checks.
            Err(error) if passbook_embedded::running_in(&config.data_dir).await?.is_none() => {
                Ok(Attempt::Busy(error.into()))
            }
            Err(error) => Err(error.into()),
        };
    }
    let embedded = match Embedded::start(config.clone()).await {
        Ok(embedded) => embedded,
        Err(error @ passbook_embedded::Error::InUse { .. }) => return Ok(Attempt::Busy(error.into())),
        Err(error) => return Err(error.into()),
    };
    // The start has created the folder for the lock file, if there was none.
    if lock.is_none()
        && let LockAttempt::Acquired(acquired) = StartLock::try_acquire(&config.data_dir)?
    {
        lock = Some(acquired);
    }
    passbook_embedded::ensure_database(embedded.address(), DATABASE).await?;
    Ok(Attempt::Reached(EmbeddedServer::Started(StartedServer { embedded, lock })))
}

fn held_by_another_command(data_dir: &Path) -> CommandError {
    CommandError::Unreachable(format!(
        "another passbook-admin command has used the database in {} for {WAIT_SECONDS_MAX} seconds; run this command \
         again when the other one has finished",
        data_dir.display()
    ))
}

/// A lock on a file beside the cluster. The operating system releases the lock when the process ends for any reason.
struct StartLock {
    _file: File,
}

enum LockAttempt {
    Acquired(StartLock),
    /// Another command holds the lock.
    Held,
    /// There is no folder for the lock file, because no database has been created.
    NoFolder,
}

impl StartLock {
    fn try_acquire(data_dir: &Path) -> Result<LockAttempt, CommandError> {
        let path = data_dir.join("postgres").join(LOCK_FILE);
        let failed = |error: std::io::Error| {
            CommandError::configuration(format!(
                "the lock file {} cannot be used: {error}; run the command as the owner of the data folder, or set \
                 PASSBOOK_DATA_DIR to another folder",
                path.display()
            ))
        };
        let file = match lock_file(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(LockAttempt::NoFolder),
            Err(error) => return Err(failed(error)),
        };
        match file.try_lock() {
            Ok(()) => Ok(LockAttempt::Acquired(StartLock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(LockAttempt::Held),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}

/// Opens the lock file, or creates it. What root creates belongs to the owner of the folder, whose commands need it too;
/// others may not give a file away, and need not. A file that exists keeps its owner, because a link may name any file.
fn lock_file(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(0o600);
    match options.clone().create_new(true).open(path) {
        Ok(file) => {
            if let Some(Ok(folder)) = path.parent().map(std::fs::metadata) {
                drop(fchown(&file, Some(folder.uid()), Some(folder.gid())));
            }
            Ok(file)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => options.open(path),
        Err(error) => Err(error),
    }
}
