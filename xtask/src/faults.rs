//! `cargo xtask faults`: makes the database fail under load in each known way, and checks what clients see.
//!
//! A demo server runs the database, and restarts it. A second server, which is under test, reads the same database with
//! a password. Clients send requests to it all the time. An experiment is one item of `EXPERIMENTS`: a fault, and the
//! statuses that clients may see meanwhile. After the fix, the server must answer every request again within
//! `RECOVERY_TIME_MAX`. A response with status 200 must always have the right body, and a response with status 503 the
//! header `Retry-After`. Further experiments restart servers (`restarts`), or lose every packet between server and database
//! (`black_hole`). Everything runs on loopback addresses and Unix sockets below `target/faults`.

mod black_hole;
mod database;
mod load;
mod restarts;
mod setting;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::command::{create_folder, print_line, run_shown};
use crate::connection::Connection;
use crate::server::Server;
use database::Database;
use load::{CLIENTS, Load, Seen};

/// Number of consecutive responses with status 200 after which the server counts as recovered.
const RECOVERED_AFTER: usize = 40;
/// Time between two looks, in milliseconds.
const POLL_MILLISECONDS: u64 = 10;

/// One fault.
struct Experiment {
    name: &'static str,
    cause: fn(&Database) -> Result<(), String>,
    fix: fn(&Database) -> Result<(), String>,
    /// Time between cause and fix, in milliseconds.
    milliseconds: u64,
    /// The statuses that clients may see besides 200.
    allowed: &'static [u16],
    /// A status that some client must see during the fault, which proves that the fault had an effect.
    expected: Option<u16>,
    /// The status of `/ready` at the end of the fault; `None` if any.
    ready: Option<u16>,
}

/// Maximum time from the fix until the server answers every request.
const RECOVERY_TIME_MAX: Duration = Duration::from_secs(10);

const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "no fault",
        cause: |_| Ok(()),
        fix: |_| Ok(()),
        milliseconds: 1_000,
        allowed: &[],
        expected: Some(200),
        ready: Some(200),
    },
    Experiment {
        name: "kill PostgreSQL (SIGKILL)",
        cause: |database| database.signal("-KILL"),
        fix: Database::until_running,
        milliseconds: 0,
        allowed: &[503],
        expected: Some(503),
        ready: None,
    },
    Experiment {
        name: "stop PostgreSQL fast",
        cause: |database| database.signal("-INT"),
        fix: Database::until_running,
        milliseconds: 0,
        allowed: &[503],
        expected: Some(503),
        ready: None,
    },
    Experiment {
        name: "stop PostgreSQL smart",
        cause: |database| database.signal("-TERM"),
        // A smart stop waits for the connections of the server, which go on.
        fix: |database| {
            database.signal("-INT")?;
            database.until_running()
        },
        milliseconds: 1_000,
        allowed: &[503],
        expected: Some(200),
        ready: None,
    },
    Experiment {
        name: "end all sessions",
        cause: Database::end_sessions,
        fix: |_| Ok(()),
        milliseconds: 500,
        // A session that ends while it executes a query is an error; one that ends before is replaced.
        allowed: &[503],
        expected: Some(200),
        ready: Some(200),
    },
    Experiment {
        name: "change the password",
        cause: |database| database.change_role("password 'another'"),
        fix: |database| {
            database.execute(&format!("alter role passbook_reader password '{}'", database::PASSWORD))
        },
        milliseconds: 1_000,
        allowed: &[503],
        expected: Some(503),
        ready: Some(503),
    },
    Experiment {
        name: "forbid the login",
        cause: |database| database.change_role("nologin"),
        fix: |database| database.execute("alter role passbook_reader login"),
        milliseconds: 1_000,
        allowed: &[503],
        expected: Some(503),
        ready: Some(503),
    },
    Experiment {
        name: "grant 0 connections",
        cause: |database| database.change_role("connection limit 0"),
        fix: |database| database.execute("alter role passbook_reader connection limit -1"),
        milliseconds: 1_000,
        allowed: &[503],
        expected: None,
        ready: None,
    },
    Experiment {
        name: "grant 3 connections",
        cause: |database| database.execute("alter role passbook_reader connection limit 3"),
        fix: |database| database.execute("alter role passbook_reader connection limit -1"),
        milliseconds: 2_000,
        allowed: &[],
        expected: Some(200),
        ready: Some(200),
    },
    Experiment {
        name: "lock a table for 3 s",
        cause: |database| {
            database.execute(
                "begin; lock table passbook.users, passbook.transactions; select pg_sleep(3); rollback",
            )
        },
        fix: |_| Ok(()),
        milliseconds: 0,
        allowed: &[503],
        expected: Some(503),
        ready: None,
    },
    Experiment {
        name: "freeze PostgreSQL for 12 s",
        cause: |database| database.signal_all("-STOP"),
        fix: |database| database.signal_all("-CONT"),
        milliseconds: 12_000,
        allowed: &[503, 504],
        expected: Some(504),
        ready: Some(503),
    },
    Experiment {
        name: "revoke a right",
        cause: |database| {
            database
                .execute(&format!("revoke execute on function {} from passbook_reader", database::FUNCTION))
        },
        fix: |database| {
            // A server that starts meanwhile notices the missing right.
            let refused = database.server_is_refused()?;
            database
                .execute(&format!("grant execute on function {} to passbook_reader", database::FUNCTION))?;
            if refused { Ok(()) } else { Err("a new server starts without the right".to_owned()) }
        },
        // The result of `/ready` is cached for a second.
        milliseconds: 1_500,
        allowed: &[500],
        expected: Some(500),
        ready: Some(503),
    },
];

