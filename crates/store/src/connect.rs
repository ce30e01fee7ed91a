//! Connecting with the start-up check: no store is given out over a database that it must not serve from.

use std::error::Error as StdError;

use domain::ports::ReadError;

use crate::check::{Problem, check};
use crate::pool::{Config, Store};

/// Why there is no store.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Role or schema will not do; each problem names its mend.
    #[error("role or schema will not do: {}", listed(.0))]
    Unfit(Vec<Problem>),
    /// The database answered, and has no such role, password or database.
    #[error("the database refuses the connection")]
    Refused(#[source] ReadError),
    /// The database cannot be reached now.
    #[error("the database cannot be reached")]
    Unreachable(#[source] ReadError),
    /// A defect here, or a database that answers what it cannot mean.
    #[error("the database cannot be examined")]
    Broken(#[source] ReadError),
}

impl Store {
    /// A store over a database whose role and schema have been found right: [`check`].
    ///
    /// # Errors
    /// [`ConnectError`]. Only [`ConnectError::Unreachable`] may pass by itself.
    pub async fn connect(config: Config) -> Result<Store, ConnectError> {
        let store = Store::new(config).map_err(|source| ConnectError::Broken(source.into()))?;
        match check(&store).await {
            Ok(problems) if problems.is_empty() => Ok(store),
            Ok(problems) => Err(ConnectError::Unfit(problems)),
            Err(source) if is_refusal(&source) => Err(ConnectError::Refused(source)),
            Err(source @ (ReadError::Unavailable(_) | ReadError::TimedOut(_))) => {
                Err(ConnectError::Unreachable(source))
            }
            Err(source) => Err(ConnectError::Broken(source)),
        }
    }
}

/// Whether the database answered, and has no such role, password or database (SQLSTATE classes 28 and 3D).
fn is_refusal(error: &ReadError) -> bool {
    let first: &(dyn StdError + 'static) = error;
    let mut causes =
        std::iter::successors(Some(first), |error: &&'_ (dyn StdError + 'static)| (*error).source());
    let state = causes.find_map(|cause| cause.downcast_ref::<tokio_postgres::Error>()?.code());
    state.is_some_and(|state| matches!(state.code().get(..2), Some("28" | "3D")))
}

fn listed(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<String>>().join("; ")
}
