//! Statements: what readers of the files of banks and other apps yield.
//!
//! A [`Statement`] is the part of a file that concerns one account. Its entries are transactions as the file states
//! them. A reader neither decides whether an entry is already stored, nor what it means.

mod account;
mod entry;

pub use account::{AccountKind, AccountReference, masked};
pub use entry::{Entry, EntryId, Fee, IdTrust, LineState, Original};

use jiff::civil::Date;
use passbook_domain::Currency;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Comma-separated values, read by a profile.
    Csv,
    /// Open Financial Exchange 1.x or 2.x, and its variant QFX.
    Ofx,
    /// ISO 20022 bank-to-customer statement (camt.053) or report (camt.052).
    Camt,
    /// Responses of Plaid's `/transactions/sync`, as JSON.
    Plaid,
    /// Response of a `SimpleFIN` server, as JSON.
    SimpleFin,
    /// SWIFT MT940 customer statement.
    Mt940,
    /// Quicken Interchange Format.
    Qif,
    /// `all.ndjson` of an export of Sure or Maybe.
    Sure,
    /// `GnuCash` book as XML, compressed or not.
    GnuCash,
}

impl Format {
    /// Every format, in the order in which detection tries them.
    pub const ALL: [Format; 9] = [
        Format::Ofx,
        Format::Camt,
        Format::GnuCash,
        Format::Plaid,
        Format::SimpleFin,
        Format::Sure,
        Format::Mt940,
        Format::Qif,
        Format::Csv,
    ];

    /// Returns the name of the format in lower case, as stored and as shown: `csv`, `ofx`, `camt` …
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Ofx => "ofx",
            Format::Camt => "camt",
            Format::Plaid => "plaid",
            Format::SimpleFin => "simplefin",
            Format::Mt940 => "mt940",
            Format::Qif => "qif",
            Format::Sure => "sure",
            Format::GnuCash => "gnucash",
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The claim that a statement makes about its days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementKind {
    /// Lists every transaction of a range of days. The first and the last day may be incomplete.
    Window,
    /// One of a sequence of statements, each of which begins with the closing balance of the one before. The statements
    /// of a sequence share no transaction.
    Sequence,
    /// Lists changes since the file before: entries to add or to replace, and identifiers to remove.
    Delta,
}

/// The part of a file that concerns one account.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The format of the file.
    pub format: Format,
    /// Name of the profile that a CSV file was read with.
    pub profile: Option<String>,
    /// The account as the file names it.
    pub account: AccountReference,
    /// The claim of the statement about its days.
    pub kind: StatementKind,
    /// Number of the statement in its sequence, as written: `00012/001`. In a [`StatementKind::Delta`] the time of the day
    /// `as_of` (UTC), which orders several lists of one day: `10:00:00`.
    pub number: Option<String>,
    /// Day on which the file was made or until which it is current, if the file states one.
    pub as_of: Option<Date>,
    /// First day that the statement covers, if the file states one. The days of the entries may cover less.
    pub from: Option<Date>,
    /// Last day that the statement covers, inclusive, if the file states one.
    pub to: Option<Date>,
    /// True if a missing pending entry means that it is no longer pending: the file lists all that are.
    pub lists_pending: bool,
    /// Balances that the file states.
    pub balances: Vec<Balance>,
    /// The entries, in the order of the file. Empty if the reader handed them to a callback.
    pub entries: Vec<Entry>,
    /// Identifiers of entries that the source withdrew. Only in a [`StatementKind::Delta`].
    pub removed: Vec<String>,
    /// Records that were left out on purpose.
    pub skipped: Vec<Skipped>,
    /// Messages of the source for the person, such as a connection that must be renewed.
    pub notices: Vec<String>,
}

impl Statement {
    /// Creates a statement without entries.
    pub fn new(format: Format, kind: StatementKind, account: AccountReference) -> Statement {
        Statement {
            format,
            profile: None,
            account,
            kind,
            number: None,
            as_of: None,
            from: None,
            to: None,
            lists_pending: false,
            balances: Vec::new(),
            entries: Vec::new(),
            removed: Vec::new(),
            skipped: Vec::new(),
            notices: Vec::new(),
        }
    }
}

/// Records that a reader left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The reason as a clause: `State is REVERTED`.
    pub reason: String,
    /// Number of records.
    pub count: u64,
}

/// A balance of the account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Kind of the balance.
    pub kind: BalanceKind,
    /// The day at whose end the balance held. For an opening balance: the first day of the statement or the day
    /// before, as the file states it.
    pub day: Date,
    /// Signed hundredths of `currency`. Money owed is negative.
    pub cents: i64,
    /// Currency, if the file states one.
    pub currency: Option<Currency>,
}

/// Kind of a balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BalanceKind {
    /// Booked balance before the first entry.
    Opening,
    /// Booked balance after the last booked entry.
    Closing,
    /// Booked balance on `day`, with no statement about the entries before it.
    Interim,
    /// Available balance. It includes a credit line or pending entries, so it proves nothing.
    Available,
}
