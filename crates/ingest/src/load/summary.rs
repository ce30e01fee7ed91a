//! The result of a load.

/// What a load did, or in a dry run would have done: one entry per table that the records concern, in the
/// order in which they were stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// One entry per table.
    pub tables: Vec<TableSummary>,
}

/// What a load did to a table. A person's excluded categories are part of the person, so they count under
/// `users`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSummary {
    /// The table's name in the schema `passbook`.
    pub table: &'static str,
    /// Rows that were not there.
    pub inserted: u64,
    /// Rows that were there with other content.
    pub updated: u64,
    /// Rows that were there already, exactly so; nothing was written for them.
    pub unchanged: u64,
    /// Rows that were there and that the input lacks, where it was to replace them.
    pub removed: u64,
}
