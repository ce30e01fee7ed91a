//! The running server: its settings, waiting until it answers, and stopping it.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use crate::account::Account;
use crate::binaries::Binaries;
use crate::folders::Folders;
use crate::supervisor::{POLL_MILLISECONDS, Supervisor};
use crate::{Address, Error, log, socket};

/// Crash recovery is part of a start, hence so long.
const READY_SECONDS_MAX: u64 = 60;
/// The last checkpoint may have much to write.
const STOP_SECONDS_MAX: u64 = 60;
/// For remains of a server that was killed; its sessions need a moment to notice.
const REMAINS_SECONDS_MAX: u64 = 5;
const REMAINS_POLL_MILLISECONDS: u64 = 20;

/// Lines of PostgreSQL's own pid file, counted from zero.
const PID_FILE_PROCESS: usize = 0;
const PID_FILE_STARTED: usize = 2;
const PID_FILE_STATUS: usize = 7;

/// Given on the command line, where they outweigh whatever the cluster's files say. The network is never
/// listened on; compilation of queries costs more than it gains at this size.
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
/// For tests: a crash of the machine may cost the cluster.
const NOT_DURABLE: [&str; 3] = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/// A server that we started and that answers.
#[derive(Debug)]
pub(crate) struct Server {
    // Dropped in this order: the record goes when nobody listens any more.
    supervisor: Supervisor,
    record: Record,
    folders: Folders,
}

impl Server {
    /// Starts PostgreSQL on the cluster and waits until it answers. The caller holds the lock.
    pub(crate) async fn start(
        folders: &Folders,
        binaries: &Binaries,
        account: Option<&Account>,
        durable: bool,
    ) -> Result<Server, Error> {
        let address = socket::make(folders, account)?;
        address.write(&folders.address())?;
        let record = Record { path: folders.address(), address };
        let start = Start { folders, address: &record.address, account };
        let supervisor =
            start.run(&binaries.postgres(), &arguments(start.folders, start.address, durable)).await?;
        Ok(Server { supervisor, record, folders: folders.clone() })
    }

    pub(crate) fn address(&self) -> &Address {
        &self.record.address
    }

    /// A fast shutdown: sessions are ended, everything is written.
    pub(crate) async fn stop(mut self) -> Result<(), Error> {
        self.supervisor.interrupt();
        let limit = Duration::from_secs(STOP_SECONDS_MAX);
        match timeout(limit, self.supervisor.ended()).await.ok().transpose()? {
            Some(status) if status.success() => Ok(()),
            Some(_) => Err(ended(&self.folders)),
            None => Err(Error::NotStopped { seconds: STOP_SECONDS_MAX, pid_file: pid_file(&self.folders) }),
        }
    }
}

/// What every attempt at a start needs.
struct Start<'a> {
    folders: &'a Folders,
    address: &'a Address,
    account: Option<&'a Account>,
}

impl Start<'_> {
    async fn run(&self, postgres: &Path, arguments: &[OsString]) -> Result<Supervisor, Error> {
        let words = log::begin(&self.folders.log())?;
        let deadline = Instant::now() + Duration::from_secs(REMAINS_SECONDS_MAX);
        loop {
            let written = words.try_clone().map_err(Error::io("share", &self.folders.log()))?;
            let before = PidFile::read(self.folders);
            let supervisor = Supervisor::start(postgres, arguments, written, self.account)?;
            match self.until_ready(supervisor, &before).await {
                Err(Error::Ended { log, .. }) if is_about_remains(&log) => {
                    if Instant::now() > deadline {
                        return Err(in_use(self.folders));
                    }
                }
                decided => return decided,
            }
            sleep(Duration::from_millis(REMAINS_POLL_MILLISECONDS)).await;
            words.set_len(0).map_err(Error::io("empty", &self.folders.log()))?;
        }
    }

    /// Returns the supervisor when the server answers; an error drops it, which stops the server.
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

    /// A server that was killed, or whose starter was, leaves a file that says "ready" too, and may even answer
    /// for a moment; so it must be another server than before, and answer.
    async fn is_ready(&self, before: &PidFile) -> bool {
        let now = PidFile::read(self.folders);
        if !now.says_ready() || now.server() == before.server() {
            return false;
        }
        match self.address.superuser().await {
            Ok(client) => client.batch_execute("select 1").await.is_ok(),
            Err(_not_yet) => false,
        }
    }
}

/// PostgreSQL's own account of the server on a cluster; empty if there is none.
struct PidFile(String);

impl PidFile {
    fn read(folders: &Folders) -> PidFile {
        PidFile(std::fs::read_to_string(pid_file(folders)).unwrap_or_default())
    }

    fn line(&self, number: usize) -> Option<&str> {
        self.0.lines().nth(number).map(str::trim)
    }

    /// The process and when it started: in a container the numbers of processes repeat.
    fn server(&self) -> (Option<&str>, Option<&str>) {
        (self.line(PID_FILE_PROCESS), self.line(PID_FILE_STARTED))
    }

    fn says_ready(&self) -> bool {
        self.line(PID_FILE_STATUS) == Some("ready")
    }
}

/// The file through which others find the server; removed when the server is down.
#[derive(Debug)]
struct Record {
    path: PathBuf,
    address: Address,
}

impl Drop for Record {
    fn drop(&mut self) {
        socket::remove_elsewhere(&self.path);
        if let Err(error) = std::fs::remove_file(&self.path) {
            tracing::debug!(path = %self.path.display(), %error, "the record of the address stays behind");
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

/// The setting is a list, so a comma in the folder's name would part it unless it stands in quotes.
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

/// Whether a start failed because of what a killed server left: its lock file, or sessions that have not
/// noticed yet.
fn is_about_remains(log: &str) -> bool {
    let lock_file = log.contains("lock file") && log.contains("already exists");
    lock_file || log.contains("pre-existing shared memory block")
}
