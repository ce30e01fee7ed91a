//! The balances that a statement states.

use jiff::civil::Date;
use passbook_domain::Currency;

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
