//! The types that contain the counts of a load.

use super::table::TABLES;

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
