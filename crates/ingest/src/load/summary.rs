//! The types that contain the counts of a load.

use super::table::TABLES;

/// The effect of a load or a dry run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The row counts: one entry per table with records in the input, in the order in which the tables are stored.
    pub tables: Vec<TableSummary>,
    /// E-mail addresses of the people with rows in the input, sorted; empty for a load without a
    /// [`Permission`](super::Permission). At most [`passbook_records::FAULTS_LISTED_MAX`] for each table.
    pub people: Vec<String>,
    /// The credentials that were inserted or updated, at most [`passbook_records::FAULTS_LISTED_MAX`] for each table.
    pub credentials: Vec<CredentialChange>,
}

/// A credential that a load inserted or updated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CredentialChange {
    /// The table's name in the schema `passbook`.
    pub table: &'static str,
    /// The name by which the owner knows the credential. It contains no secret.
    pub name: String,
    /// The owner's e-mail address; `None` for an OAuth client that may serve everyone.
    pub owner: Option<String>,
    /// True if the credential did not exist before.
    pub inserted: bool,
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
