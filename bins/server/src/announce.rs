//! The lines that the server prints to standard output once its port accepts connections, and the log lines of start
//! and stop, which identify the running server.

use std::net::SocketAddr;

use passbook_store::DatabaseAddress;

use crate::database::Database;

/// The values of the printed lines.
#[derive(Debug)]
pub struct Announcement<'a> {
    /// The public origin.
    pub origin: String,
    /// The address of the metrics; `None` if the server serves none.
    pub metrics: Option<String>,
    /// The demo user's token, if the demo household is served.
    pub token: Option<&'a str>,
    /// The dashboard, if it is served.
    pub page: Option<Page>,
}

/// The dashboard in the printed lines.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The code with which the demo user signs in, if the demo household is served.
    pub code: Option<String>,
}

impl Announcement<'_> {
    /// Returns the public base address.
    pub fn base_url(&self) -> String {
        format!("{}{}", self.origin, crate::mount::PREFIX)
    }

    /// Returns the printed lines in order. Scripts read them.
    pub fn lines(&self) -> Vec<String> {
        let base = self.base_url();
        let mut lines = vec![
            format!("passbook {}", env!("CARGO_PKG_VERSION")),
            format!("base    {base}"),
            format!("mcp     {base}{}", passbook_mcp::PATH),
        ];
        if let Some(Page { code }) = &self.page {
            // Browsers send no fragment, so the code is in no log of a server or proxy.
            let fragment = code.as_ref().map(|code| format!("#code={code}")).unwrap_or_default();
            lines.push(format!("page    {}/{fragment}", self.origin));
        }
        lines.extend(self.metrics.as_ref().map(|address| format!("metrics {address}")));
        if let Some(token) = self.token {
            lines.push(format!("token   {token}"));
            lines.push(format!(
                "try     curl -H 'Authorization: Bearer {token}' '{base}/v1/cashflow/summary?timeRange=1m'"
            ));
        }
        lines
    }

    /// Prints the lines.
    #[expect(clippy::print_stdout, reason = "scripts read these lines from standard output")]
    pub fn print(&self) {
        for line in self.lines() {
            println!("{line}");
        }
    }
}

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
