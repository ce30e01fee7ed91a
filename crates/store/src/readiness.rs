//! Implements the readiness check for the store: the database executes a query, and the start-up check is repeated from
//! time to time.

use std::time::{Duration, Instant};

use domain::ports::{BoxFuture, ReadError};
use domain::readiness::{Check, Readiness};

use crate::check::check;
use crate::error::Error;
use crate::last_check::Completed;
use crate::pool::Store;
use crate::problem::Problem;
use crate::query::CHECK_CONNECTION;

/// Time limit of the readiness check, in seconds.
const SECONDS_MAX: u64 = 3;
/// Maximum number of objects that the message of `/ready` names.
const OBJECTS_MAX: usize = 10;

impl Store {
    /// Repeats the start-up check ([`check`]), or returns the result of the last one: at most one check in 60 s runs for
    /// all callers and clones, and one in 5 s while there are problems. In between, the database only has to execute a
    /// query. The first call always runs the check.
    ///
    /// # Errors
    /// The errors of the database. They are not kept for the next call.
    pub async fn recheck(&self) -> Result<Vec<Problem>, ReadError> {
        let mut last = self.last_check().lock().await;
        match last.as_ref() {
            Some(completed) if !completed.is_stale(Instant::now()) => {
                let connection = self.connection().await?;
                let executed = connection.query_typed(CHECK_CONNECTION.sql, &[]).await;
                executed.map_err(Error::query(CHECK_CONNECTION.name))?;
                Ok(completed.problems.clone())
            }
            _ => {
                let problems = check(self).await?;
                *last = Some(Completed { at: Instant::now(), problems: problems.clone() });
                Ok(problems)
            }
        }
    }
}

impl Readiness for Store {
    fn checks(&self) -> BoxFuture<'_, Vec<Check>> {
        Box::pin(async move {
            let result = match tokio::time::timeout(Duration::from_secs(SECONDS_MAX), self.recheck()).await {
                Ok(Ok(problems)) if problems.is_empty() => Ok(()),
                Ok(Ok(problems)) => Err(message(&problems)),
                Ok(Err(_)) | Err(_) => Err("cannot be reached".to_owned()),
            };
            vec![Check::new("database", result)]
        })
    }
}

/// Returns the message about problems. `/ready` is public, so the message names the objects of the schema, which are the
/// same in every installation, but no role and nothing else that the operator named.
fn message(problems: &[Problem]) -> String {
    let objects: Vec<&str> = problems.iter().filter_map(|problem| problem.object.as_deref()).collect();
    let mut text = format!("{} problem(s) with role or schema", problems.len());
    if !objects.is_empty() {
        let named = &objects[..objects.len().min(OBJECTS_MAX)];
        text.push_str(": missing or changed: ");
        text.push_str(&named.join(", "));
        if objects.len() > named.len() {
            text.push_str(&format!(" and {} more", objects.len() - named.len()));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Remedy;

    fn problem(object: Option<&str>) -> Problem {
        Problem { finding: "finding".to_owned(), remedy: Remedy::Restore, object: object.map(str::to_owned) }
    }

    #[test]
    fn message_names_objects_of_the_schema_only() {
        assert_eq!(message(&[problem(None)]), "1 problem(s) with role or schema");
        assert_eq!(
            message(&[problem(Some("view a")), problem(None), problem(Some("view b"))]),
            "3 problem(s) with role or schema: missing or changed: view a, view b"
        );
        let many = message(&vec![problem(Some("view a")); OBJECTS_MAX + 2]);
        assert!(many.ends_with("view a, view a and 2 more"), "{many}");
    }
}
