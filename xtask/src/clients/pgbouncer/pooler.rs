//! The pooler as it runs here: before the demo's PostgreSQL, on a socket beside that one's.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::program::Program;
use crate::clients::suite::SuiteContext;
use crate::command::{read, write};
use crate::server::Server;

/// A running `PgBouncer`. Dropped, it is killed: it keeps nothing.
pub(super) struct Pooler {
    child: Child,
    socket_folder: String,
    log: Receiver<String>,
}

impl Pooler {
    /// Starts it before the demo's PostgreSQL and waits until it listens.
    pub(super) fn start(context: &SuiteContext<'_>, program: &Program) -> Result<Pooler, String> {
        // Port and folder, as crates/embedded/src/address.rs writes them.
        let address = read(&context.work.join("data/demo/postgres/address"))?;
        let socket_folder = address.split_once('\n').ok_or("the demo's address has two parts")?.1.to_owned();
        let settings = context.work.join("pgbouncer/pgbouncer.ini");
        let mut text = read(&context.committed("pgbouncer.ini"))?.replace("FOLDER", &socket_folder);
        text.push_str(program.settings());
        write(&settings, &text)?;
        let mut command = program.command();
        command.arg(&settings).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let owner = |path: &str| std::fs::metadata(path).map_err(|error| format!("{path}: {error}"));
        let (folder, ours) = (owner(&socket_folder)?, owner(&settings.display().to_string())?);
        // Like PostgreSQL it refuses root, and the folder is that account's.
        if folder.uid() != ours.uid() {
            command.uid(folder.uid()).gid(folder.gid());
        }
        let mut child = command.spawn().map_err(|error| format!("pgbouncer: {error}"))?;
        let said = child.stderr.take().ok_or("what it says is piped")?;
        let (sender, log) = channel();
        thread::spawn(move || {
            BufReader::new(said).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let pooler = Pooler { child, socket_folder, log };
        let mut said = Vec::new();
        while let Ok(line) = pooler.log.recv() {
            if line.contains("process up") {
                return Ok(pooler);
            }
            said.push(line);
        }
        Err(format!("pgbouncer ended before it listened:\n{}", said.join("\n")))
    }

    /// A server that reaches the database through it. What is logged is a filter.
    pub(super) fn server(
        &self,
        context: &SuiteContext<'_>,
        prepares: &str,
        logged: &str,
    ) -> Result<Server, String> {
        let url =
            format!("postgresql:///passbook?user=passbook_reader&host={}&port=6432", self.socket_folder);
        let environment = [
            ("PASSBOOK_DATABASE_URL", PathBuf::from(url)),
            ("PASSBOOK_DATABASE_PREPARED_STATEMENTS", PathBuf::from(prepares)),
            ("PASSBOOK_LOG", PathBuf::from(logged)),
            ("XDG_CONFIG_HOME", context.work.join("settings")),
        ];
        Server::start(&context.root.join("target/debug/passbook-server"), &[], &environment)
    }

    /// Ends it. Returns what it said.
    pub(super) fn stop(mut self) -> Vec<String> {
        self.end();
        self.log.iter().collect()
    }

    fn end(&mut self) {
        // Already gone after `stop`.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.end();
    }
}
