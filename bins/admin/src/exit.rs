//! How the tool ends: one code and one way of saying it for each kind of failure.

use std::error::Error;
use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use formats::Fault;
use ingest::load::LoadError;
use tokio_postgres::error::SqlState;

/// Wrong usage or configuration.
const USAGE: u8 = 64;
/// Wrong data.
const DATA: u8 = 65;
/// The database cannot be reached.
const UNAVAILABLE: u8 = 69;
/// A mistake of ours, or of the machine.
const INTERNAL: u8 = 70;

/// Why nothing was done.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command, the settings, or a database role or schema that will not do: every problem with its mend.
    Configuration(Vec<String>),
    /// The input: every fault.
    Input(Vec<Fault>),
    /// The database does not answer.
    Unreachable(String),
    /// Anything else.
    Internal(String),
}

impl Failure {
    /// One problem of configuration.
    pub(crate) fn configuration(problem: impl Into<String>) -> Failure {
        Failure::Configuration(vec![problem.into()])
    }

    /// One fault of the input.
    pub(crate) fn input(fault: Fault) -> Failure {
        Failure::Input(vec![fault])
    }

    /// Something that should not happen.
    pub(crate) fn internal(what: &str, error: &dyn Error) -> Failure {
        Failure::Internal(format!("{what}: {}", chain(error)))
    }

    /// What a refusal by the database means to the operator.
    pub(crate) fn database(error: &tokio_postgres::Error) -> Failure {
        let said = chain(error);
        let Some(code) = error.code() else {
            return Failure::Unreachable(format!(
                "the database cannot be reached: {said}; check that it runs and that its address is right"
            ));
        };
        match (code, code.code().get(..2)) {
            (&SqlState::INSUFFICIENT_PRIVILEGE, _) => Failure::configuration(format!(
                "the database role may not do this: {said}; connect as a member of {} (to migrate: of {}, or as one \
                 who may create roles)",
                schema::WRITER,
                schema::OWNER
            )),
            // Invalid authorization, and a database that does not exist.
            (_, Some("28" | "3D")) => Failure::configuration(format!(
                "the database refuses the connection: {said}; check PASSBOOK_ADMIN_DATABASE_URL"
            )),
            // Connection exception, insufficient resources, operator intervention.
            (_, Some("08" | "53" | "57")) => {
                Failure::Unreachable(format!("the database does not serve us: {said}"))
            }
            _ => Failure::Internal(format!("the database failed: {said}")),
        }
    }

    fn code(&self) -> u8 {
        match self {
            Failure::Configuration(_) => USAGE,
            Failure::Input(_) => DATA,
            Failure::Unreachable(_) => UNAVAILABLE,
            Failure::Internal(_) => INTERNAL,
        }
    }

    /// What there is to say, a problem or fault a line.
    pub(crate) fn lines(&self) -> Vec<String> {
        match self {
            Failure::Configuration(problems) => problems.clone(),
            Failure::Input(faults) => faults.iter().map(Fault::to_string).collect(),
            Failure::Unreachable(what) | Failure::Internal(what) => vec![what.clone()],
        }
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        match error {
            LoadError::Faults(faults) => Failure::Input(faults),
            LoadError::Database(source) => Failure::database(&source),
        }
    }
}

impl From<schema::Error> for Failure {
    fn from(error: schema::Error) -> Failure {
        match error {
            schema::Error::Database { ref source, .. } => Failure::database(source),
            schema::Error::Migration { ref source, .. } => match Failure::database(source) {
                Failure::Internal(_) => Failure::Internal(chain(&error)),
                other => other,
            },
            schema::Error::Ahead { .. } | schema::Error::Edited { .. } => {
                Failure::configuration(error.to_string())
            }
        }
    }
}

impl From<embedded::Error> for Failure {
    fn from(error: embedded::Error) -> Failure {
        let said = chain(&error);
        match error {
            embedded::Error::NotUsable { .. } | embedded::Error::NotReachable { .. } => {
                Failure::configuration(said)
            }
            _ => Failure::Unreachable(said),
        }
    }
}

/// Says a failure on standard error, a problem or fault a line.
pub(crate) fn report(failure: &Failure) -> ExitCode {
    let mut stderr = std::io::stderr().lock();
    for line in failure.lines() {
        // Where standard error is gone there is nobody left to tell.
        drop(writeln!(stderr, "{line}"));
    }
    ExitCode::from(failure.code())
}

/// Says what clap has to say: help and version are results, anything else is wrong usage.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    drop(error.print());
    if error.use_stderr() { ExitCode::from(USAGE) } else { ExitCode::SUCCESS }
}

/// A remark for a person who watches. Scripts read standard output and the exit code.
pub(crate) fn remark(text: &str) {
    drop(writeln!(std::io::stderr(), "{text}"));
}

/// Whether somebody watches.
pub(crate) fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}

/// An error with its causes, without those that a cause before them has said already.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !said.contains(&text) {
            said = format!("{said}: {text}");
        }
        cause = error.source();
    }
    said
}
