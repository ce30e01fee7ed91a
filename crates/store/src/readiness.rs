//! Implements the readiness check for the store: it repeats the start-up check.

use std::time::Duration;

use domain::ports::BoxFuture;
use domain::readiness::{Check, Readiness};

use crate::check::check;
use crate::pool::Store;

/// Time limit of the readiness check, in seconds.
const SECONDS_MAX: u64 = 3;

impl Readiness for Store {
    fn checks(&self) -> BoxFuture<'_, Vec<Check>> {
        Box::pin(async move {
            let result = match tokio::time::timeout(Duration::from_secs(SECONDS_MAX), check(self)).await {
                Ok(Ok(problems)) if problems.is_empty() => Ok(()),
                Ok(Ok(problems)) => Err(format!(
                    "{} problem(s) with role or schema; restart the server to list them",
                    problems.len()
                )),
                Ok(Err(_)) | Err(_) => Err("cannot be reached".to_owned()),
            };
            vec![Check::new("database", result)]
        })
    }
}
