//! Starts `passbook-server` on a free loopback port, and stops it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

/// A running server. Dropping it without [`Server::stop`] kills the process.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    base: String,
    token: Option<String>,
    page: Option<String>,
    metrics: Option<String>,
    /// Standard output of the server. It stays open, so that later writes of the server succeed.
    output: Option<BufReader<ChildStdout>>,
}

impl Server {
    /// Starts the server without rate limits. Waits for the printed addresses and, with `--demo`, for the token. The log
    /// of the server is shown.
    pub(crate) fn start(
        program: &Path,
        arguments: &[&str],
        environment: &[(&str, PathBuf)],
    ) -> Result<Server, String> {
        Server::start_with_log(program, arguments, environment, Stdio::inherit())
    }

    /// Starts the server, as [`Server::start`] does. The server writes its log to `log`.
    pub(crate) fn start_with_log(
        program: &Path,
        arguments: &[&str],
        environment: &[(&str, PathBuf)],
        log: Stdio,
    ) -> Result<Server, String> {
        let mut command = Command::new(program);
        command
            .stdin(Stdio::null())
            .args(arguments)
            .env("PASSBOOK_LOG", "warn")
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .env("PASSBOOK_LISTEN", "127.0.0.1:0")
            // All clients of a suite or a benchmark come from one address.
            .env("PASSBOOK_CONNECTIONS_PER_ADDRESS", "1024")
            .env("PASSBOOK_RATE_LIMIT_USER", "0")
            .env("PASSBOOK_RATE_LIMIT_CLIENT", "0");
        Server::spawn(&mut command, log, if arguments.contains(&"--demo") { "try " } else { "mcp " })
    }

    /// Starts the server with the defaults of every setting that `environment` does not name. Waits for the printed
    /// address of the metrics, so `environment` needs `PASSBOOK_METRICS_LISTEN`.
    pub(crate) fn start_with_defaults(
        program: &Path,
        environment: &[(&str, PathBuf)],
        log: Stdio,
    ) -> Result<Server, String> {
        let mut command = Command::new(program);
        command
            .stdin(Stdio::null())
            .env("PASSBOOK_LISTEN", "127.0.0.1:0")
            .envs(environment.iter().map(|(name, value)| (name, value)));
        Server::spawn(&mut command, log, "metrics ")
    }

    /// Starts the program, and reads its output to the line that begins with `last`.
    fn spawn(command: &mut Command, log: Stdio, last: &str) -> Result<Server, String> {
        let program = command.get_program().to_string_lossy().into_owned();
        let child = command
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        let mut server =
            Server { child, base: String::new(), token: None, page: None, metrics: None, output: None };
        let mut output =
            BufReader::new(server.child.stdout.take().ok_or("the server's standard output is not a pipe")?);
        let mut line = String::new();
        while output
            .read_line(&mut line)
            .map_err(|error| format!("read the server's standard output: {error}"))?
            > 0
        {
            if let Some(base) = line.strip_prefix("base ") {
                base.trim().clone_into(&mut server.base);
            }
            if let Some(token) = line.strip_prefix("token ") {
                server.token = Some(token.trim().to_owned());
            }
            if let Some(page) = line.strip_prefix("page ") {
                server.page = Some(page.trim().to_owned());
            }
            if let Some(metrics) = line.strip_prefix("metrics ") {
                server.metrics = Some(metrics.trim().to_owned());
            }
            if line.starts_with(last) {
                server.output = Some(output);
                return Ok(server);
            }
            line.clear();
        }
        let status = server.child.wait().map_err(|error| format!("{program}: {error}"))?;
        Err(format!("the server ended before it printed its addresses: {status}"))
    }

    /// Returns the base address of the server, such as `http://127.0.0.1:8080/api`.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Returns the process id of the server.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Returns the token of the demo household. `None` without `--demo`.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Returns the address of the page, with the sign-in code of the demo household. `None` without `--demo`.
    pub(crate) fn page(&self) -> Option<&str> {
        self.page.as_deref()
    }

    /// Returns the address of the metrics. `None` if the server serves none.
    pub(crate) fn metrics(&self) -> Option<&str> {
        self.metrics.as_deref()
    }

    /// Starts a server by a command that gives it a listener or a limit. The server writes its log to `log`.
    pub(crate) fn start_by(command: &mut Command, log: Stdio) -> Result<Server, String> {
        Server::spawn(command, log, "mcp ")
    }

    /// Returns the exit status if the server has ended by itself.
    pub(crate) fn status(&mut self) -> Result<Option<ExitStatus>, String> {
        self.child.try_wait().map_err(|error| format!("the server: {error}"))
    }

    /// Sends SIGTERM and waits until the server has drained and ended.
    pub(crate) fn stop(mut self) -> Result<(), String> {
        self.end()
    }

    /// Does what [`Server::stop`] does, and keeps the value.
    pub(crate) fn end(&mut self) -> Result<(), String> {
        let _output = self.output.take();
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status();
        sent.map_err(|error| format!("kill: {error}"))?;
        let status = self.child.wait().map_err(|error| format!("the server: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("the server stopped with {status}")) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // After `stop` the process has already ended.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
