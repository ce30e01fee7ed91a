//! Starts `PgBouncer` in front of the demo's PostgreSQL, on a socket in the same folder.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::program::Program;
use crate::command::{create_folder, read, write};

/// A running `PgBouncer`. Dropping it kills the process, which stores no data.
pub(crate) struct Pooler {
    child: Child,
    socket_folder: String,
    log: Receiver<String>,
}

impl Pooler {
    /// Starts `PgBouncer` in front of the PostgreSQL in the folder `data`, and waits until it listens. `settings` are those
    /// of `xtask/lab/clients/pgbouncer.ini`, which are written into the folder `work`.
    pub(crate) fn start(
        data: &Path,
        work: &Path,
        settings: &str,
        program: &Program,
    ) -> Result<Pooler, String> {
        // The port and the folder of the socket, in the format of `crates/embedded/src/address.rs`.
        let address = read(&data.join("postgres/address"))?;
        let socket_folder =
            address.split_once('\n').ok_or("the address file of the demo has only one line")?.1.to_owned();
        let text = settings.replace("FOLDER", &socket_folder) + program.settings();
        create_folder(work)?;
        let settings = work.join("pgbouncer.ini");
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

    /// Returns the URL of the reading role through the pooler.
    pub(crate) fn url(&self) -> String {
        format!("postgresql:///passbook?user=passbook_reader&host={}&port=6432", self.socket_folder)
    }

    /// Ends the pooler's process. Returns the lines of its log.
    pub(crate) fn stop(mut self) -> Vec<String> {
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
