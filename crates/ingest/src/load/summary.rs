//! The counts of a load.

/// The counts of a load, or of a dry run. One entry per table with records in the input, in the order of storing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub tables: Vec<TableSummary>,
}

/// The counts of one table. Excluded categories of a person count under `users`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSummary {
    /// The table's name in the schema `passbook`.
    pub table: &'static str,
    /// Rows that did not exist.
    pub inserted: u64,
    /// Rows that existed with other values.
    pub updated: u64,
    /// Rows that existed with the same values; nothing was written for them.
    pub unchanged: u64,
    /// Rows that existed and were absent from a ledger that replaces its accounts.
    pub removed: u64,
}
