//! Runs a server as a child process and reads its output and exit code. Every wait has a time limit.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::database::Database;
use crate::postgres_programs;
use crate::temporary::Folder;

/// Time limit for output or exit. Long, because the command of the README builds the program first.
const TIMEOUT: Duration = Duration::from_secs(900);

/// The folder has the home, the settings and the data of one server.
impl Folder {
    /// The data folder, which the server creates.
    pub fn data_dir(&self) -> PathBuf {
        self.path().join("data")
    }

    /// The server command. Its environment has only this folder, a free port, and the location of PostgreSQL.
    pub fn server(&self, arguments: &[&str]) -> Command {
        let mut server = Command::new(crate::binary("passbook-server"));
        server.args(arguments).env_clear().envs(inherited()).env("HOME", self.path());
        server.env("PASSBOOK_DATA_DIR", self.data_dir()).env("PASSBOOK_LISTEN", "127.0.0.1:0");
        server
    }

    /// The server command with the database of a test, which the server does not start itself.
    pub fn server_of(&self, database: &Database, arguments: &[&str]) -> Command {
        let mut server = self.server(arguments);
        server.env("PASSBOOK_DATABASE_URL", database.url(passbook_schema::READER));
        server
    }
}

fn inherited() -> impl Iterator<Item = (OsString, OsString)> {
    let postgres = postgres_programs::variable().map(|(name, folder)| (name.into(), folder.into()));
    std::env::vars_os().filter(|(name, _)| name == "PATH").chain(postgres)
}

/// Exit code of a program, and the output that was not read before.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: Vec<String>,
    pub stderr: String,
}

/// A running program. Dropping it kills the program.
#[derive(Debug)]
pub struct Running {
    pid: u32,
    lines: Receiver<String>,
    ended: Receiver<ExitStatus>,
    stderr: Option<JoinHandle<String>>,
    is_over: bool,
}

impl Running {
    pub fn start(mut command: Command) -> Running {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let pid = child.id();
        let (stdout, stderr) = (child.stdout.take().expect("a pipe"), child.stderr.take().expect("a pipe"));
        let (lines, ended) = (lines_of(stdout), end_of(child));
        let stderr_text = Some(std::thread::spawn(move || text_of(stderr)));
        Running { pid, lines, ended, stderr: stderr_text, is_over: false }
    }

    /// The process identifier.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Waits for the next `count` lines of standard output.
    #[track_caller]
    pub fn lines(&mut self, count: usize) -> Vec<String> {
        let line = |_| self.lines.recv_timeout(TIMEOUT).ok();
        let lines: Option<Vec<String>> = (0..count).map(line).collect();
        lines.unwrap_or_else(|| {
            signal("KILL", self.pid);
            panic!("the program ended before it printed {count} lines: {}", self.stderr())
        })
    }

    /// Waits until the program ends.
    #[track_caller]
    pub fn end(mut self) -> Ended {
        let status = self.ended.recv_timeout(TIMEOUT).expect("the program ends in time");
        self.is_over = true;
        Ended { code: status.code(), stdout: self.lines.iter().collect(), stderr: self.stderr() }
    }

    /// Sends a signal and waits until the program ends.
    #[track_caller]
    pub fn stop(self, name: &str) -> Ended {
        signal(name, self.pid);
        self.end()
    }

    fn stderr(&mut self) -> String {
        self.stderr.take().map_or_else(String::new, |thread| thread.join().expect("standard error is read"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_over {
            signal("KILL", self.pid);
        }
    }
}

fn lines_of(stdout: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines() {
            if sender.send(line.expect("UTF-8")).is_err() {
                break;
            }
        }
    });
    lines
}

fn end_of(mut child: Child) -> Receiver<ExitStatus> {
    let (sender, ended) = channel();
    std::thread::spawn(move || {
        // The receiver is gone if the test has failed.
        let _ = sender.send(child.wait().expect("the child process can be awaited"));
    });
    ended
}

fn text_of(mut stream: impl Read) -> String {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("the stream ends");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs a program until it ends.
#[track_caller]
pub fn run(command: Command) -> Ended {
    Running::start(command).end()
}

/// Sends a signal, such as `KILL`, to a process, or to a group of processes if the number is negative. Returns true if the
/// process or the group exists.
pub fn signal(name: &str, process: impl Display) -> bool {
    let kill = format!("kill -{name} {process} 2>&1");
    Command::new("sh").args(["-c", &kill]).stdout(Stdio::null()).status().expect("a shell").success()
}

/// Waits until a process has ended.
#[track_caller]
pub fn wait_until_ended(pid: u32) {
    let started = Instant::now();
    while signal("0", pid) {
        assert!(started.elapsed() < TIMEOUT, "process {pid} is still running");
    }
}

/// The identifier of the PostgreSQL process of a data folder.
pub fn postgres_pid(data_dir: &Path) -> u32 {
    cluster_pid(&data_dir.join("postgres/cluster"))
}

/// The identifier of the PostgreSQL process that serves the cluster in a folder.
pub fn cluster_pid(cluster: &Path) -> u32 {
    let text = std::fs::read_to_string(cluster.join("postmaster.pid")).expect("PostgreSQL runs");
    text.lines().next().expect("a line").trim().parse().expect("a number")
}

/// The value of a line of standard output, after checking the name of the line.
#[track_caller]
pub fn value<'a>(line: &'a str, name: &str) -> &'a str {
    let value = line.strip_prefix(&format!("{name:8}"));
    value.unwrap_or_else(|| panic!("{line:?} is not the {name} line"))
}

/// Returns the value of the series with this name and these labels, in any order.
#[track_caller]
pub fn series(metrics: &str, name: &str, labels: &[(&str, &str)]) -> f64 {
    let has = |line: &str, (key, value): &(&str, &str)| line.contains(&format!("{key}=\"{value}\""));
    let is_wanted = |line: &&str| {
        line.split(['{', ' ']).next() == Some(name) && labels.iter().all(|label| has(line, label))
    };
    let line = metrics.lines().find(is_wanted).unwrap_or_else(|| panic!("{name} {labels:?}:\n{metrics}"));
    line.rsplit(' ').next().and_then(|value| value.parse().ok()).expect("a number")
}

/// Checks the lines that a server prints at start: four lines, or six for a demo.
#[track_caller]
pub fn assert_startup_lines(lines: &[String]) {
    assert_eq!(lines[0], format!("passbook {}", env!("CARGO_PKG_VERSION")));
    let base = value(&lines[1], "base");
    let port = base.strip_prefix("http://127.0.0.1:").and_then(|rest| rest.strip_suffix("/api"));
    let port: u16 = port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("{base}"));
    assert_ne!(port, 0, "the line must name the actual port");
    assert_eq!(value(&lines[2], "mcp"), format!("{base}/mcp"));
    let page = value(&lines[3], "page");
    let page =
        page.strip_prefix(base.trim_end_matches("api")).expect("the page is at the root of the origin");
    if lines.len() == 4 {
        assert_eq!(page, "");
    } else {
        let code = page.strip_prefix("#code=").expect("a code in the fragment");
        assert_eq!(code.len(), 43, "{code}");
        let token = value(&lines[4], "token");
        let plain = passbook_auth::personal_access_token::PlainToken::parse("pbk_", token);
        assert!(plain.is_some(), "{token} is not a token");
        let request =
            format!("curl -H 'Authorization: Bearer {token}' '{base}/v1/cashflow/summary?timeRange=1m'");
        assert_eq!(value(&lines[5], "try"), request);
    }
}
