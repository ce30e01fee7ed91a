//! The error type of a load.

use passbook_input::Fault;
use tokio_postgres::error::DbError;

/// The reason why nothing was stored.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The input has faults: at most [`passbook_records::FAULTS_LISTED_MAX`] are listed, and a last entry states the
    /// number of further faults.
    #[error("the input has faults")]
    Faults(Vec<Fault>),
    /// The database is unreachable, or failed for a reason that is not in the input.
    #[error("the database failed")]
    Database(#[source] tokio_postgres::Error),
}

/// Converts an error of the database. A violated constraint or an invalid value is a fault of the input; its place is
/// the table that the database names, otherwise `doing`.
pub(crate) fn from_database(error: tokio_postgres::Error, doing: &str) -> LoadError {
    match error.as_db_error() {
        Some(error) if is_data_fault(error) => LoadError::Faults(vec![constraint_fault(error, doing)]),
        _ => LoadError::Database(error),
    }
}

/// Returns true for SQLSTATE class 22 (data exception) and class 23 (integrity constraint violation).
fn is_data_fault(error: &DbError) -> bool {
    matches!(error.code().code().get(..2), Some("22" | "23"))
}

fn constraint_fault(error: &DbError, doing: &str) -> Fault {
    let place = error.table().map_or_else(|| doing.to_owned(), |table| format!("table {table}"));
    let rule = match error.constraint() {
        Some(constraint) => format!("must satisfy the constraint {constraint}"),
        None => format!("must be storable: {}", error.message()),
    };
    let fault = Fault::new(place, rule);
    // The detail of the error contains the row, which must not be shown for a table with secrets.
    let is_secret = error.table().unwrap_or(doing).contains("personal_access_tokens");
    match error.detail().or(error.where_()) {
        Some(detail) if !is_secret => fault.received(detail),
        _ => fault,
    }
}
