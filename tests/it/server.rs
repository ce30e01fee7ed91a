//! The server program: its output, shutdown and exit codes, with the embedded database and with an external one. Also
//! runs the first command and the MCP example of the README.

mod demo;
mod lifecycle;
mod monitoring;
mod settings;

use hyper::Method;
use tests::database::Database;
use tests::http::{Http, Reply};
use tests::server_process::{Ended, Running, value};
use tests::temporary::Folder;

/// A running server that reads the database of a test.
struct Served {
    running: Running,
    /// The lines that the server has printed: four, and a fifth with the address of the metrics.
    lines: Vec<String>,
    folder: Folder,
}

impl Served {
    /// Starts a server with these flags.
    fn start(database: &Database, flags: &[&str]) -> Served {
        let folder = Folder::create();
        let mut running = Running::start(folder.server_of(database, flags));
        let lines = running.lines(if flags.contains(&"--metrics-listen") { 5 } else { 4 });
        Served { running, lines, folder }
    }

    /// The base address.
    fn base(&self) -> &str {
        value(&self.lines[1], "base")
    }

    /// The host and port of the base address.
    fn address(&self) -> &str {
        self.base().trim_start_matches("http://").trim_end_matches("/api")
    }

    /// Sends a GET request on a connection of its own. `path` is below the base address.
    async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        Http::default().send(Method::GET, &format!("{}{path}", self.base()), headers).await
    }

    /// Stops the server, which must end without an error.
    #[track_caller]
    fn stop(self) -> Ended {
        let ended = self.running.stop("TERM");
        assert_eq!((ended.code, ended.stdout.as_slice()), (Some(0), &[][..]), "{}", ended.stderr);
        ended
    }
}
