//! Starts `PgBouncer` in front of the demo's PostgreSQL, on a socket in the same folder.

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

/// A running `PgBouncer`. Dropping it kills the process, which stores no data.
pub(super) struct Pooler {
    child: Child,
    socket_folder: String,
    log: Receiver<String>,
}

impl Pooler {
    /// Starts `PgBouncer` and waits until it listens.
    pub(super) fn start(context: &SuiteContext<'_>, program: &Program) -> Result<Pooler, String> {
        // The port and the folder of the socket, in the format of `crates/embedded/src/address.rs`.
        let address = read(&context.work.join("data/demo/postgres/address"))?;
        let socket_folder =
            address.split_once('\n').ok_or("the address file of the demo has only one line")?.1.to_owned();
        let settings = context.work.join("pgbouncer/pgbouncer.ini");
        let mut text = read(&context.committed("pgbouncer.ini"))?.replace("FOLDER", &socket_folder);
        text.push_str(program.settings());
        write(&settings, &text)?;
        let mut command = program.command();
        command.arg(&settings).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let owner = |path: &str| std::fs::metadata(path).map_err(|error| format!("{path}: {error}"));
        let (folder, ours) = (owner(&socket_folder)?, owner(&settings.display().to_string())?);
        // PgBouncer refuses to run as root, like PostgreSQL. The owner of the socket folder can run both.
        if folder.uid() != ours.uid() {
            command.uid(folder.uid()).gid(folder.gid());
        }
        let mut child = command.spawn().map_err(|error| format!("pgbouncer: {error}"))?;
        let stderr = child.stderr.take().ok_or("the standard error of pgbouncer is not a pipe")?;
        let (sender, log) = channel();
        thread::spawn(move || {
            BufReader::new(stderr).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let pooler = Pooler { child, socket_folder, log };
        let mut lines = Vec::new();
        while let Ok(line) = pooler.log.recv() {
            if line.contains("process up") {
                return Ok(pooler);
            }
            lines.push(line);
        }
        Err(format!("pgbouncer ended before it listened:\n{}", lines.join("\n")))
    }

    /// Starts a server that reaches the database through the pooler. `prepares` is the value of the setting
    /// `PASSBOOK_DATABASE_PREPARED_STATEMENTS`; `logged` is a log filter.
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

    /// Ends the pooler's process. Returns the lines of its log.
    pub(super) fn stop(mut self) -> Vec<String> {
        self.end();
        self.log.iter().collect()
    }

    fn end(&mut self) {
        // After `stop` the process has already ended.
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
