//! A Redis of one test, on a Unix socket.

use crate::temporary::Folder;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Time limit of a start.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A Redis that stores nothing on disk. Dropping the value stops the server.
#[derive(Debug)]
pub struct Redis {
    folder: Folder,
    server: Option<Child>,
}

impl Redis {
    /// Starts the server, and waits until it answers.
    pub fn start() -> Redis {
        let mut redis = Redis { folder: Folder::create(), server: None };
        redis.resume();
        redis
    }

    /// Starts the server again after [`Redis::kill`].
    pub fn resume(&mut self) {
        let mut command = Command::new("redis-server");
        command.args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"]).arg(self.socket());
        command.arg("--dir").arg(self.folder.path()).stdin(Stdio::null()).stdout(Stdio::null());
        let server = command.spawn().expect("redis-server runs: install Debian's package redis-server");
        self.server = Some(server);
        let started = Instant::now();
        while self.execute("PING").as_deref() != Some("+PONG") {
            assert!(started.elapsed() < TIMEOUT, "redis-server does not answer");
            std::thread::yield_now();
        }
    }

    /// Kills the server, which forgets everything.
    pub fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().and_then(|()| server.wait()).expect("a child");
        }
    }

    /// Sends a signal, such as `STOP`, to the server.
    pub fn signal(&self, name: &str) {
        let process = self.server.as_ref().expect("the server runs").id();
        assert!(crate::server_process::signal(name, process), "the server runs");
    }

    /// Executes a command without arguments that contain spaces. Returns the first line of the reply.
    pub fn execute(&self, command: &str) -> Option<String> {
        let mut stream = UnixStream::connect(self.socket()).ok()?;
        stream.write_all(format!("{command}\r\n").as_bytes()).ok()?;
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).ok()?;
        Some(line.trim_end().to_owned())
    }

    /// Returns the address for the setting of a server.
    pub fn url(&self) -> String {
        format!("unix://{}", self.socket().display())
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("redis.sock")
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.kill();
    }
}
