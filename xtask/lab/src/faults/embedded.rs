//! Faults of a server with the embedded database: its disk, its folder and its processes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::disk::Disk;
use super::setting::Setting;
use crate::command::{create_folder, read, run_quietly};
use crate::connection::Connection;
use crate::server::Server;

/// Size of a file system that cannot hold a new database.
const TOO_SMALL: &str = "16m";
/// Size of a file system that can hold the demo household.
const LARGE_ENOUGH: &str = "256m";
/// Number of requests during a fault that clients must not notice.
const REQUESTS: usize = 50;
/// Time limit of a start that is refused, and of a server that ends by itself.
const END_TIME_MAX: Duration = Duration::from_secs(60);
/// Maximum time for which PostgreSQL outlives its killed server.
const ORPHAN_TIME_MAX: Duration = Duration::from_secs(5);
/// Maximum time of the start after a kill.
const START_TIME_MAX: Duration = Duration::from_secs(20);
/// Number of restarts in a row that the server gives PostgreSQL (`crates/embedded/src/supervisor.rs`).
const RESTARTS: usize = 5;
/// Time between two looks, in milliseconds.
const POLL_MILLISECONDS: u64 = 20;
/// Exit code of a server whose database cannot be used at the start.
const DATABASE_CODE: i32 = 69;
/// Exit code of a server that has failed.
const FAILURE_CODE: i32 = 70;
const PATH: &str = "/v1/spending/categories?timeRange=1y";

/// The program and the folders of the servers of one experiment.
pub(super) struct Demo<'a> {
    setting: &'a Setting<'a>,
    pub(super) data: PathBuf,
    log: PathBuf,
}

impl Demo<'_> {
    /// Uses a data folder. The log of its servers is beside the folder of all experiments.
    pub(super) fn new<'a>(setting: &'a Setting<'a>, data: PathBuf, name: &str) -> Demo<'a> {
        Demo { setting, data, log: setting.work.join(format!("{name}.log")) }
    }

    fn environment(&self) -> Vec<(&'static str, PathBuf)> {
        let mut environment = self.setting.environment.clone();
        environment.retain(|(name, _)| *name != "PASSBOOK_DATABASE_URL");
        environment.push(("PASSBOOK_DATA_DIR", self.data.clone()));
        environment
    }

    pub(super) fn start(&self) -> Result<Server, String> {
        let log = self.new_log()?;
        Server::start_with_log(&self.setting.program, &["--demo"], &self.environment(), log)
            .map_err(|problem| format!("{problem}; see {}", self.log.display()))
    }

    fn new_log(&self) -> Result<Stdio, String> {
        let created = std::fs::File::create(&self.log);
        created.map(Stdio::from).map_err(|error| format!("{}: {error}", self.log.display()))
    }

    /// Starts a server that must end with `DATABASE_CODE` and an error that contains one of the sentences.
    fn is_refused(&self, sentences: &[&str]) -> Result<(), String> {
        let log = self.setting.work.join("refused.log");
        let created = std::fs::File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?;
        let mut command = Command::new(&self.setting.program);
        command.arg("--demo").env("PASSBOOK_LISTEN", "127.0.0.1:0").envs(self.environment());
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(created).spawn();
        let mut child = child.map_err(|error| error.to_string())?;
        let started = Instant::now();
        let status = loop {
            match child.try_wait().map_err(|error| error.to_string())? {
                Some(status) => break status,
                None if started.elapsed() > END_TIME_MAX => {
                    let _ = child.kill().and_then(|()| child.wait());
                    return Err(format!("a server starts, and {sentences:?} is not reported"));
                }
                None => sleep(Duration::from_millis(POLL_MILLISECONDS)),
            }
        };
        let error = read(&log)?;
        match status.code() {
            Some(DATABASE_CODE) if sentences.iter().any(|sentence| error.contains(sentence)) => Ok(()),
            _ => Err(format!("the start must end with {DATABASE_CODE} and {sentences:?}: {status}, {error}")),
        }
    }

    /// Returns the identifier of PostgreSQL's main process.
    fn postgres(&self) -> Result<String, String> {
        let text = read(&self.data.join("demo/postgres/cluster/postmaster.pid"))?;
        text.lines().next().map(str::to_owned).ok_or("postmaster.pid is empty".to_owned())
    }
}

/// Requests a document and returns its body.
pub(super) fn body(server: &Server) -> Result<String, String> {
    let token = server.token().ok_or("the demo server printed no token")?;
    let response = Connection::open(server.base())?.get(PATH, token)?;
    match response.status {
        200 => Ok(response.body),
        status => Err(format!("{PATH} has status {status}")),
    }
}

/// Returns an error unless the response has status 200 and the expected body.
pub(super) fn expect_body(server: &Server, expected: &str, when: &str) -> Result<(), String> {
    match body(server) {
        Ok(body) if body == expected => Ok(()),
        Ok(_) => Err(format!("{when}, a body is wrong")),
        Err(problem) => Err(format!("{when}: {problem}")),
    }
}

