//! Puts the crates together.

use std::error::Error;
use std::sync::Arc;

use auth::Authenticator;
use domain::ports::ReadError;
use operations::Service;
use rest::Rest;
use store::Store;

use crate::outcome::{Problem, Stop, chain};
use crate::readiness::Checks;
use crate::settings::Settings;

/// The store, once role and schema have been found right.
pub async fn store(settings: &Settings, reader: tokio_postgres::Config) -> Result<Store, Stop> {
    let config = store::Config {
        connection: reader,
        connections_max: settings.database_connections,
        today: settings.today,
    };
    let store = Store::new(config).map_err(|source| Stop::Internal(Box::new(source)))?;
    match store::check(&store).await {
        Ok(problems) if problems.is_empty() => Ok(store),
        Ok(problems) => Err(Stop::Configuration(
            problems.iter().map(|problem| Problem::new(&problem.what, &problem.mend)).collect(),
        )),
        Err(error) if is_refusal(&error) => Err(Problem::one(
            "PASSBOOK_DATABASE_URL",
            &format!("the database refuses the connection: {}", chain(&error)),
        )),
        Err(error @ (ReadError::Unavailable(_) | ReadError::TimedOut(_))) => {
            Err(Stop::Database(Box::new(error)))
        }
        Err(error) => Err(Stop::Internal(Box::new(error))),
    }
}

/// Whether the database answered, and has no such role, password or database (SQLSTATE classes 28 and 3D).
fn is_refusal(error: &ReadError) -> bool {
    let first: &(dyn Error + 'static) = error;
    let mut causes =
        std::iter::successors(Some(first), |error: &&'_ (dyn Error + 'static)| (*error).source());
    let state = causes.find_map(|cause| cause.downcast_ref::<tokio_postgres::Error>()?.code());
    state.is_some_and(|state| matches!(state.code().get(..2), Some("28" | "3D")))
}

/// The REST adapter over a store.
pub fn rest(settings: &Settings, store: Store, base_url: String) -> Rest {
    let store = Arc::new(store);
    let token_prefix = settings.token_prefix.clone();
    let authenticator = Authenticator::new(auth::Config { token_prefix }, store.clone());
    let readiness = Arc::new(Checks::new(store.as_ref().clone()));
    let config = rest::Config { base_url, request_seconds_max: settings.limits.request_seconds };
    Rest::new(Service::new(store), authenticator, readiness, config)
}
