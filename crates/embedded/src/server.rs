//! Starts the server, waits until it accepts connections, and stops it.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use crate::account::UnixAccount;
use crate::address::{self, Address};
use crate::binaries::Binaries;
use crate::error::Error;
use crate::folders::Folders;
use crate::log;
use crate::supervisor::{POLL_MILLISECONDS, Supervisor};

/// Time limit of a start, in seconds. A start may include crash recovery.
const READY_SECONDS_MAX: u64 = 60;
/// Time limit of a stop, in seconds. A stop includes a checkpoint, which may write much data.
const STOP_SECONDS_MAX: u64 = 60;
/// Time for which a start is repeated while the sessions of a killed server still run, in seconds.
const REMAINS_SECONDS_MAX: u64 = 5;
const REMAINS_POLL_MILLISECONDS: u64 = 20;
/// Time between two looks at a running server, in milliseconds.
const WATCH_MILLISECONDS: u64 = 200;

/// Line numbers in `postmaster.pid`, from zero: process id, start time, status.
const PID_FILE_PROCESS: usize = 0;
const PID_FILE_STARTED: usize = 2;
const PID_FILE_STATUS: usize = 7;

/// Settings on the command line, which override the files of the cluster. The server does not listen on the network.
/// JIT compilation of queries costs more than it saves for small databases.
const SETTINGS: [&str; 11] = [
    "listen_addresses=",
    "unix_socket_permissions=0700",
    "max_connections=100",
    "shared_buffers=128MB",
    "jit=off",
    "timezone=UTC",
    "log_timezone=UTC",
    "logging_collector=off",
    "log_destination=stderr",
    "log_min_messages=warning",
    "log_line_prefix=%m [%p] ",
];
/// Settings for tests. A crash of the machine may destroy the cluster. A cluster of tests has hundreds of small databases
/// that live for seconds: autovacuum would visit each of them every minute.
const NOT_DURABLE: [&str; 6] = [
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "autovacuum=off",
    "checkpoint_timeout=1d",
    "max_wal_size=256MB",
];

/// A running server that accepts connections.
#[derive(Debug)]
pub(crate) struct Server {
    // Fields are dropped in this order: the address file is removed after the server has stopped.
    /// `None` during a restart and after a failed one.
    supervisor: Option<Supervisor>,
    address_file: AddressFile,
    folders: Folders,
    /// Program and arguments, for a restart.
    program: PathBuf,
    arguments: Vec<OsString>,
    account: Option<UnixAccount>,
}

impl Server {
    /// Starts PostgreSQL on the cluster and waits until it accepts connections. The caller must hold the folder lock.
    pub(crate) async fn start(
        folders: &Folders,
        binaries: &Binaries,
        account: Option<&UnixAccount>,
        durable: bool,
    ) -> Result<Server, Error> {
        let address = address::create_folder(folders, account)?;
        address.write(&folders.address())?;
        let address_file = AddressFile { path: folders.address(), address };
        let start = Start { folders, address: &address_file.address, account };
        let (program, arguments) = (binaries.postgres(), arguments(start.folders, start.address, durable));
        let supervisor = start.run(&program, &arguments).await?;
        let (folders, account) = (folders.clone(), account.cloned());
        Ok(Server { supervisor: Some(supervisor), address_file, folders, program, arguments, account })
    }

    /// Waits until the server has ended by itself.
    pub(crate) async fn ended(&mut self) -> Result<ExitStatus, Error> {
        loop {
            match &mut self.supervisor {
                None => return Err(ended(&self.folders)),
                Some(supervisor) => {
                    if let Some(status) = supervisor.status()? {
                        return Ok(status);
                    }
                }
            }
            sleep(Duration::from_millis(WATCH_MILLISECONDS)).await;
        }
    }

    /// Returns the error of a server that has ended by itself, with the end of its log.
    pub(crate) fn end_error(&self) -> Error {
        ended(&self.folders)
    }

    /// Starts the server again, with the same address.
    pub(crate) async fn restart(&mut self) -> Result<(), Error> {
        let (address, account) = (&self.address_file.address, self.account.as_ref());
        let start = Start { folders: &self.folders, address, account };
        self.supervisor = None;
        self.supervisor = Some(start.run(&self.program, &self.arguments).await?);
        Ok(())
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address_file.address
    }

    /// Stops the server with a fast shutdown: ends all sessions and writes all data.
    pub(crate) async fn stop(mut self) -> Result<(), Error> {
        let Some(supervisor) = &mut self.supervisor else { return Ok(()) };
        supervisor.interrupt();
        let limit = Duration::from_secs(STOP_SECONDS_MAX);
        match timeout(limit, supervisor.ended()).await.ok().transpose()? {
            Some(status) if status.success() => Ok(()),
            Some(_) => Err(ended(&self.folders)),
            None => Err(Error::NotStopped { seconds: STOP_SECONDS_MAX, pid_file: pid_file(&self.folders) }),
        }
    }
}

/// The arguments of each attempt to start the server.
struct Start<'a> {
    folders: &'a Folders,
    address: &'a Address,
    account: Option<&'a UnixAccount>,
}

