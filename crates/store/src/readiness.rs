//! Implements the readiness check for the store: the database executes a query, and the start-up check is repeated from
//! time to time.

use std::time::{Duration, Instant};

use passbook_domain::ports::{BoxFuture, ReadError};
use passbook_domain::readiness::{Check, Readiness};

use crate::check::check_with;
use crate::error::Error;
use crate::finding::Finding;
use crate::last_check::Completed;
use crate::query::CHECK_CONNECTION;
use crate::store::Store;

/// Time limit of the readiness check, in seconds.
const SECONDS_MAX: u64 = 3;
/// The message about a database that answers, but cannot run the check.
const BUSY: &str = "is busy: no connection is free, or a lock delays the check";
/// Maximum number of objects that the message of `/ready` names.
const OBJECTS_MAX: usize = 10;

impl Store {
    /// Repeats the start-up check (`check`), or returns the result of the last one: at most one check in 60 s runs for
    /// all callers and clones, and one in 5 s while there are findings. If a query failed for want of a right or an object,
    /// the check is repeated at once. In between, the database only has to execute a query. The first call always runs the
    /// check. It has a connection of its own, so requests cannot delay it.
    ///
    /// # Errors
    /// The errors of the database. They are not stored for the next call.
    pub async fn recheck(&self) -> Result<Vec<Finding>, ReadError> {
        let mut last = self.last_check.lock().await;
        let is_doubtful = self.last_check.is_doubtful();
        match last.as_ref() {
            Some(completed) if !completed.is_stale(Instant::now(), is_doubtful) => {
                if let Err(error) = self.execute_check_query().await {
                    // PostgreSQL may have ended the connection since the last check.
                    if !error.is_lost() {
                        return Err(error.into());
                    }
                    self.execute_check_query().await?;
                }
                Ok(completed.findings.clone())
            }
            _ => {
                let mut guard = self.check_lease().await?;
                let checked = check_with(guard.connection_mut()).await;
                guard.finish(checked.is_ok());
                let findings = checked?;
                // Only now: a check that fails must be repeated by the next call.
                self.last_check.end_doubt();
                *last = Some(Completed { at: Instant::now(), findings: findings.clone() });
                Ok(findings)
            }
        }
    }
}

impl Store {
    /// Returns the findings of the last start-up check, without a query; empty if none was completed.
    pub async fn last_findings(&self) -> Vec<Finding> {
        let last = self.last_check.lock().await;
        last.as_ref().map(|completed| completed.findings.clone()).unwrap_or_default()
    }

    async fn execute_check_query(&self) -> Result<(), Error> {
        let guard = self.check_lease().await?;
        let executed = guard.connection().query_typed(CHECK_CONNECTION.sql, &[]).await;
        guard.finish(executed.is_ok());
        executed.map_err(Error::query(CHECK_CONNECTION.name)).map(drop)
    }
}

impl Readiness for Store {
    fn checks(&self) -> BoxFuture<'_, Vec<Check>> {
        Box::pin(async move {
            let result = match tokio::time::timeout(Duration::from_secs(SECONDS_MAX), self.recheck()).await {
                Ok(Ok(findings)) if findings.is_empty() => Ok(()),
                Ok(Ok(findings)) => Err(message(&findings)),
                Ok(Err(error)) if is_busy(&error) => Err(BUSY.to_owned()),
                Ok(Err(_)) => Err("cannot be reached".to_owned()),
                Err(_) => Err(format!("does not answer within {SECONDS_MAX} s")),
            };
            vec![Check::new("database", result)]
        })
    }
}

/// Returns true if the database answers, but has no connection or no time for the check.
fn is_busy(error: &ReadError) -> bool {
    let cause = match error {
        ReadError::Unavailable(cause) | ReadError::TimedOut(cause) => cause.downcast_ref::<Error>(),
        _ => None,
    };
    cause.is_some_and(Error::is_busy)
}

/// Returns the message about findings. `/ready` is public, so the message names the objects of the schema, which are the
/// same in every installation, but no role and nothing else that the operator named.
fn message(findings: &[Finding]) -> String {
    let objects: Vec<&str> = findings.iter().filter_map(|finding| finding.object.as_deref()).collect();
    let mut text = format!("{} problem(s) with role or schema", findings.len());
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
    use crate::finding::Remedy;
    use crate::store::StoreConfig;

    fn finding(object: Option<&str>) -> Finding {
        Finding {
            sentence: "sentence".to_owned(),
            remedy: Remedy::Restore,
            object: object.map(str::to_owned),
        }
    }

    #[tokio::test]
    async fn doubt_remains_if_the_check_cannot_be_completed() {
        let nowhere = "postgresql://passbook_reader@127.0.0.1:1/money".parse().expect("a URL");
        let store = Store::new(StoreConfig::new(nowhere)).expect("a pool");
        store.last_check.doubt();
        store.recheck().await.expect_err("nothing listens");
        assert!(store.last_check.is_doubtful());
    }

    #[test]
    fn message_names_objects_of_the_schema_only() {
        assert_eq!(message(&[finding(None)]), "1 problem(s) with role or schema");
        assert_eq!(
            message(&[finding(Some("view a")), finding(None), finding(Some("view b"))]),
            "3 problem(s) with role or schema: missing or changed: view a, view b"
        );
        let many = message(&vec![finding(Some("view a")); OBJECTS_MAX + 2]);
        assert!(many.ends_with("view a, view a and 2 more"), "{many}");
    }
}
