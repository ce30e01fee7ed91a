//! Reads the tables in `data`: one row a line, fields between tabs.

use jiff::civil::Date;
use passbook_domain::Currency;
use uuid::Uuid;

/// Identifiers of accounts start after this number.
const ACCOUNTS_FROM: u128 = 0x1000;

/// Returns the fields of each row, without comments.
pub(crate) fn lines(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// Returns the identifier of the account with a number, which transactions and assets name.
pub(crate) fn account_id(number: &str) -> Uuid {
    id(ACCOUNTS_FROM, number)
}

/// Returns the identifier of a row with a number, in a table whose identifiers start after `from`.
pub(crate) fn id(from: u128, number: &str) -> Uuid {
    Uuid::from_u128(from + number.parse::<u128>().expect("a number"))
}

pub(crate) fn currency(text: &str) -> Currency {
    Currency::parse(text).expect("a currency code")
}

pub(crate) fn day(text: &str) -> Date {
    text.parse().expect("a date")
}
