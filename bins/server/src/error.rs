//! The errors that end the server, and their exit codes.

use std::error::Error;
use std::process::ExitCode;

use passbook_auth::error_chain;
use passbook_input::Fault;

/// The reason why the server could not start, or ended.
#[derive(Debug)]
pub enum ServerError {
    /// Settings, the database role or the schema break a rule. Exit code 64.
    Configuration(Vec<Fault>),
    /// The database of a setting cannot be reached. Exit code 69.
    Unreachable(Fault),
    /// The embedded database cannot be started or used. Exit code 69.
    Database(Box<dyn Error + Send + Sync>),
    /// The server has stopped, but requests were still running and were cut off. Exit code 75.
    RequestsCut {
        /// Number of these requests.
        requests: usize,
    },
    /// A defect of the program or a failure of the machine. Exit code 70.
    Internal(Box<dyn Error + Send + Sync>),
}

impl ServerError {
    /// An error with one configuration problem.
    pub fn configuration(name: &str, message: impl Into<String>) -> ServerError {
        ServerError::Configuration(vec![Fault::verbatim(name, message)])
    }

    /// An embedded database that cannot be started or used.
    pub(crate) fn database(source: impl Error + Send + Sync + 'static) -> ServerError {
        ServerError::Database(Box::new(source))
    }

    /// A defect or a failure of the machine.
    pub(crate) fn internal(source: impl Error + Send + Sync + 'static) -> ServerError {
        ServerError::Internal(Box::new(source))
    }

    /// Prints the error on standard error, one line for each problem, and returns the exit code.
    #[expect(clippy::print_stderr, reason = "the log may not have been started yet")]
    pub fn report(&self) -> ExitCode {
        let (text, code) = match self {
            ServerError::Configuration(problems) => {
                (problems.iter().map(Fault::to_string).collect::<Vec<_>>().join("\n"), 64)
            }
            ServerError::Unreachable(fault) => (fault.to_string(), 69),
            ServerError::Database(source) => {
                (format!("the embedded database cannot be used: {}", error_chain(source.as_ref())), 69)
            }
            ServerError::RequestsCut { requests } => {
                (format!("requests cut off because they were still running: {requests}"), 75)
            }
            ServerError::Internal(source) => {
                (format!("internal error: {}", error_chain(source.as_ref())), 70)
            }
        };
        eprintln!("{text}");
        ExitCode::from(code)
    }
}
