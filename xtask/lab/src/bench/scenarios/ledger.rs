//! Income and expenses by month of a Beancount ledger with about 13,600 transactions: the server against Fava and
//! bean-query, which have the ledger in memory. `cargo lab oracle` compares the amounts.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::child::Program;
use super::super::figures::{Outcome, median};
use super::super::http::{Connection, Request};
use super::super::load;
use super::super::postgres::output;
use super::super::setting::Setting;
use crate::command::print_line;
use crate::python::Python;

const DATABASE: &str = "bench_ledger";
const PERSON: &str = "ledger";
/// Number of requests of which each run takes the median.
const REQUESTS: u32 = 15;
/// The path below the ledger at which Fava returns its income statement by month.
const STATEMENT: &str = "/api/income_statement?interval=month";
/// The same with one month, for which Fava reads only the entries of the month.
const STATEMENT_OF_MONTH: &str = "/api/income_statement?time=2026-10";
const QUERY: &str = "select year, month, root(account, 1), sum(position) where account ~ '^(Income|Expenses)' group by 1, 2, 3";

pub(super) fn run(setting: &Setting) -> Result<Outcome, String> {
    let python = Python::in_folder(setting.work.join("python"));
    python.install(&setting.committed("requirements.txt"))?;
    let ledger = generate(setting, &python)?;
    import(setting, &ledger)?;
    let served = setting.serve_database(DATABASE, PERSON)?;
    let months = served.get("/v1/cashflow/summary?groupBy=month")?;
    let month = served.get("/v1/spending/categories?dateFrom=2026-10-01&dateTo=2026-10-31")?;
    let fava = Fava::start(&python, &ledger)?;
    let fava_months = fava.get(STATEMENT)?;
    let fava_month = fava.get(STATEMENT_OF_MONTH)?;
    let script = setting.committed("bean_query.py");
    let bean_query = || -> Result<f64, String> {
        let arguments = [script.as_path(), &ledger, Path::new(QUERY), Path::new("3")];
        let printed = output(Command::new(python.program("python")).args(arguments))?;
        let seconds: f64 =
            printed.trim().parse().map_err(|_| format!("bean_query.py printed {printed:?}"))?;
        Ok(seconds * 1000.0)
    };
    let mut rounds = vec![Vec::new(); 5];
    for _ in 0..setting.options.rounds {
        for (latencies, request) in rounds.iter_mut().zip([&months, &fava_months, &month, &fava_month]) {
            latencies.push(load::median_latency(request, REQUESTS));
        }
        rounds[4].push(bean_query()?);
    }
    served.stop()?;
    let medians: Vec<f64> = rounds.into_iter().map(median).collect();
    let mut outcome = Outcome::default();
    outcome.figure("income and expenses by month, the server", medians[0], "ms");
    outcome.figure("income and expenses by month, Fava", medians[1], "ms");
    outcome.figure("income and expenses by month, bean-query", medians[4], "ms");
    outcome.figure("expenses of one month, the server", medians[2], "ms");
    outcome.figure("expenses of one month, Fava", medians[3], "ms");
    outcome.figure("expenses of one month, Fava against the server", medians[3] / medians[2], "×");
    outcome.figure(
        "income and expenses by month, bean-query against the server",
        medians[4] / medians[0],
        "×",
    );
    outcome.at_least(
        "income and expenses by month, Fava against the server",
        medians[1] / medians[0],
        "×",
        25.0,
    );
    Ok(outcome)
}

/// Generates the ledger, unless an earlier run did.
fn generate(setting: &Setting, python: &Python) -> Result<PathBuf, String> {
    let file = setting.work.join("ledger.beancount");
    if file.is_file() {
        return Ok(file);
    }
    print_line("generating the ledger");
    let partial = setting.work.join("ledger.partial");
    let span = [
        "--date-begin",
        "1990-01-01",
        "--date-end",
        "2026-11-20",
        "--date-birth",
        "1965-06-15",
        "--seed",
        "42",
    ];
    output(Command::new(python.program("bean-example")).args(span).arg("--output").arg(&partial))?;
    std::fs::rename(&partial, &file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}

/// Imports the ledger into a new database.
fn import(setting: &Setting, ledger: &Path) -> Result<(), String> {
    let generator = setting.generator();
    generator.empty(DATABASE)?;
    let email = format!("{PERSON}@bench.example");
    generator.admin(DATABASE, &["user", "create", "--email", &email, "--currency", "USD"])?;
    let file = ledger.display().to_string();
    generator.admin(DATABASE, &["import", "beancount", &file, "--user", &email, "--ledger", "example"])?;
    setting.postgres.query(DATABASE, "vacuum (analyze)").map(drop)
}

/// A running Fava.
#[derive(Debug)]
struct Fava {
    program: Program,
    /// The name of the ledger in the paths of Fava.
    ledger: String,
}

impl Fava {
    fn start(python: &Python, ledger: &Path) -> Result<Fava, String> {
        let mut command = Command::new(python.program("fava"));
        let file = ledger.display().to_string();
        let program = Program::start(&mut command, |port| {
            ["--host", "127.0.0.1", "--port", port, &file].map(str::to_owned).into()
        })?;
        // Fava names the ledger after the title that `bean-example` writes.
        let fava = Fava { program, ledger: "example-beancount-file".to_owned() };
        let request = fava.get(STATEMENT)?;
        Connection::open(&request)?.exchange(&request)?;
        Ok(fava)
    }

    fn get(&self, path: &str) -> Result<Request, String> {
        Request::get(&self.program.base, &format!("/{}{path}", self.ledger), "")
    }
}
