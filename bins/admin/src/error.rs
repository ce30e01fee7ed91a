//! The error of a command, and the exit code for each kind of error.

use std::error::Error;
use std::io::Write as _;
use std::process::ExitCode;

use passbook_ingest::load::LoadError;
use passbook_input::Fault;
use passbook_settings::remedies;
use passbook_store::ConnectionFailure;
use tokio_postgres::error::SqlState;

use crate::secrets::WithheldWords;
use crate::terminal::terminal_text;

/// Wrong usage or configuration.
const USAGE: u8 = 64;
/// Wrong input.
const DATA: u8 = 65;
/// The database cannot be reached.
const UNAVAILABLE: u8 = 69;
/// A defect of the program or a failure of the machine.
const INTERNAL: u8 = 70;

/// The reason why a command did nothing.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// The command line, a setting, the database role or the schema breaks a rule. Each item names the remedy.
    Configuration(Vec<String>),
    /// The input has faults.
    Input(Vec<Fault>),
    /// The database cannot be reached, with the remedy.
    Unreachable(String),
    /// A defect of the program or a failure of the machine.
    Internal(String),
}

impl CommandError {
    /// An error with one configuration problem.
    pub(crate) fn configuration(problem: impl Into<String>) -> CommandError {
        CommandError::Configuration(vec![problem.into()])
    }

    /// An error with the faults of the settings.
    pub(crate) fn settings(faults: &[Fault]) -> CommandError {
        CommandError::Configuration(faults.iter().map(Fault::to_string).collect())
    }

    /// An error with one fault of the input.
    pub(crate) fn input(fault: Fault) -> CommandError {
        CommandError::Input(vec![fault])
    }

    /// Changes each fault of the input, if that is the error.
    pub(crate) fn map_faults(self, change: impl Fn(Fault) -> Fault) -> CommandError {
        match self {
            CommandError::Input(faults) => CommandError::Input(faults.into_iter().map(change).collect()),
            other => other,
        }
    }

    /// A failure that no setting or input fixes. `failure` says what failed.
    pub(crate) fn internal(failure: &str, error: &dyn Error) -> CommandError {
        CommandError::Internal(format!("{failure}: {}", chain(error)))
    }

    /// A failure to connect. `subject` is the name of the setting that names the database, or a name of the database.
    pub(crate) fn connection(subject: &str, failure: &ConnectionFailure) -> CommandError {
        let message = format!("{subject}: {failure}");
        if failure.is_rejection() {
            CommandError::configuration(message)
        } else {
            CommandError::Unreachable(message)
        }
    }

    /// An error of a statement, by its SQLSTATE.
    pub(crate) fn database(error: &tokio_postgres::Error) -> CommandError {
        let Some(report) = error.as_db_error() else {
            return CommandError::Unreachable(format!(
                "the connection to the database was lost: {}; run the command again",
                chain(error)
            ));
        };
        let detail = report.detail().map(|detail| format!(" ({detail})")).unwrap_or_default();
        let cause = format!("{}{detail}", report.message());
        match (report.code(), report.code().code().get(..2)) {
            (&SqlState::INSUFFICIENT_PRIVILEGE, _) => CommandError::configuration(format!(
                "PASSBOOK_ADMIN_DATABASE_URL: connect as a member of {} (`migrate`: as a member of {}, or as a role \
                 that may create roles); the role lacks a permission: {cause}",
                passbook_schema::WRITER,
                passbook_schema::OWNER
            )),
            // Connection exception (08), insufficient resources (53) and operator intervention (57).
            (_, Some("08" | "53" | "57")) => CommandError::Unreachable(format!(
                "the database stopped the command: {cause}; run the command again when the database is available"
            )),
            (code, _) => CommandError::Internal(format!(
                "the database reported an error: {cause} (SQLSTATE {})",
                code.code()
            )),
        }
    }

    fn code(&self) -> u8 {
        match self {
            CommandError::Configuration(_) => USAGE,
            CommandError::Input(_) => DATA,
            CommandError::Unreachable(_) => UNAVAILABLE,
            CommandError::Internal(_) => INTERNAL,
        }
    }

    /// The message: one line for each problem or fault.
    pub(crate) fn lines(&self) -> Vec<String> {
        match self {
            CommandError::Configuration(problems) => problems.clone(),
            CommandError::Input(faults) => faults.iter().map(Fault::to_string).collect(),
            CommandError::Unreachable(message) | CommandError::Internal(message) => vec![message.clone()],
        }
    }

    /// Prints the error on standard error, without the words that may be secrets, and returns the exit code.
    pub(crate) fn report(&self, withheld: &WithheldWords) -> ExitCode {
        let mut stderr = std::io::stderr().lock();
        for line in self.lines() {
            // A closed standard error cannot be reported anywhere; the exit code remains.
            drop(writeln!(stderr, "{}", terminal_text(&withheld.withhold(&line))));
        }
        ExitCode::from(self.code())
    }
}

impl From<tokio_postgres::Error> for CommandError {
    fn from(error: tokio_postgres::Error) -> CommandError {
        CommandError::database(&error)
    }
}

impl From<LoadError> for CommandError {
    fn from(error: LoadError) -> CommandError {
        match error {
            LoadError::Faults(faults) => CommandError::Input(faults),
            LoadError::Database(source) => CommandError::database(&source),
        }
    }
}

impl From<passbook_schema::Error> for CommandError {
    fn from(error: passbook_schema::Error) -> CommandError {
        match error {
            passbook_schema::Error::Database { ref source, .. } => CommandError::database(source),
            passbook_schema::Error::Migration { ref source, .. } => match CommandError::database(source) {
                CommandError::Internal(_) => CommandError::Internal(chain(&error)),
                other => other,
            },
            passbook_schema::Error::Ahead { .. } | passbook_schema::Error::Edited { .. } => {
                CommandError::configuration(error.to_string())
            }
        }
    }
}

impl From<passbook_embedded::Error> for CommandError {
    fn from(error: passbook_embedded::Error) -> CommandError {
        use passbook_embedded::Error;
        let message = chain(&error);
        let wrong = |setting, remedy| CommandError::configuration(format!("{setting}: {message}\n{remedy}"));
        let unreachable = |remedy| CommandError::Unreachable(format!("{message}\n{remedy}"));
        match error {
            Error::NotUsable { .. } => wrong("PASSBOOK_POSTGRES_BIN", remedies::POSTGRES_BIN_UNUSABLE),
            Error::NotReachable { .. } => wrong("PASSBOOK_DATA_DIR", remedies::DATA_DIR_UNREACHABLE),
            Error::NotFound { .. } => unreachable(remedies::POSTGRES_BIN),
            Error::DownloadRefused { .. } => unreachable(remedies::NO_DOWNLOAD),
            Error::InUse { .. } => unreachable(remedies::DATA_DIR_IN_USE),
            Error::OtherMajor { .. } => unreachable(remedies::OTHER_MAJOR),
            _ => CommandError::Unreachable(message),
        }
    }
}

/// Prints clap's message. Help and version are results; anything else is wrong usage, and its message does not contain
/// the words that may be secrets.
pub(crate) fn report_usage(error: &clap::Error, withheld: &WithheldWords) -> ExitCode {
    if error.use_stderr() {
        let text = terminal_text(&withheld.withhold(&error.to_string()));
        drop(write!(std::io::stderr(), "{text}"));
        return ExitCode::from(USAGE);
    }
    drop(error.print());
    ExitCode::SUCCESS
}

/// An error and its causes in one line. A cause that the text before it contains is left out.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        cause = error.source();
    }
    text
}
