//! The address of a running server, the file in which another process finds the address, and the databases at it. The
//! private folder of the Unix socket is beside the cluster, or in `/tmp` if that path is too long for a socket.

use std::ffi::OsStr;
use std::fs::{DirBuilder, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls};

use crate::account::UnixAccount;
use crate::error::Error;
use crate::folders::{Folders, create_private};

/// The superuser role of the cluster.
pub const SUPERUSER: &str = "postgres";
/// A database that exists in every cluster, for statements about the cluster as a whole.
const MAINTENANCE_DATABASE: &str = "postgres";
/// The port. Only a part of the socket's file name, because the server does not listen on the network.
const PORT: u16 = 5432;
/// Time limit for connecting, in seconds.
const CONNECT_SECONDS_MAX: u64 = 5;
/// Time limit for the answer of a server that was connected to, in seconds.
const ANSWER_SECONDS_MAX: u64 = 30;

/// The address of a running private server. Other processes read it from the data folder with [`running_in`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The private folder of the Unix socket.
    pub socket_dir: PathBuf,
    /// The number at the end of the socket's file name.
    pub port: u16,
}

impl Address {
    /// Returns a configuration for connecting as `role` to `database`. There is no password: the server trusts
    /// everyone who may enter the folder of the socket. [`SUPERUSER`] is the superuser role.
    #[must_use]
    pub fn connect(&self, role: &str, database: &str) -> tokio_postgres::Config {
        let mut config = tokio_postgres::Config::new();
        config.host_path(&self.socket_dir).port(self.port).user(role).dbname(database);
        config.connect_timeout(Duration::from_secs(CONNECT_SECONDS_MAX));
        config
    }

    /// Returns the path of the socket.
    pub(crate) fn socket(&self) -> PathBuf {
        self.socket_dir.join(format!(".s.PGSQL.{}", self.port))
    }

    /// Opens a session of the superuser in the maintenance database. The session ends when the client is dropped.
    pub(crate) async fn superuser(&self) -> Result<Client, tokio_postgres::Error> {
        let (client, connection) = self.connect(SUPERUSER, MAINTENANCE_DATABASE).connect(NoTls).await?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a session with the private PostgreSQL failed");
            }
        });
        Ok(client)
    }

    /// Writes the address file atomically, so that a reader never sees a part of it.
    pub(crate) fn write(&self, file_path: &Path) -> Result<(), Error> {
        let incomplete = file_path.with_added_extension("new");
        drop(std::fs::remove_file(&incomplete));
        let write = || {
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&incomplete)?;
            writeln!(file, "{}", self.port)?;
            file.write_all(self.socket_dir.as_os_str().as_bytes())?;
            std::fs::rename(&incomplete, file_path)
        };
        write().map_err(Error::io("write", file_path))
    }

    /// Reads an address file. Returns `None` if the file is absent or malformed.
    pub(crate) fn read(file_path: &Path) -> Result<Option<Address>, Error> {
        let bytes = match std::fs::read(file_path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("read", file_path)(error)),
        };
        let mut parts = bytes.splitn(2, |byte| *byte == b'\n');
        let port = parts.next().and_then(|port| std::str::from_utf8(port).ok()?.parse().ok());
        let folder = parts.next().filter(|folder| !folder.is_empty());
        Ok(port
            .zip(folder)
            .map(|(port, folder)| Address { socket_dir: OsStr::from_bytes(folder).into(), port }))
    }
}

/// Returns the address of a server that runs in this data folder and accepts connections. Changes nothing.
///
/// # Errors
/// [`Error::Io`] if this account may not read the folder or the server does not answer within 30 seconds,
/// [`Error::Database`] if this account may not use the socket.
pub async fn running_in(data_dir: &Path) -> Result<Option<Address>, Error> {
    let folders = Folders::new(data_dir)?;
    let Some(address) = Address::read(&folders.address())? else { return Ok(None) };
    // The driver's own limit ends when the socket is connected.
    let session = tokio::time::timeout(Duration::from_secs(ANSWER_SECONDS_MAX), address.superuser()).await;
    let no_answer = |_| Error::io("get an answer from the server in", data_dir)(ErrorKind::TimedOut.into());
    match session.map_err(no_answer)? {
        Ok(_client) => Ok(Some(address)),
        // The server is starting or stopping.
        Err(error) if error.code() == Some(&SqlState::CANNOT_CONNECT_NOW) => Ok(None),
        // The server runs and rejects the session, for example because all connections are in use.
        Err(error) if error.code().is_some() => Ok(Some(address)),
        Err(error) if is_permission_denied(&error) => {
            Err(Error::Database { action: "let this user connect".to_owned(), source: error })
        }
        Err(_not_running) => Ok(None),
    }
}

