//! Why the server stopped, for people and for scripts.

use std::error::Error;
use std::process::ExitCode;

use auth::error_chain;

/// A setting, role or schema that will not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The setting or thing.
    pub name: String,
    /// What is wrong and how to mend it.
    pub why: String,
}

impl Problem {
    /// A problem.
    pub fn new(name: &str, why: &str) -> Problem {
        Problem { name: name.to_owned(), why: why.to_owned() }
    }

    /// A stop for one problem.
    pub fn one(name: &str, why: &str) -> Stop {
        Stop::Configuration(vec![Problem::new(name, why)])
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.why)
    }
}

/// The server could not start, or could not go on.
#[derive(Debug)]
pub enum Stop {
    /// Settings, role or schema will not do: exit code 64.
    Configuration(Vec<Problem>),
    /// The database cannot be reached: exit code 69.
    Database(Box<dyn Error + Send + Sync>),
    /// A defect: exit code 70.
    Internal(Box<dyn Error + Send + Sync>),
}

impl Stop {
    /// Says why on standard error, every problem on a line of its own, and gives the exit code.
    #[expect(clippy::print_stderr, reason = "the process ends here; this is its last word")]
    pub fn report(&self) -> ExitCode {
        match self {
            Stop::Configuration(problems) => {
                for problem in problems {
                    eprintln!("{problem}");
                }
                ExitCode::from(64)
            }
            Stop::Database(source) => {
                eprintln!("the database cannot be used: {}", error_chain(source.as_ref()));
                ExitCode::from(69)
            }
            Stop::Internal(source) => {
                eprintln!("internal error: {}", error_chain(source.as_ref()));
                ExitCode::from(70)
            }
        }
    }
}
