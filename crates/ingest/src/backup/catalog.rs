//! The tables of a backup, as the database's catalog describes them.

use tokio_postgres::GenericClient;

use super::BackupError;

const TABLES: &str = include_str!("../../sql/backup_tables.sql");
/// Tables that a backup omits: the migrations fill the first three and nobody else writes them; triggers derive the others
/// from the restored rows.
const OMITTED: &[&str] = &[
    "categories",
    "migrations",
    "time_zones",
    "account_category_totals",
    "category_totals",
    "merchant_totals",
    "merchant_upper_bounds",
];
/// Columns that triggers derive from the restored rows, or that the migrations fill.
const DERIVED_COLUMNS: &[&str] = &[
    "converted_cents",
    "is_superseded",
    "resolved_linked_transaction_id",
    "refunded_category",
    "refunded_account_id",
    "refunded_merchant_key",
    "data_version",
    "last_row_on",
    "has_unconverted",
    "version",
    "users.excluded_categories",
    "users.names",
    "transactions.own_category_id",
    "transactions.tag_ids",
    "transactions.note",
];

from_row! {
    /// A table of the schema `passbook`.
    #[derive(Debug, PartialEq, Eq)]
    pub(super) struct Table {
        pub(super) name: String,
        /// Names of the columns that a backup contains.
        pub(super) columns: Vec<String>,
        /// Name with schema, quoted for SQL.
        pub(super) qualified: String,
        /// Names of the columns, quoted for SQL.
        pub(super) column_list: String,
        /// SQL expressions of the primary key, in an order that does not depend on the database.
        sort_key: String,
        /// Names of the tables that the rows refer to, without this table.
        pub(super) referenced: Vec<String>,
        /// True if row-level security hides no row from the current role.
        shows_all_rows: bool,
    }
}

impl Table {
    /// Returns the statement that writes all rows as CSV in the order of their key.
    pub(super) fn export(&self) -> String {
        let Table { qualified, column_list, sort_key, .. } = self;
        format!(
            "copy (select {column_list} from {qualified} order by {sort_key}) to stdout (format csv, header)"
        )
    }
}

/// Returns all tables, sorted by name.
pub(super) async fn tables(client: &impl GenericClient) -> Result<Vec<Table>, BackupError> {
    Ok(crate::select(client, TABLES, &[&OMITTED, &DERIVED_COLUMNS]).await?)
}

/// Returns an error unless the current role sees every row of every table.
pub(super) fn require_visible_rows(tables: &[Table]) -> Result<(), BackupError> {
    let hidden = tables.iter().filter(|table| !table.shows_all_rows);
    let hidden: Vec<String> = hidden.map(|table| table.name.clone()).collect();
    if hidden.is_empty() { Ok(()) } else { Err(BackupError::HiddenRows(hidden)) }
}

/// Locks all tables until the transaction ends. `mode` is a lock mode of PostgreSQL.
pub(super) async fn lock(
    client: &impl GenericClient,
    tables: &[Table],
    mode: &str,
) -> Result<(), BackupError> {
    let names: Vec<&str> = tables.iter().map(|table| table.qualified.as_str()).collect();
    if !names.is_empty() {
        client.batch_execute(&format!("lock table {} in {mode} mode", names.join(", "))).await?;
    }
    Ok(())
}

/// Settings of a transaction that copies rows: the text of a value must not depend on the settings of the session, the
/// role or the database, and a large table may take longer than a time limit for queries.
pub(super) const SESSION: &str = "set local time zone 'UTC'; set local datestyle = 'ISO, YMD'; \
    set local intervalstyle = 'iso_8601'; set local bytea_output = 'hex'; set local extra_float_digits = 1; \
    set local row_security = on; set local statement_timeout = 0; \
    set local idle_in_transaction_session_timeout = 0;";
