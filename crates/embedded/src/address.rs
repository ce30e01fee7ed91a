//! Where a running server listens, and the small file through which another process finds it.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls};

use crate::Error;
use crate::folders::Folders;

/// The role that owns the cluster and may do anything in it.
pub const SUPERUSER: &str = "postgres";
/// Always there: for questions about the cluster as a whole.
const MAINTENANCE_DATABASE: &str = "postgres";
/// Only part of the socket's name, since nothing listens on the network.
pub(crate) const PORT: u16 = 5432;
const CONNECT_SECONDS_MAX: u64 = 5;

/// Where a running embedded server listens: found by `passbook-admin` through the same folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The private folder that holds the unix socket.
    pub socket_dir: PathBuf,
    /// The number at the end of the socket's name.
    pub port: u16,
}

impl Address {
    /// A configuration for connecting as `role` to `database`, without a password: whoever may enter the
    /// folder is trusted. The role that may do anything is [`SUPERUSER`].
    #[must_use]
    pub fn connect(&self, role: &str, database: &str) -> tokio_postgres::Config {
        let mut config = tokio_postgres::Config::new();
        config.host_path(&self.socket_dir).port(self.port).user(role).dbname(database);
        config.connect_timeout(Duration::from_secs(CONNECT_SECONDS_MAX));
        config
    }

    /// The socket itself.
    pub(crate) fn socket(&self) -> PathBuf {
        self.socket_dir.join(format!(".s.PGSQL.{}", self.port))
    }

    /// A session of the superuser in the database that is always there; it ends with the client.
    pub(crate) async fn superuser(&self) -> Result<Client, tokio_postgres::Error> {
        let (client, connection) = self.connect(SUPERUSER, MAINTENANCE_DATABASE).connect(NoTls).await?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a session with the private PostgreSQL broke");
            }
        });
        Ok(client)
    }

    /// Writes the record in one step, so that a reader sees all of it or none.
    pub(crate) fn write(&self, record: &Path) -> Result<(), Error> {
        let unfinished = record.with_added_extension("new");
        drop(std::fs::remove_file(&unfinished));
        let write = || {
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished)?;
            writeln!(file, "{}", self.port)?;
            file.write_all(self.socket_dir.as_os_str().as_bytes())?;
            std::fs::rename(&unfinished, record)
        };
        write().map_err(Error::io("write", record))
    }

    /// Reads a record; `None` if there is none or it is not one.
    pub(crate) fn read(record: &Path) -> Result<Option<Address>, Error> {
        let bytes = match std::fs::read(record) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("read", record)(error)),
        };
        let mut parts = bytes.splitn(2, |byte| *byte == b'\n');
        let port = parts.next().and_then(|port| std::str::from_utf8(port).ok()?.parse().ok());
        let folder = parts.next().filter(|folder| !folder.is_empty());
        Ok(port
            .zip(folder)
            .map(|(port, folder)| Address { socket_dir: OsStr::from_bytes(folder).into(), port }))
    }
}

/// The address of a server that another process runs in this folder, if one does and it accepts connections.
/// Makes and changes nothing.
///
/// # Errors
/// [`Error::Io`] if the folder is not ours to look into, [`Error::Database`] if the socket is not.
pub async fn running_in(data_dir: &Path) -> Result<Option<Address>, Error> {
    let folders = Folders::of(data_dir)?;
    let Some(address) = Address::read(&folders.address())? else { return Ok(None) };
    match address.superuser().await {
        Ok(_client) => Ok(Some(address)),
        // It starts or stops just now.
        Err(error) if error.code() == Some(&SqlState::CANNOT_CONNECT_NOW) => Ok(None),
        // It refuses us, for example because all sessions are taken; so it runs.
        Err(error) if error.code().is_some() => Ok(Some(address)),
        Err(error) if forbidden(&error) => {
            Err(Error::Database { action: "let this user connect".to_owned(), source: error })
        }
        Err(_nobody_listens) => Ok(None),
    }
}

fn forbidden(error: &tokio_postgres::Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<std::io::Error>());
    cause.is_some_and(|cause| cause.kind() == ErrorKind::PermissionDenied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_reads_back_as_it_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let record = folder.path().join("address");
        assert_eq!(Address::read(&record).expect("absent"), None);
        let socket_dir = PathBuf::from(OsStr::from_bytes(b"/a b/c\n\xff"));
        let address = Address { socket_dir, port: 5432 };
        address.write(&record).expect("room");
        assert_eq!(Address::read(&record).expect("readable"), Some(address));
    }

    #[test]
    fn what_is_no_record_is_as_good_as_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let record = folder.path().join("address");
        for text in ["", "5432", "5432\n", "port\n/tmp", "70000\n/tmp"] {
            std::fs::write(&record, text).expect("room");
            assert_eq!(Address::read(&record).expect("readable"), None, "{text:?}");
        }
    }
}
