//! `cargo lab faults`: makes the database fail under load in each known way, and checks what clients see.
//!
//! A demo server runs the database, and restarts it. A second server, which is under test, reads the same database with
//! a password. Clients send requests to it all the time. An experiment is one item of `EXPERIMENTS`: a fault, and the
//! statuses that clients may see meanwhile. After the fix, the server must answer every request again within
//! `RECOVERY_TIME_MAX`. A response with status 200 must always have the right body, and a response with status 503 the
//! header `Retry-After`. Further experiments restart servers (`restarts`), kill PostgreSQL behind a pooler (`pooler`), lose
//! every packet to the database or the identity provider (`black_hole`), step the clock (`clock`), replace the certificate of
//! PostgreSQL (`tls`), take the store of rate limits away (`shared_limits`), send floods (`floods`, `owner`), limit the
//! address space of the server (`address_space`), or take the disk, the power or the processes of the embedded database away
//! (`embedded`, `power_loss`). Everything runs on loopback addresses, in a network namespace if the system permits it, on
//! Unix sockets and on file systems below `target/faults`.

mod address_space;
mod black_hole;
mod clock;
mod database;
mod disk;
mod embedded;
mod experiment;
mod floods;
mod load;
mod namespace;
mod owner;
mod pooler;
mod power_loss;
mod provider;
mod restarts;
mod setting;
mod shared_limits;
mod soak;
mod tls;

use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::command::{create_folder, print_line, run_shown};
use crate::deploy_check::units;
use crate::server::Server;
use database::Database;
use experiment::Experiment;
use load::CLIENTS;

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
        // PostgreSQL waits for the end of all connections. Both servers must notice that, and close theirs.
        cause: Database::stop_smart,
        fix: Database::until_running,
        milliseconds: 0,
        allowed: &[503],
        expected: Some(503),
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
        // One table after the other: a reader takes them in another order, and a
        // deadlock would cancel this statement instead of the reader's.
        cause: |database| {
            database.execute("begin; lock table passbook.transactions; select pg_sleep(3); rollback")?;
            database.execute("begin; lock table passbook.users; select pg_sleep(3); rollback")
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
        allowed: &[503],
        expected: Some(503),
        ready: Some(503),
    },
    Experiment {
        name: "take the views away",
        // As between the creation of an empty database and the end of a restore.
        cause: |database| database.execute("alter schema passbook_read rename to elsewhere"),
        fix: |database| database.execute("alter schema elsewhere rename to passbook_read"),
        milliseconds: 1_500,
        allowed: &[503],
        expected: Some(503),
        ready: Some(503),
    },
    Experiment {
        name: "let new sessions write",
        cause: |database| {
            database.execute("alter role passbook_reader set default_transaction_read_only = off")
        },
        fix: |database| {
            let refused = database.server_is_refused()?;
            database.execute("alter role passbook_reader set default_transaction_read_only = on")?;
            if refused { Ok(()) } else { Err("a new server starts with a role that may write".to_owned()) }
        },
        milliseconds: 500,
        allowed: &[],
        expected: Some(200),
        ready: None,
    },
    Experiment {
        name: "compile every query (JIT)",
        cause: Database::compile_every_query,
        fix: |database| {
            let started = database.server_starts();
            database.execute("alter database passbook reset all")?;
            // The sessions that began meanwhile would go on to compile.
            database.end_sessions()?;
            started
        },
        milliseconds: 1_000,
        // The sessions are ended, so that new ones compile.
        allowed: &[503],
        expected: Some(200),
        ready: None,
    },
    Experiment {
        name: "schema one version newer",
        cause: |database| {
            database.execute(
                "insert into passbook.migrations (version, name, sha256) \
                 select max(version) + 1, 'later', 'later' from passbook.migrations; \
                 alter table passbook.transactions add column later text",
            )
        },
        fix: |database| {
            let refused = database.server_is_refused()?;
            database.execute(
                "alter table passbook.transactions drop column later; \
                 delete from passbook.migrations where name = 'later'",
            )?;
            if refused { Ok(()) } else { Err("a new server starts on a newer schema".to_owned()) }
        },
        // `/ready` repeats the check after 60 s.
        milliseconds: 61_000,
        // Requests in progress may hold the lock of the new column longer than a lock may take.
        allowed: &[503],
        expected: Some(200),
        ready: Some(503),
    },
    Experiment {
        name: "schema one version older",
        cause: |database| database.execute("update passbook.migrations set version = version - 1"),
        fix: |database| {
            let refused = database.server_is_refused()?;
            database.execute("update passbook.migrations set version = version + 1")?;
            if refused { Ok(()) } else { Err("a new server starts on an older schema".to_owned()) }
        },
        milliseconds: 61_000,
        allowed: &[],
        expected: Some(200),
        ready: Some(503),
    },
];