fn is_permission_denied(error: &tokio_postgres::Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<std::io::Error>());
    cause.is_some_and(|cause| cause.kind() == ErrorKind::PermissionDenied)
}

/// Creates a database if it is absent. Concurrent calls with one name all succeed.
///
/// # Errors
/// [`Error::Database`] if the server cannot be reached or rejects a statement.
pub async fn ensure_database(address: &Address, name: &str) -> Result<(), Error> {
    let failed = |source| Error::Database { action: format!("create the database {name}"), source };
    let client = address.superuser().await.map_err(failed)?;
    let found = client.query_opt("select from pg_database where datname = $1", &[&name]).await;
    if found.map_err(failed)?.is_some() {
        return Ok(());
    }
    match client.batch_execute(&format!("create database {}", quoted(name))).await {
        Err(error) if !is_created_concurrently(&error) => Err(failed(error)),
        _ => Ok(()),
    }
}

fn is_created_concurrently(error: &tokio_postgres::Error) -> bool {
    error.code().is_some_and(|code| [SqlState::DUPLICATE_DATABASE, SqlState::UNIQUE_VIOLATION].contains(code))
}

/// Quotes a name as an SQL identifier. SQL parameters cannot be used for identifiers.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Maximum length of a socket path, in bytes: the limit of macOS. Linux allows 107.
const SOCKET_PATH_BYTES_MAX: usize = 103;
/// Folder for sockets whose regular path would be too long.
const FALLBACK: &str = "/tmp";
/// Text at the start of the names of folders that this crate creates in `/tmp`.
const PREFIX: &str = "passbook-";
/// Maximum number of names that are tried to find a free one.
const NAMES_TRIED_MAX: u32 = 1000;

/// Creates the folder and returns the address at which the server will listen.
pub(crate) fn create_folder(folders: &Folders, account: Option<&UnixAccount>) -> Result<Address, Error> {
    remove_fallback_folder(&folders.address());
    let mut address = Address { socket_dir: folders.socket(), port: PORT };
    if address.socket().as_os_str().as_bytes().len() <= SOCKET_PATH_BYTES_MAX {
        create_private(&address.socket_dir, account)?;
    } else {
        address.socket_dir = create_fallback_folder(account)?;
    }
    Ok(address)
}

/// Removes the folder in `/tmp` that an address file names. Does nothing if the file names another folder, or the
/// folder is not private. The caller must hold the folder lock.
pub(crate) fn remove_fallback_folder(address_file: &Path) {
    let Ok(Some(address)) = Address::read(address_file) else { return };
    let folder = address.socket_dir;
    let has_our_name = folder.parent() == Some(Path::new(FALLBACK))
        && folder.file_name().is_some_and(|name| name.as_bytes().starts_with(PREFIX.as_bytes()));
    let private = folder.symlink_metadata().is_ok_and(|found| found.is_dir() && found.mode() & 0o077 == 0);
    if has_our_name
        && private
        && let Err(error) = std::fs::remove_dir_all(&folder)
    {
        tracing::debug!(folder = %folder.display(), %error, "cannot remove the folder of the socket");
    }
}

/// Creates a private folder in `/tmp` under a free name. Never uses an existing folder, which could belong to an
/// attacker.
fn create_fallback_folder(account: Option<&UnixAccount>) -> Result<PathBuf, Error> {
    let mut taken = std::io::Error::from(ErrorKind::AlreadyExists);
    for attempt in 0..NAMES_TRIED_MAX {
        let folder = Path::new(FALLBACK).join(format!("{PREFIX}{}-{attempt}", std::process::id()));
        match DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => {
                create_private(&folder, account)?;
                return Ok(folder);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(Error::io("create the folder", &folder)(error)),
        }
    }
    Err(Error::io("create a folder in", Path::new(FALLBACK))(taken))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_file_reads_back_as_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let record = folder.path().join("address");
        assert_eq!(Address::read(&record).expect("absent"), None);
        let socket_dir = PathBuf::from(OsStr::from_bytes(b"/a b/c\n\xff"));
        let address = Address { socket_dir, port: 5432 };
        address.write(&record).expect("room");
        assert_eq!(Address::read(&record).expect("readable"), Some(address));
    }

    #[test]
    fn malformed_address_file_reads_as_absent() {
        let folder = tempfile::tempdir().expect("a folder");
        let record = folder.path().join("address");
        for text in ["", "5432", "5432\n", "port\n/tmp", "70000\n/tmp"] {
            std::fs::write(&record, text).expect("room");
            assert_eq!(Address::read(&record).expect("readable"), None, "{text:?}");
        }
    }
}