/// Runs an experiment with servers of its own. Returns a summary for people.
type Run = fn(&setting::Setting<'_>) -> Result<String, String>;

/// The experiments that follow `EXPERIMENTS`, by name.
const WITH_OWN_SERVERS: [(&str, Run); 4] = [
    ("rolling restart of two servers", restarts::rolling_restart),
    ("restart by socket activation", restarts::socket_activation),
    ("SIGTERM during slow queries", restarts::slow_queries),
    ("network that loses everything", black_hole::run),
];

/// Runs all experiments and prints one line for each.
///
/// # Errors
/// A server that does not start or stop, or the number of experiments that failed.
pub fn run(root: &Path) -> Result<(), String> {
    let work = root.join("target/faults");
    if work.exists() {
        std::fs::remove_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    }
    create_folder(&work.join("settings"))?;
    run_shown("cargo", &["build", "--quiet", "--bin", "passbook-server"], root)?;
    let program = root.join("target/debug/passbook-server");
    let log = |name: &str| -> Result<Stdio, String> {
        let path = work.join(name);
        std::fs::File::create(&path).map(Stdio::from).map_err(|error| format!("{}: {error}", path.display()))
    };
    let settings = ("XDG_CONFIG_HOME", work.join("settings"));
    let demo_environment = [("PASSBOOK_DATA_DIR", work.join("data")), settings.clone()];
    let demo = Server::start_with_log(&program, &["--demo"], &demo_environment, log("demo.log")?)?;
    let token = demo.token().ok_or("the demo server printed no token")?.to_owned();
    let database = Database::prepare(&work.join("data/demo"), &program, &settings.1)?;
    let connections = (2 * CLIENTS).to_string();
    let url = [
        ("PASSBOOK_DATABASE_URL", PathBuf::from(database.url())),
        ("PASSBOOK_DATABASE_CONNECTIONS", PathBuf::from(connections)),
        settings,
    ];
    let server = Server::start_with_log(&program, &[], &url, log("server.log")?)?;
    let mut outcomes: Vec<Result<(), String>> = EXPERIMENTS
        .iter()
        .map(|experiment| report(experiment.name, experiment.run(&database, server.base(), &token)))
        .collect();
    server.stop()?;
    let setting = setting::Setting { database: &database, program, environment: url.to_vec(), token: &token };
    outcomes.extend(WITH_OWN_SERVERS.iter().map(|(name, run)| report(name, run(&setting))));
    drop(demo);
    match outcomes.iter().filter(|outcome| outcome.is_err()).count() {
        0 => Ok(()),
        count => Err(format!(
            "faults: {count} of {} experiments failed; the logs are in {}",
            outcomes.len(),
            work.display()
        )),
    }
}

/// Prints the line of an experiment.
fn report(name: &str, outcome: Result<String, String>) -> Result<(), String> {
    let (verdict, text) = match &outcome {
        Ok(text) => ("ok", text),
        Err(text) => ("FAILED", text),
    };
    print_line(&format!("{name:<30} {verdict:<7} {text}"));
    outcome.map(drop)
}

impl Experiment {
    /// Returns a summary for people.
    fn run(&self, database: &Database, base: &str, token: &str) -> Result<String, String> {
        let load = Load::start(base, token)?;
        let caused = (self.cause)(database);
        sleep(Duration::from_millis(self.milliseconds));
        let ready = Connection::open(base).and_then(|mut connection| connection.get("/ready", token));
        let fixed = (self.fix)(database);
        let recovery = Experiment::until_recovered(&load, RECOVERY_TIME_MAX);
        let seen = load.stop()?;
        caused?;
        fixed?;
        let ready = ready?.status;
        let summary = format!("{seen}, /ready {ready}, recovered after {} ms", recovery?.as_millis());
        let problem = self.problem(&seen, ready);
        problem.map_or(Ok(summary.clone()), |problem| Err(format!("{problem}: {summary}")))
    }

    /// Waits until the last responses all have status 200. Returns the time that this took.
    fn until_recovered(load: &Load, limit: Duration) -> Result<Duration, String> {
        let started = Instant::now();
        load.reset_streak();
        while load.streak() < RECOVERED_AFTER {
            if started.elapsed() > limit {
                return Err(format!("the server has not recovered after {} s", limit.as_secs()));
            }
            sleep(Duration::from_millis(POLL_MILLISECONDS));
        }
        Ok(started.elapsed())
    }

    fn problem(&self, seen: &Seen, ready: u16) -> Option<String> {
        let forbidden = seen.statuses().find(|status| *status != 200 && !self.allowed.contains(status));
        if let Some(problem) = seen.problem() {
            return Some(problem.to_owned());
        }
        if let Some(status) = forbidden {
            return Some(format!("status {status} must not occur"));
        }
        if let Some(expected) =
            self.expected.filter(|expected| !seen.statuses().any(|status| status == *expected))
        {
            return Some(format!("no response has status {expected}"));
        }
        let expected = self.ready.filter(|expected| *expected != ready)?;
        Some(format!("/ready must have status {expected}"))
    }
}
