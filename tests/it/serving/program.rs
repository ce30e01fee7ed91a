//! Running a server as a child process: its lines, its end, its last words. Nothing is waited for without a limit.

use std::ffi::OsString;
use std::fs::Permissions;
use std::io::{BufRead as _, BufReader, Read};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// For a server to say its lines or to end. A build may come before.
const PATIENCE: Duration = Duration::from_secs(900);

/// A folder for one server: home, settings and data.
pub(super) struct Place(TempDir);

impl Place {
    /// The account that PostgreSQL runs as may pass through it.
    pub(super) fn new() -> Place {
        let passable = Permissions::from_mode(0o711);
        Place(tempfile::Builder::new().permissions(passable).tempdir().expect("a folder"))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The data folder, which the server makes.
    pub(super) fn data_dir(&self) -> PathBuf {
        self.path().join("data")
    }

    /// A file with this content.
    pub(super) fn file(&self, name: &str, content: &str) -> String {
        let path = self.path().join(name);
        std::fs::write(&path, content).expect("room");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// The server, with nothing in its environment but this folder, a free port, and what finds PostgreSQL.
    pub(super) fn server(&self, arguments: &[&str]) -> Command {
        let mut server = Command::new(tests::binary("passbook-server"));
        server.args(arguments).env_clear().envs(inherited()).env("HOME", self.path());
        server.env("PASSBOOK_DATA_DIR", self.data_dir()).env("PASSBOOK_LISTEN", "127.0.0.1:0");
        server
    }
}

fn inherited() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| name == "PATH" || name == "PASSBOOK_POSTGRES_BIN")
}

/// How a program ended, and what it said that nobody had read.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) code: Option<i32>,
    pub(super) stdout: Vec<String>,
    pub(super) stderr: String,
}

/// A program that runs. It is killed when the test gives up.
pub(super) struct Running {
    pid: u32,
    lines: Receiver<String>,
    ended: Receiver<ExitStatus>,
    said: Option<JoinHandle<String>>,
    is_over: bool,
}

impl Running {
    pub(super) fn start(mut command: Command) -> Running {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let pid = child.id();
        let (stdout, stderr) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
        let (lines, ended) = (lines_of(stdout), end_of(child));
        let said = Some(std::thread::spawn(move || text_of(stderr)));
        Running { pid, lines, ended, said, is_over: false }
    }

    /// The process.
    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    /// The next lines of standard output, once they are there.
    #[track_caller]
    pub(super) fn lines(&mut self, count: usize) -> Vec<String> {
        let line = |_| self.lines.recv_timeout(PATIENCE).ok();
        let lines: Option<Vec<String>> = (0..count).map(line).collect();
        lines.unwrap_or_else(|| {
            signal("KILL", self.pid);
            panic!("it ends without {count} lines: {}", self.stderr())
        })
    }

    /// How it ends, by itself or because it was told to.
    #[track_caller]
    pub(super) fn end(mut self) -> Ended {
        let status = self.ended.recv_timeout(PATIENCE).expect("it ends");
        self.is_over = true;
        Ended { code: status.code(), stdout: self.lines.iter().collect(), stderr: self.stderr() }
    }

    /// Sends it a signal and sees how it ends.
    #[track_caller]
    pub(super) fn stop(self, name: &str) -> Ended {
        signal(name, self.pid);
        self.end()
    }

    fn stderr(&mut self) -> String {
        self.said.take().map_or_else(String::new, |said| said.join().expect("it is read"))
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
        // A test that has given up does not listen.
        let _ = sender.send(child.wait().expect("it is our child"));
    });
    ended
}

fn text_of(mut stream: impl Read) -> String {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("the stream ends");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs a program that ends by itself.
#[track_caller]
pub(super) fn run(command: Command) -> Ended {
    Running::start(command).end()
}

/// Sends a signal; whether there was somebody to receive it.
pub(super) fn signal(name: &str, pid: u32) -> bool {
    let kill = format!("kill -{name} {pid} 2>&1");
    Command::new("sh").args(["-c", &kill]).stdout(Stdio::null()).status().expect("a shell").success()
}

/// Waits until a process is gone.
#[track_caller]
pub(super) fn until_gone(pid: u32) {
    let asked = Instant::now();
    while signal("0", pid) {
        assert!(asked.elapsed() < PATIENCE, "process {pid} is still there");
    }
}

/// The process of the PostgreSQL that runs in a data folder.
pub(super) fn postgres_pid(data_dir: &Path) -> u32 {
    let path = data_dir.join("postgres/cluster/postmaster.pid");
    let text = std::fs::read_to_string(path).expect("PostgreSQL runs");
    text.lines().next().expect("a line").trim().parse().expect("a number")
}

/// The address that a line of standard output names.
#[track_caller]
pub(super) fn value<'a>(line: &'a str, name: &str) -> &'a str {
    let value = line.strip_prefix(&format!("{name:8}"));
    value.unwrap_or_else(|| panic!("{line:?} is not the line of {name}"))
}

/// The decided lines of a server: of its demo, when there are five.
#[track_caller]
pub(super) fn assert_decided(lines: &[String]) {
    assert_eq!(lines[0], format!("passbook {}", env!("CARGO_PKG_VERSION")));
    let base = value(&lines[1], "base");
    let port = base.strip_prefix("http://127.0.0.1:").and_then(|rest| rest.strip_suffix("/api"));
    let port: u16 = port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("{base}"));
    assert_ne!(port, 0, "the real port");
    assert_eq!(value(&lines[2], "mcp"), format!("{base}/mcp"));
    if lines.len() > 3 {
        let token = value(&lines[3], "token");
        let plain = auth::personal_access_token::PlainToken::parse("pbk_", token);
        assert!(plain.is_some(), "{token} is a token");
        let request =
            format!("curl -H 'Authorization: Bearer {token}' '{base}/v1/cashflow/summary?timeRange=1m'");
        assert_eq!(value(&lines[4], "try"), request);
    }
}
