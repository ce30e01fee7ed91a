//! `cargo xtask clients`: programs that others wrote ask a demo server, and judge its answers and its descriptions.
//!
//! A suite is one file of `xtask/src/clients` and one line of [`SUITES`]. What the suites need is installed under
//! `target/clients`, at the versions that are committed beside them; the server has a data folder there that is made
//! anew each time, a free loopback port, and no rate limits. The sign-in suite starts servers of its own. What was
//! started is stopped, also when something fails.

mod conformance;
mod documented;
mod inspector;
mod node;
mod pgbouncer;
mod redocly;
mod schemathesis;
mod sdk;
mod sign_in;
mod tdqs;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::command::{make_folder, run_shown, say};
use crate::server::Server;

/// A program of others, and what it is asked.
struct Suite {
    name: &'static str,
    run: fn(&Site<'_>) -> Result<(), String>,
}

/// Every suite, in order.
const SUITES: [Suite; 12] = [
    Suite { name: "redocly", run: redocly::run },
    Suite { name: "schemathesis", run: schemathesis::with_token },
    Suite { name: "schemathesis without a token", run: schemathesis::without_token },
    Suite { name: "mcp conformance", run: conformance::run },
    Suite { name: "mcp inspector", run: inspector::run },
    Suite { name: "mcp typescript", run: sdk::typescript },
    Suite { name: "mcp python 1", run: sdk::python_one },
    Suite { name: "mcp python 2", run: sdk::python_two },
    Suite { name: "mcp tool definitions", run: tdqs::run },
    Suite { name: "mcp as documented", run: documented::run },
    Suite { name: "sign-in", run: sign_in::run },
    Suite { name: "pgbouncer", run: pgbouncer::run },
];

/// What a suite may use.
pub(crate) struct Site<'a> {
    root: &'a Path,
    work: PathBuf,
    base: &'a str,
    token: &'a str,
}

impl Site<'_> {
    /// A committed file of the suites.
    fn committed(&self, name: &str) -> PathBuf {
        self.root.join("xtask/clients").join(name)
    }

    /// The address of the tool server.
    fn tools(&self) -> String {
        format!("{}/mcp", self.base)
    }

    /// A command that is told the tool server and the token by environment: what is on a command line can be seen by
    /// others.
    fn asking(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("PASSBOOK_MCP", self.tools()).env("PASSBOOK_TOKEN", self.token);
        command.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(&self.work).stdin(Stdio::null());
        command
    }
}

/// Runs every suite whose name begins so, also when an earlier one fails. The error names those that failed.
pub fn run(root: &Path, wanted: &str) -> Result<(), String> {
    let suites: Vec<&Suite> = SUITES.iter().filter(|suite| suite.name.starts_with(wanted)).collect();
    if suites.is_empty() {
        let names: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
        return Err(format!("no suite begins with {wanted:?}: there are {}", names.join(", ")));
    }
    let work = root.join("target/clients");
    let (data, settings) = (work.join("data"), work.join("settings"));
    if data.exists() {
        std::fs::remove_dir_all(&data).map_err(|error| format!("{}: {error}", data.display()))?;
    }
    // A folder of settings without any, so that those of whoever runs this have no say.
    make_folder(&settings)?;
    say("building the server and the operator's tool");
    let build = ["build", "--quiet", "--bin", "passbook-server", "--bin", "passbook-admin"];
    run_shown("cargo", &build, root)?;
    say("starting a demo server");
    let server = Server::start(
        &root.join("target/debug/passbook-server"),
        &["--demo"],
        &[("PASSBOOK_DATA_DIR", data), ("XDG_CONFIG_HOME", settings)],
    )?;
    let token = server.token().ok_or("a demo server must print a token")?.to_owned();
    let failed = run_suites(&suites, &Site { root, work, base: server.base(), token: &token });
    let stopped = server.stop();
    if failed.is_empty() { stopped } else { Err(format!("clients: failed: {}", failed.join(", "))) }
}

/// Runs the suites and says how each ended. Returns the names of those that failed.
fn run_suites(suites: &[&Suite], site: &Site<'_>) -> Vec<&'static str> {
    let mut outcomes = Vec::new();
    for suite in suites {
        say(&format!("-- {}", suite.name));
        let started = Instant::now();
        outcomes.push((suite.name, (suite.run)(site), started.elapsed()));
    }
    say("-- summary");
    for (name, outcome, taken) in &outcomes {
        say(&summary(name, outcome, *taken));
    }
    outcomes.into_iter().filter(|(_, outcome, _)| outcome.is_err()).map(|(name, ..)| name).collect()
}

/// Runs a command with its output shown; what it says is the report.
fn judged(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if status.success() { Ok(()) } else { Err(format!("the report above says why ({status})")) }
}

/// Runs a command and returns what it printed. When it fails, that is shown.
fn printed(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(said);
    }
    say(&format!("{said}{}", String::from_utf8_lossy(&output.stderr)));
    Err(format!("the report above says why ({})", output.status))
}

fn summary(name: &str, outcome: &Result<(), String>, taken: Duration) -> String {
    let end = match outcome {
        Ok(()) => "passed".to_owned(),
        Err(problem) => format!("FAILED: {problem}"),
    };
    format!("{name:<30} {:>6.1} s  {end}", taken.as_secs_f64())
}
