//! The log lines of start and stop, which identify the running server.

use std::net::SocketAddr;

use passbook_store::DatabaseAddress;

use crate::database::Database;

/// The values that identify a running server in the log.
pub(crate) struct Instance {
    address: SocketAddr,
    origin: String,
    /// The folder of the embedded database; `None` for the operator's database.
    data_dir: Option<String>,
    database: DatabaseAddress,
}

impl Instance {
    /// Returns the values of a server that listens on `address`.
    pub(crate) fn new(address: SocketAddr, origin: String, database: &Database) -> Instance {
        Instance {
            address,
            origin,
            data_dir: database.data_dir.as_ref().map(|folder| folder.display().to_string()),
            database: DatabaseAddress::of(database.reader.config()),
        }
    }

    /// Logs an event of the server: `started` or `stopped`. The log names the operator's database, or the folder of the
    /// embedded one.
    pub(crate) fn log(&self, event: &'static str) {
        let (version, address, origin) = (env!("CARGO_PKG_VERSION"), self.address, &self.origin);
        match &self.data_dir {
            Some(data_dir) => tracing::info!(version, %address, origin, data_dir, "{event}"),
            None => tracing::info!(
                version,
                %address,
                origin,
                database.hosts = self.database.hosts(),
                database.name = self.database.database(),
                database.role = self.database.role(),
                "{event}"
            ),
        }
    }
}
