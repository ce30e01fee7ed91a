//! The result of a load: its counts, or the reason why nothing was stored.

use passbook_input::Fault;
use tokio_postgres::error::DbError;

use super::table::TABLES;

/// The effect of a load or a dry run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The row counts: one entry per table with records in the input, in the order in which the tables are stored.
    pub tables: Vec<TableSummary>,
    /// E-mail addresses of the people with rows in the input, sorted; empty for a load without a
    /// [`Permission`](super::Permission). At most [`passbook_records::FAULTS_LISTED_MAX`] for each table.
    pub people: Vec<String>,
    /// The credentials that were inserted or updated, at most [`passbook_records::FAULTS_LISTED_MAX`] for each table.
    pub credentials: Vec<CredentialChange>,
}

/// A credential that a load inserted or updated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CredentialChange {
    /// The table's name in the schema `passbook`.
    pub table: &'static str,
    /// The name by which the owner knows the credential. It contains no secret.
    pub name: String,
    /// The owner's e-mail address; `None` for an OAuth client that may serve everyone.
    pub owner: Option<String>,
    /// True if the credential did not exist before.
    pub inserted: bool,
}

/// The row counts of one table. Excluded categories of a person count under `users`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSummary {
    /// The table's name in the schema `passbook`.
    pub table: &'static str,
    /// Number of rows that did not exist before.
    pub inserted: u64,
    /// Number of rows that existed with other values.
    pub updated: u64,
    /// Number of rows that existed with the same values. Nothing was written for them.
    pub unchanged: u64,
    /// Number of stored rows that were removed: because the ledger no longer contains them, or because the bundle
    /// deletes them.
    pub removed: u64,
    /// Number of rows that the bundle deletes and that were not stored.
    pub absent: u64,
}

impl TableSummary {
    /// The counts of a table before anything happened.
    pub(super) fn empty(table: &'static str) -> TableSummary {
        TableSummary { table, inserted: 0, updated: 0, unchanged: 0, removed: 0, absent: 0 }
    }
}

impl Summary {
    /// Returns the counts of a table, which is added if it has none.
    pub(super) fn table(&mut self, table: &'static str) -> &mut TableSummary {
        let known = self.tables.iter().position(|known| known.table == table);
        let known = known.unwrap_or_else(|| {
            self.tables.push(TableSummary::empty(table));
            self.tables.len() - 1
        });
        &mut self.tables[known]
    }

    /// Brings the tables into the order in which they are stored.
    pub(super) fn sort(&mut self) {
        self.tables.sort_by_key(|counts| TABLES.iter().position(|table| table.name == counts.table));
    }
}

/// The reason why nothing was stored.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The input has faults: at most [`passbook_records::FAULTS_LISTED_MAX`] are listed, and a last entry states the
    /// number of further faults.
    #[error("the input has faults")]
    Faults(Vec<Fault>),
    /// The database is unreachable, or failed for a reason that is not in the input.
    #[error("the database failed")]
    Database(#[from] tokio_postgres::Error),
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
