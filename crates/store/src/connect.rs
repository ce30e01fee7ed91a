//! Connects a store and runs the start-up check: [`Store::connect`] returns no store for a database with problems.

use std::error::Error as StdError;

use domain::ports::ReadError;

use crate::check::{Problem, check};
use crate::pool::{Config, Store};

/// The reason why [`Store::connect`] failed.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The role or the schema has problems. Contains the problems, each with its remedy.
    #[error("the start-up check found problems with role or schema: {}", list(.0))]
    Unfit(Vec<Problem>),
    /// The database rejected the role, the password or the database name.
    #[error("the database refuses the connection")]
    Refused(#[source] ReadError),
    /// The database cannot be reached. A later attempt may succeed without a change of settings.
    #[error("the database cannot be reached")]
    Unreachable(#[source] ReadError),
    /// Passbook has a defect, or the database returned unexpected results.
    #[error("the database cannot be examined")]
    Broken(#[source] ReadError),
}

impl Store {
    /// Connects to the database and runs the start-up check ([`check`]).
    ///
    /// # Errors
    /// Any [`ConnectError`]. Only [`ConnectError::Unreachable`] is worth a retry without changes.
    pub async fn connect(config: Config) -> Result<Store, ConnectError> {
        let store = Store::new(config).map_err(|source| ConnectError::Broken(source.into()))?;
        match check(&store).await {
            Ok(problems) if problems.is_empty() => Ok(store),
            Ok(problems) => Err(ConnectError::Unfit(problems)),
            Err(source) if is_login_rejection(&source) => Err(ConnectError::Refused(source)),
            Err(source @ (ReadError::Unavailable(_) | ReadError::TimedOut(_))) => {
                Err(ConnectError::Unreachable(source))
            }
            Err(source) => Err(ConnectError::Broken(source)),
        }
    }
}

/// Returns true if the database rejected the role, the password or the database name (SQLSTATE classes 28 and 3D).
fn is_login_rejection(error: &ReadError) -> bool {
    let first: &(dyn StdError + 'static) = error;
    let mut causes =
        std::iter::successors(Some(first), |error: &&'_ (dyn StdError + 'static)| (*error).source());
    let state = causes.find_map(|cause| cause.downcast_ref::<tokio_postgres::Error>()?.code());
    state.is_some_and(|state| matches!(state.code().get(..2), Some("28" | "3D")))
}

fn list(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<String>>().join("; ")
}
