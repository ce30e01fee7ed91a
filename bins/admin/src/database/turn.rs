//! Taking turns on the private database. A command that starts the server has the turn until the server is down, so
//! that no other command works on a server that is about to end. A server that somebody else keeps running is used
//! by any number of commands at once.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use embedded::{Address, Config, Embedded};

use super::DATABASE;
use crate::exit::{self, Failure};

/// How long a command waits while another process has the folder.
const WAIT_SECONDS_MAX: u64 = 30;
/// A wait that is shorter than this is not worth a remark.
const REMARK_AFTER: Duration = Duration::from_secs(1);
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(50);

/// The private server, reached.
pub(super) enum Private {
    Running(Address),
    Started(Started),
}

/// A server of ours.
pub(super) struct Started {
    // Dropped in this order: the turn ends when the server is down.
    embedded: Embedded,
    turn: Option<Turn>,
}

impl Started {
    pub(super) fn address(&self) -> &Address {
        self.embedded.address()
    }

    pub(super) async fn stop(self) -> Result<(), Failure> {
        let stopped = self.embedded.stop().await;
        drop(self.turn);
        Ok(stopped?)
    }
}

/// What came of trying once.
enum Attempt {
    Reached(Private),
    /// Another process has the folder and does not serve: what to say if that does not change.
    Busy(Failure),
}

/// The server that runs in the folder, or else one that is started. Waits while another process is about to start or
/// to stop one.
pub(super) async fn reach(config: &Config) -> Result<Private, Failure> {
    let since = Instant::now();
    let mut remarked = false;
    loop {
        let problem = match attempt(config).await? {
            Attempt::Reached(private) => return Ok(private),
            Attempt::Busy(problem) => problem,
        };
        if since.elapsed() >= Duration::from_secs(WAIT_SECONDS_MAX) {
            return Err(problem);
        }
        if !remarked && since.elapsed() >= REMARK_AFTER {
            let folder = config.data_dir.display();
            exit::remark(&format!("waiting for the database in {folder}, which another process holds"));
            remarked = true;
        }
        tokio::time::sleep(BETWEEN_ATTEMPTS).await;
    }
}

async fn attempt(config: &Config) -> Result<Attempt, Failure> {
    let turn = match Turn::take(&config.data_dir)? {
        Asked::Taken(turn) => Some(turn),
        Asked::NoFolder => None,
        Asked::Refused => {
            return Ok(Attempt::Busy(Failure::Unreachable(format!(
                "another passbook-admin command still works on the database in {} after {WAIT_SECONDS_MAX} seconds; \
                 run this command again when that one has ended",
                config.data_dir.display()
            ))));
        }
    };
    if let Some(address) = embedded::running_in(&config.data_dir).await? {
        return match embedded::ensure_database(&address, DATABASE).await {
            Ok(()) => Ok(Attempt::Reached(Private::Running(address))),
            Err(error) if embedded::running_in(&config.data_dir).await?.is_none() => {
                Ok(Attempt::Busy(error.into()))
            }
            Err(error) => Err(error.into()),
        };
    }
    let embedded = match Embedded::start(config.clone()).await {
        Ok(embedded) => embedded,
        Err(error @ embedded::Error::InUse { .. }) => return Ok(Attempt::Busy(error.into())),
        Err(error) => return Err(error.into()),
    };
    // Where there was no folder to take the turn in, there is one now.
    let turn = match turn {
        Some(turn) => Some(turn),
        None => Turn::take(&config.data_dir)?.taken(),
    };
    embedded::ensure_database(embedded.address(), DATABASE).await?;
    Ok(Attempt::Reached(Private::Started(Started { embedded, turn })))
}

/// A lock on a file beside the cluster, which the system releases when its holder ends, however it ends.
struct Turn {
    _file: File,
}

enum Asked {
    Taken(Turn),
    /// Another command has it.
    Refused,
    /// There is no place for the file yet, because no database was ever made.
    NoFolder,
}

impl Asked {
    fn taken(self) -> Option<Turn> {
        match self {
            Asked::Taken(turn) => Some(turn),
            Asked::Refused | Asked::NoFolder => None,
        }
    }
}

impl Turn {
    fn take(data_dir: &Path) -> Result<Asked, Failure> {
        let path = data_dir.join("postgres").join("turn");
        let failed = |error: std::io::Error| {
            Failure::configuration(format!("cannot lock {}: {error}; check who owns it", path.display()))
        };
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path);
        let file = match file {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Asked::NoFolder),
            Err(error) => return Err(failed(error)),
        };
        match file.try_lock() {
            Ok(()) => Ok(Asked::Taken(Turn { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(Asked::Refused),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}
