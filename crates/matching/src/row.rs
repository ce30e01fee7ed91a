//! The rows that the matching makes, and the outcome of each line.

use jiff::civil::Date;
use passbook_domain::Currency;
use uuid::Uuid;

/// A row: a transaction of an account.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchedRow {
    /// Identifier of the row (UUID v5).
    pub id: Uuid,
    /// Number of the account in [`Resolution::accounts`](super::Resolution::accounts).
    pub account: u32,
    /// The booking day; for a pending row the day of the transaction.
    pub day: Date,
    /// Signed hundredths of `currency`.
    pub cents: i64,
    /// Currency of the amount.
    pub currency: Currency,
    /// Index of the line whose texts are shown: that of the newest file.
    pub line: u32,
    /// The step of the matching that made the row.
    pub step: Step,
    /// The day from which a newer file moved the row.
    pub moved_from: Option<Date>,
}

/// The step of the matching that made a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The identifier of the source is the row. The number counts equal identifiers of one file from 0.
    Identifier(u32),
    /// The row is one of several equal rows of a day, counted from 0.
    Equal(u32),
    /// The row is pending.
    Pending(u32),
    /// The fee that the line of the row before states apart.
    Fee,
}

/// The row of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The line is part of the row with this index.
    Row(u32),
    /// A pending line that is booked since as the row with this index.
    Posted(u32),
    /// A pending line that the newest file of its source no longer lists.
    Outdated,
    /// The source withdrew the identifier of the line, or a file that proves itself or has the option to replace lacks the row.
    Removed,
}
