//! `cargo lab clients`: checks a demo server with third-party programs.
//!
//! A suite is one file of `xtask/lab/src/clients` and one line of `SUITES`. The programs are installed under
//! `target/clients`, at the versions that are committed in `xtask/lab/clients`. Each run starts a demo server with a new
//! data folder there, a free loopback port and no rate limits. The sign-in suite starts servers of
//! its own and mostly waits, so it runs beside the others. Every process is stopped at the end of the run, also after a failure.
//!
//! The suites of `ON_DEMAND` only run if they are named: `cargo lab clients on-demand` runs them all.

mod client_guide;
mod conformance;
mod documented;
mod dump;
mod frameworks;
mod generated;
mod inspector;
pub(crate) mod node;
mod on_demand;
mod pgbouncer;
mod pictures;
mod redocly;
mod schemathesis;
mod sdk;
mod sign_in;
mod suite;
mod tdqs;
mod typescript;

use std::panic::resume_unwind;
use std::path::Path;
use std::time::{Duration, Instant};

use suite::SuiteContext;

use crate::command::{create_folder, print_line, run_shown};
use crate::server::Server;

/// A third-party program and the check that it makes.
struct Suite {
    name: &'static str,
    run: fn(&SuiteContext<'_>) -> Result<(), String>,
}

/// The suites of CI, in the order of a run.
const SUITES: &[Suite] = &[
    Suite { name: "redocly", run: redocly::run },
    Suite { name: "schemathesis", run: schemathesis::with_token },
    Suite { name: "schemathesis without a token", run: schemathesis::without_token },
    Suite { name: "generated typescript", run: generated::typescript },
    Suite { name: "generated python", run: generated::python },
    Suite { name: "client guide", run: client_guide::run },
    Suite { name: "mcp conformance", run: conformance::run },
    Suite { name: "mcp inspector", run: inspector::run },
    Suite { name: "mcp typescript", run: sdk::typescript },
    Suite { name: "mcp python 1", run: sdk::python_one },
    Suite { name: "mcp python 2", run: sdk::python_two },
    Suite { name: "mcp tool definitions", run: tdqs::run },
    Suite { name: "mcp as documented", run: documented::run },
    Suite { name: "fastmcp", run: frameworks::fastmcp },
    Suite { name: "langchain", run: frameworks::langchain },
    Suite { name: "pydantic-ai", run: frameworks::pydantic_ai },
    Suite { name: "openai-agents", run: frameworks::openai_agents },
    Suite { name: "sign-in", run: sign_in::run },
    Suite { name: "pgbouncer", run: pgbouncer::run },
    Suite { name: "dump", run: dump::run },
    Suite { name: "pictures modules", run: pictures::modules },
    Suite { name: "pictures figures", run: pictures::figures },
    Suite { name: "pictures states", run: pictures::states },
    Suite { name: "pictures journey", run: pictures::journey },
    Suite { name: "pictures apps", run: pictures::apps },
];

/// Suites that only run if they are named, because they take long, most of them to install large packages.
const ON_DEMAND: &[Suite] = &[
    Suite { name: "on-demand smolagents", run: on_demand::smolagents },
    Suite { name: "on-demand llama-index", run: on_demand::llama_index },
    Suite { name: "on-demand mcpo", run: on_demand::mcpo },
    Suite { name: "on-demand inspector", run: on_demand::inspector },
    Suite { name: "on-demand pictures of 200,000 rows", run: pictures::wide },
    Suite { name: "on-demand pictures in inspector", run: on_demand::pictures_in_inspector },
    Suite { name: "on-demand pictures in sunpeak", run: on_demand::pictures_in_sunpeak },
];

/// Runs the suites of CI if `prefix` is empty, otherwise every suite whose name starts with `prefix`, also after one has
/// failed.
///
/// # Errors
/// The names of the suites that failed.
pub(crate) fn run(root: &Path, prefix: &str) -> Result<(), String> {
    let on_demand = ON_DEMAND.iter().filter(|_| !prefix.is_empty());
    let suites: Vec<&Suite> =
        SUITES.iter().chain(on_demand).filter(|suite| suite.name.starts_with(prefix)).collect();
    if suites.is_empty() {
        let names: Vec<&str> = SUITES.iter().chain(ON_DEMAND).map(|suite| suite.name).collect();
        return Err(format!("no suite name starts with {prefix:?}; the suites are {}", names.join(", ")));
    }
    let work = root.join("target/clients");
    let (data, settings) = (work.join("data"), work.join("settings"));
    if data.exists() {
        std::fs::remove_dir_all(&data).map_err(|error| format!("{}: {error}", data.display()))?;
    }
    // An empty settings folder, so that the settings of the person who runs this program do not apply.
    create_folder(&settings)?;
    print_line("building passbook-server and passbook-admin");
    let build = ["build", "--quiet", "--bin", "passbook-server", "--bin", "passbook-admin"];
    run_shown("cargo", &build, root)?;
    print_line("starting a demo server");
    let server = Server::start(
        &root.join("target/debug/passbook-server"),
        &["--demo"],
        &[("PASSBOOK_DATA_DIR", data), ("XDG_CONFIG_HOME", settings)],
    )?;
    let token = server.token().ok_or("the demo server printed no token")?.to_owned();
    let failed = run_suites(&suites, &SuiteContext { root, work, base: server.base(), token: &token });
    let stopped = server.stop();
    if failed.is_empty() { stopped } else { Err(format!("clients: failed: {}", failed.join(", "))) }
}

/// Runs the suites and prints a summary. Returns the names of those that failed.
fn run_suites(suites: &[&Suite], context: &SuiteContext<'_>) -> Vec<&'static str> {
    let (beside, in_order): (Vec<&Suite>, Vec<&Suite>) =
        suites.iter().partition(|suite| suite.name == "sign-in");
    let run = |suites: Vec<&Suite>| -> Vec<Outcome> {
        suites.into_iter().map(|suite| run_suite(suite, context)).collect()
    };
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let beside = scope.spawn(|| run(beside));
        let in_order = run(in_order);
        // A panic in a suite panics here too.
        in_order.into_iter().chain(beside.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    print_line("-- summary");
    for (name, outcome, taken) in &outcomes {
        print_line(&summary(name, outcome, *taken));
    }
    outcomes.into_iter().filter(|(_, outcome, _)| outcome.is_err()).map(|(name, ..)| name).collect()
}

/// The name of a suite, its result, and the time that it took.
type Outcome = (&'static str, Result<(), String>, Duration);

fn run_suite(suite: &Suite, context: &SuiteContext<'_>) -> Outcome {
    print_line(&format!("-- {}", suite.name));
    let started = Instant::now();
    (suite.name, (suite.run)(context), started.elapsed())
}

fn summary(name: &str, outcome: &Result<(), String>, taken: Duration) -> String {
    let end = match outcome {
        Ok(()) => "passed".to_owned(),
        Err(problem) => format!("FAILED: {problem}"),
    };
    format!("{name:<30} {:>6.1} s  {end}", taken.as_secs_f64())
}
