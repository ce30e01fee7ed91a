//! The choices that a file may leave to the person.

use jiff::civil::DateTime;

use super::DateOrder;
use super::csv::Profile;

/// Choices of the person for files that leave them open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// Profile of a CSV file. Without a profile, the header line decides.
    pub profile: Option<Profile>,
    /// Order of day and month, for files whose days leave it open.
    pub date_order: Option<DateOrder>,
    /// Time (UTC) at which the source made a list of changes, for files that state none.
    pub as_of: Option<DateTime>,
}
