//! What is wrong with the input, said so that a person can find and mend it.

use std::fmt;

use tokio_postgres::error::DbError;

/// The number of faults that are kept; more are only counted, so that a file that is wrong throughout does
/// not fill the memory with complaints.
pub const FAULTS_KEPT_MAX: usize = 1_000;

/// The number of characters of a received value that are repeated.
const RECEIVED_CHARS_MAX: usize = 80;

/// One thing wrong with the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where: a JSON path such as `transactions[12].date`, or `line 12, column USD`.
    pub place: String,
    /// What was expected, as a clause: `must be a calendar date YYYY-MM-DD`.
    pub rule: String,
    /// What stood there, as it stood there; absent where nothing did or where it does not help.
    pub received: Option<String>,
}

impl Fault {
    /// A fault without a received value.
    pub fn new(place: impl Into<String>, rule: impl Into<String>) -> Fault {
        Fault { place: place.into(), rule: rule.into(), received: None }
    }

    /// The same fault with what was received, shortened when it is long.
    #[must_use]
    pub fn received(self, received: impl AsRef<str>) -> Fault {
        let received = received.as_ref();
        let shortened = match received.char_indices().nth(RECEIVED_CHARS_MAX) {
            Some((end, _)) => format!("{}…", &received[..end]),
            None => received.to_owned(),
        };
        Fault { received: Some(shortened), ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.rule)?;
        match &self.received {
            Some(received) => write!(f, "; received {received}"),
            None => Ok(()),
        }
    }
}

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

/// The faults found so far.
#[derive(Debug, Default)]
pub(super) struct Faults {
    kept: Vec<Fault>,
    more: u64,
}

impl Faults {
    pub(super) fn add(&mut self, fault: Fault) {
        if self.kept.len() < FAULTS_KEPT_MAX {
            self.kept.push(fault);
        } else {
            self.more += 1;
        }
    }

    /// Counts faults that were found and are not at hand.
    pub(super) fn add_uncounted(&mut self, more: u64) {
        self.more += more;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    pub(super) fn none_or_refuse(mut self) -> Result<(), LoadError> {
        if self.is_empty() {
            return Ok(());
        }
        if self.more > 0 {
            self.kept.push(Fault::new("and more", format!("{} further faults are not listed", self.more)));
        }
        Err(LoadError::Faults(self.kept))
    }
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
    match refusal.detail().or(refusal.where_()) {
        Some(detail) => fault.received(detail),
        None => fault,
    }
}
