//! Why a load stored nothing.

use formats::Fault;
use tokio_postgres::error::DbError;

/// Why nothing was stored.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The input is at fault. At most [`FAULTS_KEPT_MAX`] faults, and where there were more, one last entry
    /// that says how many.
    #[error("the input has faults")]
    Faults(Vec<Fault>),
    /// The database could not be reached, or refused for a reason that is not in the input.
    #[error("the database failed")]
    Database(#[source] tokio_postgres::Error),
}

/// A refusal by the database. A value or constraint that slipped through the checks is a fault of the input;
/// `doing` names the place when the database does not.
pub(super) fn from_database(error: tokio_postgres::Error, doing: &str) -> LoadError {
    match error.as_db_error() {
        Some(refusal) if blames_data(refusal) => LoadError::Faults(vec![refused(refusal, doing)]),
        _ => LoadError::Database(error),
    }
}

/// SQLSTATE class 22 is "data exception", class 23 "integrity constraint violation".
fn blames_data(refusal: &DbError) -> bool {
    matches!(refusal.code().code().get(..2), Some("22" | "23"))
}

fn refused(refusal: &DbError, doing: &str) -> Fault {
    let place = refusal.table().map_or_else(|| doing.to_owned(), |table| format!("table {table}"));
    let rule = match refusal.constraint() {
        Some(constraint) => format!("must satisfy the constraint {constraint}"),
        None => format!("must be storable: {}", refusal.message()),
    };
    let fault = Fault::new(place, rule);
    // The detail repeats the row.
    let is_secret = refusal.table().unwrap_or(doing).contains("personal_access_tokens");
    match refusal.detail().or(refusal.where_()) {
        Some(detail) if !is_secret => fault.received(detail),
        _ => fault,
    }
}
