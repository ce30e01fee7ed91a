//! Runs `pgbench`, the load generator of PostgreSQL, with prepared statements.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::capture::Statement;
use super::postgres::{Postgres, output};
use crate::command::write;

/// Number of threads of `pgbench`.
const THREADS: &str = "2";

/// Settings of every connection. The server's transaction sets the same: a reference must not spend its time on compilation,
/// or on a new plan for each execution.
const OPTIONS: &str = "-c jit=off -c plan_cache_mode=force_generic_plan";

/// A script for `pgbench` with its variables.
#[derive(Clone, Debug)]
pub(super) struct Script {
    file: PathBuf,
    variables: Vec<(String, String)>,
}

impl Script {
    /// Returns a committed script.
    pub(super) fn committed(file: PathBuf, variables: &[(&str, &str)]) -> Script {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Script { file, variables: variables.collect() }
    }

    /// Writes a script that sends the statements as the server does: in one pipeline.
    ///
    /// A null parameter is written into the statement, because variables of `pgbench` cannot be null. Before the first
    /// pipeline one statement is sent alone: `pgbench` 15 prepares all statements of a script with the first one, and
    /// cannot do so inside a pipeline.
    pub(super) fn pipeline(file: PathBuf, statements: &[Statement]) -> Result<Script, String> {
        let mut variables = vec![("first".to_owned(), "1".to_owned())];
        let mut text = "\\if :first\nselect 1;\n\\set first 0\n\\endif\n\\startpipeline\n".to_owned();
        for (number, statement) in statements.iter().enumerate() {
            let mut sql = statement.sql.clone();
            // From the last to the first, so that $1 is not replaced inside $10.
            for (index, value) in statement.parameters.iter().enumerate().rev() {
                let parameter = format!("${}", index + 1);
                let variable = format!("s{number}_{}", index + 1);
                match value {
                    None => sql = sql.replace(&parameter, "null"),
                    Some(value) => {
                        sql = sql.replace(&parameter, &format!(":{variable}"));
                        variables.push((variable, value.clone()));
                    }
                }
            }
            writeln!(text, "{sql};").expect("text grows");
        }
        text.push_str("\\endpipeline\n");
        write(&file, &text)?;
        Ok(Script { file, variables })
    }
}

/// The result of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Transactions per second.
    pub(super) rate: f64,
    /// Processor time of PostgreSQL per transaction, in microseconds.
    pub(super) postgres_microseconds: f64,
}

/// A role and a database to which `pgbench` connects.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'a> {
    pub(super) postgres: &'a Postgres,
    /// The host of a connection over TCP; without it, the connection is over the Unix socket.
    pub(super) host: Option<&'a str>,
    pub(super) role: &'a str,
    pub(super) database: &'a str,
}

impl Target<'_> {
    /// Runs a script over `connections` connections for `duration`.
    pub(super) fn run(self, script: &Script, connections: u32, duration: Duration) -> Result<Run, String> {
        let mut command = Command::new(self.postgres.program("pgbench"));
        let seconds = duration.as_secs().max(1).to_string();
        let clients = connections.to_string();
        let threads = if connections == 1 { "1" } else { THREADS };
        // The last host counts.
        command
            .args(self.postgres.connect_options(self.role))
            .args(self.host.into_iter().flat_map(|host| ["-h", host]));
        command.env("PGOPTIONS", OPTIONS);
        command.args(["-n", "-M", "prepared", "-c", &clients, "-j", threads, "-T", &seconds, "-f"]);
        command.arg(&script.file);
        for (name, value) in &script.variables {
            command.arg("-D").arg(format!("{name}={value}"));
        }
        let before = self.postgres.cpu_seconds()?;
        let printed = output(command.arg(self.database))?;
        let used = self.postgres.cpu_seconds()? - before;
        let transactions = number(&printed, "number of transactions actually processed: ", &script.file)?;
        if let Some(failed) =
            printed.lines().find_map(|line| line.strip_prefix("number of failed transactions: "))
            && !failed.starts_with("0 ")
        {
            return Err(format!("{}: failed transactions: {failed}", script.file.display()));
        }
        Ok(Run {
            rate: number(&printed, "tps = ", &script.file)?,
            postgres_microseconds: used / transactions * 1e6,
        })
    }
}

/// Returns the number after `name` in the printed lines.
fn number(printed: &str, name: &str, file: &Path) -> Result<f64, String> {
    let line = printed.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split([' ', '/']).next()?.parse().ok());
    number.ok_or_else(|| format!("{}: pgbench printed no {name:?}:\n{printed}", file.display()))
}