impl Start<'_> {
    /// Starts the server. Repeats the start while remains of a killed server prevent it.
    async fn run(&self, postgres: &Path, arguments: &[OsString]) -> Result<Supervisor, Error> {
        let log_file = log::begin(&self.folders.log())?;
        let deadline = Instant::now() + Duration::from_secs(REMAINS_SECONDS_MAX);
        loop {
            let output =
                log_file.try_clone().map_err(Error::io("duplicate the handle of", &self.folders.log()))?;
            let before = PidFile::read(self.folders);
            let supervisor = Supervisor::start(postgres, arguments, output, self.account)?;
            match self.until_ready(supervisor, &before).await {
                Err(Error::Ended { log, .. }) if is_blocked_by_remains(&log) => {
                    if Instant::now() > deadline {
                        return Err(in_use(self.folders));
                    }
                }
                outcome => return outcome,
            }
            sleep(Duration::from_millis(REMAINS_POLL_MILLISECONDS)).await;
            log_file.set_len(0).map_err(Error::io("empty", &self.folders.log()))?;
        }
    }

    /// Returns the supervisor when the server accepts connections. An error drops the supervisor, which stops the
    /// server.
    async fn until_ready(&self, mut supervisor: Supervisor, before: &PidFile) -> Result<Supervisor, Error> {
        let answering = async {
            while !self.is_ready(before).await {
                if supervisor.status()?.is_some() {
                    return Err(ended(self.folders));
                }
                sleep(Duration::from_millis(POLL_MILLISECONDS)).await;
            }
            Ok(())
        };
        match timeout(Duration::from_secs(READY_SECONDS_MAX), answering).await {
            Ok(answered) => answered.map(|()| supervisor),
            Err(_) => {
                let path = self.folders.log();
                Err(Error::NotReady { seconds: READY_SECONDS_MAX, log: log::tail(&path), path })
            }
        }
    }

    /// Returns true if the new server accepts connections.
    ///
    /// After a kill, `postmaster.pid` of the previous server may also have the status "ready", and that server may still answer
    /// for a moment. So the file must describe another server than `before`.
    async fn is_ready(&self, before: &PidFile) -> bool {
        let now = PidFile::read(self.folders);
        if !now.has_ready_status() || now.server() == before.server() {
            return false;
        }
        match self.address.superuser().await {
            Ok(client) => client.batch_execute("select 1").await.is_ok(),
            Err(_not_yet) => false,
        }
    }
}

/// The content of `postmaster.pid`; empty if the file is absent.
struct PidFile(String);

impl PidFile {
    fn read(folders: &Folders) -> PidFile {
        PidFile(std::fs::read_to_string(pid_file(folders)).unwrap_or_default())
    }

    fn line(&self, number: usize) -> Option<&str> {
        self.0.lines().nth(number).map(str::trim)
    }

    /// Returns process id and start time, which together identify a server: in containers process ids repeat.
    fn server(&self) -> (Option<&str>, Option<&str>) {
        (self.line(PID_FILE_PROCESS), self.line(PID_FILE_STARTED))
    }

    fn has_ready_status(&self) -> bool {
        self.line(PID_FILE_STATUS) == Some("ready")
    }
}

/// The address file of the running server. Dropping the value removes the file.
#[derive(Debug)]
struct AddressFile {
    path: PathBuf,
    address: Address,
}

impl Drop for AddressFile {
    fn drop(&mut self) {
        address::remove_fallback_folder(&self.path);
        if let Err(error) = std::fs::remove_file(&self.path) {
            tracing::debug!(path = %self.path.display(), %error, "cannot remove the address file");
        }
    }
}

fn arguments(folders: &Folders, address: &Address, durable: bool) -> Vec<OsString> {
    let mut arguments = vec![OsString::from("-D"), folders.cluster().into()];
    let for_tests = NOT_DURABLE.iter().filter(|_| !durable);
    for setting in SETTINGS.iter().chain(for_tests) {
        arguments.extend(["-c", setting].map(OsString::from));
    }
    let port = OsString::from(format!("port={}", address.port));
    arguments.extend(["-c".into(), port, "-c".into(), socket_setting(&address.socket_dir)]);
    arguments
}

/// Returns the setting for the socket folder. The setting is a list, so the folder is quoted in case its name
/// contains a comma.
fn socket_setting(folder: &Path) -> OsString {
    let mut setting = b"unix_socket_directories=\"".to_vec();
    for byte in folder.as_os_str().as_bytes() {
        setting.extend(if *byte == b'"' { &b"\"\""[..] } else { std::slice::from_ref(byte) });
    }
    setting.push(b'"');
    OsString::from_vec(setting)
}

fn pid_file(folders: &Folders) -> PathBuf {
    folders.cluster().join("postmaster.pid")
}

fn ended(folders: &Folders) -> Error {
    let path = folders.log();
    Error::Ended { log: log::tail(&path), path }
}

fn in_use(folders: &Folders) -> Error {
    let pid =
        std::fs::read_to_string(pid_file(folders)).ok().and_then(|text| text.lines().next()?.parse().ok());
    Error::InUse { folder: folders.postgres().to_owned(), pid }
}

/// Returns true if a start failed because of remains of a killed server: its lock file, or sessions that still run.
fn is_blocked_by_remains(log: &str) -> bool {
    let lock_file = log.contains("lock file") && log.contains("already exists");
    lock_file || log.contains("pre-existing shared memory block")
}