/// Runs an experiment with servers of its own. Returns a summary for people.
type Run = fn(&setting::Setting<'_>) -> Result<String, String>;

/// The experiments that follow `EXPERIMENTS`, by name.
const WITH_OWN_SERVERS: [(&str, Run); 20] = [
    ("kill PostgreSQL behind PgBouncer", pooler::run),
    ("rolling restart of two servers", restarts::rolling_restart),
    ("restart by socket activation", restarts::socket_activation),
    ("SIGTERM during slow queries", restarts::slow_queries),
    ("network that loses everything", black_hole::run),
    ("identity provider behind a network that loses everything", black_hole::provider),
    ("steps of the clock", clock::run),
    ("TLS to PostgreSQL", tls::run),
    ("shared rate limits without their store", shared_limits::run),
    ("owner beside dead and foreign credentials", owner::run),
    ("unknown tokens", floods::unknown_tokens),
    ("idle sockets", floods::idle_sockets),
    ("limits of the address space", address_space::run),
    ("full disk of the data folder", embedded::full_disk),
    ("read-only data folder", embedded::read_only_folder),
    ("kill the server (SIGKILL)", embedded::killed_server),
    ("kill PostgreSQL again and again", embedded::killed_database),
    ("loss of power", power_loss::run),
    ("unit of systemd", |setting| units::check(setting.root)),
    ("soak of 5 minutes", soak::short),
];

/// An experiment that only runs if its whole name is given.
const BY_WHOLE_NAME: (&str, Run) = ("soak of 30 minutes", soak::long);
/// The starts of names of experiments that take long or need much, and that only run if a name or `ALL` is given.
const ON_DEMAND: [&str; 11] = [
    "schema one version",
    "identity provider behind",
    "steps of the clock",
    "TLS to PostgreSQL",
    "shared rate limits",
    "owner beside",
    "unknown tokens",
    "idle sockets",
    "loss of power",
    "unit of systemd",
    "soak",
];
/// The argument that selects all experiments.
const ALL: &str = "all";

/// Runs the experiments whose names start with `start`, and prints one line for each. Without a start, those of CI; with
/// `ALL`, all but the longest.
///
/// # Errors
/// A server that does not start or stop, no experiment of that name, or the number of experiments that failed.
pub(crate) fn run(root: &Path, start: &str) -> Result<(), String> {
    let is_selected = |name: &str| match start {
        "" => !ON_DEMAND.iter().any(|on_demand| name.starts_with(on_demand)),
        ALL => true,
        _ => name.starts_with(start),
    };
    let under_load: Vec<_> = EXPERIMENTS.iter().filter(|experiment| is_selected(experiment.name)).collect();
    let with_own_servers: Vec<_> = WITH_OWN_SERVERS
        .iter()
        .filter(|(name, _)| is_selected(name))
        .chain(Some(&BY_WHOLE_NAME).filter(|(name, _)| *name == start))
        .collect();
    if under_load.is_empty() && with_own_servers.is_empty() {
        return Err(format!("no experiment has a name that starts with {start:?}"));
    }
    if !namespace::is_inside() {
        // The server shares rate limits only with this feature.
        let build = ["build", "--quiet", "--package", "passbook-server", "--features", "shared-rate-limit"];
        run_shown("cargo", &build, root)?;
        if let Some(outcome) = namespace::run(root, start) {
            return outcome;
        }
    }
    let work = root.join("target/faults");
    if work.exists() {
        std::fs::remove_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    }
    create_folder(&work.join("settings"))?;
    let program = root.join("target/debug/passbook-server");
    let log = |name: &str| -> Result<Stdio, String> {
        let path = work.join(name);
        std::fs::File::create(&path).map(Stdio::from).map_err(|error| format!("{}: {error}", path.display()))
    };
    let settings = ("XDG_CONFIG_HOME", work.join("settings"));
    let demo_environment = [("PASSBOOK_DATA_DIR", work.join("data")), settings.clone()];
    let demo = Server::start_with_log(&program, &["--demo"], &demo_environment, log("demo.log")?)?;
    let token = demo.token().ok_or("the demo server printed no token")?.to_owned();
    let database = Database::prepare(&work.join("data/demo"), demo.process(), &program, &settings.1)?;
    let connections = (2 * CLIENTS).to_string();
    let url = [
        ("PASSBOOK_DATABASE_URL", PathBuf::from(database.url())),
        ("PASSBOOK_DATABASE_CONNECTIONS", PathBuf::from(connections)),
        settings,
    ];
    let server = Server::start_with_log(&program, &[], &url, log("server.log")?)?;
    print_line("| experiment | figure | verdict |");
    print_line("|---|---|---|");
    let mut outcomes: Vec<Result<(), String>> = under_load
        .iter()
        .map(|experiment| report(experiment.name, experiment.run(&database, server.base(), &token)))
        .collect();
    server.stop()?;
    let environment = url.to_vec();
    let setting =
        setting::Setting { root, work: &work, database: &database, program, environment, token: &token };
    outcomes.extend(with_own_servers.iter().map(|(name, run)| report(name, run(&setting))));
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

/// Prints the row of an experiment in a table.
fn report(name: &str, outcome: Result<String, String>) -> Result<(), String> {
    let (verdict, text) = match &outcome {
        Ok(text) if text.starts_with("not tried") => ("not tried", text),
        Ok(text) => ("ok", text),
        Err(text) => ("FAILED", text),
    };
    print_line(&format!("| {name} | {text} | {verdict} |"));
    outcome.map(drop)
}