/// The disk of the data folder is full: at the first start, while the server runs, at its end, and at a later start.
pub(super) fn full_disk(setting: &Setting<'_>) -> Result<String, String> {
    // PostgreSQL reports a block of which only a part could be written with the second sentence.
    const FULL: [&str; 2] = ["No space left on device", "Check free disk space"];
    let disk = Disk::mount(setting.work.join("full"), TOO_SMALL)?;
    let demo = Demo::new(setting, disk.folder().join("data"), "full");
    demo.is_refused(&FULL)?;
    disk.change(&format!("size={LARGE_ENOUGH}"))?;
    let server = demo.start()?;
    let expected = body(&server)?;
    disk.fill()?;
    for _ in 0..REQUESTS {
        expect_body(&server, &expected, "while the disk is full")?;
    }
    // PostgreSQL cannot write its last checkpoint, which the exit code must tell.
    let stopped = server.stop().err().unwrap_or_default();
    let log = read(&demo.log)?;
    if !stopped.contains(&FAILURE_CODE.to_string()) || !FULL.iter().any(|sentence| log.contains(sentence)) {
        return Err(format!("the stop must end with {FAILURE_CODE} and {FULL:?}: {stopped:?}"));
    }
    demo.is_refused(&FULL)?;
    disk.free()?;
    let server = demo.start()?;
    expect_body(&server, &expected, "after space is free")?;
    server.stop()?;
    Ok(format!(
        "two starts end with {DATABASE_CODE}, {REQUESTS} × 200 meanwhile, and the data is complete after"
    ))
}

/// The data folder cannot be written, with and without a database in it.
pub(super) fn read_only_folder(setting: &Setting<'_>) -> Result<String, String> {
    const READ_ONLY: [&str; 1] = ["Read-only file system"];
    let disk = Disk::mount(setting.work.join("read-only"), LARGE_ENOUGH)?;
    let demo = Demo::new(setting, disk.folder().join("data"), "read-only");
    let server = demo.start()?;
    let expected = body(&server)?;
    server.stop()?;
    disk.change("ro")?;
    demo.is_refused(&READ_ONLY)?;
    Demo::new(setting, disk.folder().join("other"), "read-only").is_refused(&READ_ONLY)?;
    disk.change("rw")?;
    let server = demo.start()?;
    expect_body(&server, &expected, "after the folder can be written")?;
    server.stop()?;
    Ok(format!("two starts end with {DATABASE_CODE}, and the data is complete after"))
}

/// A second server on the folder, and a kill of the first one.
pub(super) fn killed_server(setting: &Setting<'_>) -> Result<String, String> {
    let data = setting.work.join("killed-server");
    create_folder(&data)?;
    let demo = Demo::new(setting, data, "killed-server");
    let server = demo.start()?;
    let expected = body(&server)?;
    demo.is_refused(&[&format!("is in use by process {}", server.process())])?;
    expect_body(&server, &expected, "after the start of a second server")?;
    let postgres = demo.postgres()?;
    // A server that is dropped is killed with SIGKILL.
    drop(server);
    let killed = Instant::now();
    while Path::new("/proc").join(&postgres).exists() {
        if killed.elapsed() > ORPHAN_TIME_MAX {
            return Err(format!("PostgreSQL still runs after {} s", ORPHAN_TIME_MAX.as_secs()));
        }
        sleep(Duration::from_millis(POLL_MILLISECONDS));
    }
    let (orphaned, started) = (killed.elapsed(), Instant::now());
    let server = demo.start()?;
    let start = started.elapsed();
    if start > START_TIME_MAX {
        return Err(format!("the next start took {} ms", start.as_millis()));
    }
    expect_body(&server, &expected, "after the kill")?;
    server.stop()?;
    Ok(format!("no orphan after {} ms, next start in {} ms", orphaned.as_millis(), start.as_millis()))
}

/// PostgreSQL is killed each time when it runs again, until the server gives up.
pub(super) fn killed_database(setting: &Setting<'_>) -> Result<String, String> {
    let data = setting.work.join("killed-database");
    create_folder(&data)?;
    let demo = Demo::new(setting, data, "killed-database");
    let mut server = demo.start()?;
    let expected = body(&server)?;
    let (mut killed, started) = (Vec::new(), Instant::now());
    let status = loop {
        if let Some(status) = server.status()? {
            break status;
        }
        if started.elapsed() > END_TIME_MAX {
            return Err(format!("the server still runs after {} kills of PostgreSQL", killed.len()));
        }
        // The file is missing, or has the identifier of the killed process, until PostgreSQL runs again.
        match demo.postgres() {
            Ok(process) if !killed.contains(&process) && is_served(&server, &expected)? => {
                run_quietly("kill", &["-KILL", &process], &[])?;
                killed.push(process);
            }
            _ => sleep(Duration::from_millis(POLL_MILLISECONDS)),
        }
    };
    let ended = started.elapsed().as_millis();
    if status.code() != Some(FAILURE_CODE) || !read(&demo.log)?.contains("PostgreSQL ended unexpectedly") {
        return Err(format!("the server must end with {FAILURE_CODE}: {status}, see {}", demo.log.display()));
    }
    if killed.len() != RESTARTS + 1 {
        return Err(format!("the server ended after {} kills", killed.len()));
    }
    let server = demo.start()?;
    expect_body(&server, &expected, "after the kills")?;
    server.stop()?;
    Ok(format!("{RESTARTS} restarts, then exit code {FAILURE_CODE} after {ended} ms; the next start serves"))
}

/// Returns true if a request succeeds, and false if the database is missing.
///
/// # Errors
/// Another response.
fn is_served(server: &Server, expected: &str) -> Result<bool, String> {
    let token = server.token().ok_or("the demo server printed no token")?;
    // The server may end at any time.
    let Ok(mut connection) = Connection::open(server.base()) else { return Ok(false) };
    match connection.get(PATH, token) {
        Ok(response) if response.status == 200 && response.body == expected => Ok(true),
        Ok(response) if response.status == 503 && response.has_retry_after => Ok(false),
        Ok(response) => Err(format!("a response has status {} or a wrong body", response.status)),
        Err(_) => Ok(false),
    }
}
