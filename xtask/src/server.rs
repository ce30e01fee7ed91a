//! A server to ask: started on a free loopback port, stopped by its own process id.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

/// A running server. Dropped without [`Server::stop`], it is killed.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    base: String,
    token: Option<String>,
    /// Kept open, so that nothing the server may still write fails.
    output: Option<BufReader<ChildStdout>>,
}

impl Server {
    /// Starts the server without rate limits, and waits for the lines that say where it listens and, with `--demo`, for
    /// the token.
    pub(crate) fn start(
        program: &Path,
        arguments: &[&str],
        environment: &[(&str, PathBuf)],
    ) -> Result<Server, String> {
        let child = Command::new(program)
            .args(arguments)
            .env("PASSBOOK_LOG", "warn")
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .env("PASSBOOK_LISTEN", "127.0.0.1:0")
            .env("PASSBOOK_RATE_LIMIT_USER", "0")
            .env("PASSBOOK_RATE_LIMIT_CLIENT", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let mut server = Server { child, base: String::new(), token: None, output: None };
        let mut output = BufReader::new(server.child.stdout.take().ok_or("the server's output is piped")?);
        // The last line that is needed.
        let last = if arguments.contains(&"--demo") { "try " } else { "mcp " };
        let mut line = String::new();
        while output.read_line(&mut line).map_err(|error| format!("the server's output: {error}"))? > 0 {
            if let Some(base) = line.strip_prefix("base ") {
                base.trim().clone_into(&mut server.base);
            }
            if let Some(token) = line.strip_prefix("token ") {
                server.token = Some(token.trim().to_owned());
            }
            if line.starts_with(last) {
                server.output = Some(output);
                return Ok(server);
            }
            line.clear();
        }
        Err("the server must say where it listens; it ended instead".to_owned())
    }

    /// The base of every address.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// The token of the demo household.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Asks the server to stop and waits until it has drained.
    pub(crate) fn stop(mut self) -> Result<(), String> {
        let _open_until_the_end = self.output.take();
        let id = self.child.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status();
        asked.map_err(|error| format!("kill: {error}"))?;
        let status = self.child.wait().map_err(|error| format!("the server: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("the server stopped with {status}")) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Already gone after `stop`.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
