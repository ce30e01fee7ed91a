//! The types that contain the counts of a load.

/// The row counts of a load or a dry run: one entry per table with records in the input, in the order in which the
/// tables are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub tables: Vec<TableSummary>,
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
    /// Number of stored rows that were removed because the ledger no longer contains them.
    pub removed: u64,
}
