//! The queries of the store, constant SQL text with one file each, and their execution on a connection.

use std::sync::Arc;

use deadpool_postgres::Object;
use tokio_postgres::Statement;
use tokio_postgres::types::{ToSql, Type};

use crate::connection::{BEGIN, COMMIT};

/// One query of the store.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// Name of the SQL file without its extension. Errors contain the name.
    pub name: &'static str,
    /// The SQL text.
    pub sql: &'static str,
}

/// A query that is ready to be executed on one connection.
pub(crate) enum ExecutableQuery {
    /// A statement that was prepared on the connection.
    Prepared(Statement),
    /// The SQL text of the query and the types of its parameters.
    Text(&'static str, Arc<[Type]>),
}

impl ExecutableQuery {
    /// Executes the query with one value for each of its parameters.
    pub(crate) async fn execute(
        &self,
        connection: &Object,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<tokio_postgres::Row>, tokio_postgres::Error> {
        match self {
            ExecutableQuery::Prepared(statement) => connection.query(statement, parameters).await,
            ExecutableQuery::Text(sql, types) => {
                let typed: Vec<(&(dyn ToSql + Sync), Type)> =
                    parameters.iter().copied().zip(types.iter().cloned()).collect();
                connection.query_typed(sql, &typed).await
            }
        }
    }
}

/// The extent of the statements of a read.
#[derive(Clone, Copy)]
pub(crate) enum Span {
    /// The read is a transaction of its own.
    Transaction,
    /// The read is a part of a transaction that is open, or a single statement.
    Statements,
}

impl Span {
    /// Executes a statement that begins or ends the transaction of the read, if the read has one.
    pub(crate) async fn execute(
        self,
        connection: &Object,
        statement: &str,
    ) -> Result<(), tokio_postgres::Error> {
        match self {
            Span::Transaction => connection.batch_execute(statement).await,
            Span::Statements => Ok(()),
        }
    }
}

/// Finds the parameter types of a query by preparing it in one transaction, which leaves nothing behind on the
/// connection.
pub(crate) async fn fetch_parameter_types(
    connection: &Object,
    query: &Query,
    span: Span,
) -> Result<Arc<[Type]>, tokio_postgres::Error> {
    span.execute(connection, BEGIN).await?;
    // Another server that uses the same pooled connection may have left a prepared statement with the name that the
    // driver uses next.
    connection.batch_execute("deallocate all").await?;
    let prepared = connection.prepare(query.sql).await;
    let types = prepared.map(|statement| Arc::from(statement.params()));
    // The statement is dropped here, so the message that removes it is sent before the commit.
    span.execute(connection, COMMIT).await?;
    types
}

/// The text of a query with other words in some places, computed by the compiler.
macro_rules! replaced {
    ($sql:expr $(,)?) => { $sql };
    ($sql:expr, $old:literal => $new:literal $(, $($rest:tt)*)?) => {
        replaced!(const_format::str_replace!($sql, $old, $new), $($($rest)*)?)
    };
}

macro_rules! queries {
    (
        files { $($constant:ident = $name:literal;)+ }
        variants { $($variant:ident = $variant_name:literal of $file:ident [$($words:tt)*];)+ }
    ) => {
        $(pub(crate) const $constant: Query =
            Query { name: $name, sql: include_str!(concat!("../sql/", $name, ".sql")) };)+
        $(pub(crate) const $variant: Query =
            Query { name: $variant_name, sql: replaced!($file.sql, $($words)*) };)+

        /// All queries that the store can execute.
        pub const QUERIES: &[Query] = &[$($constant,)+ $($variant),+];
    };
}

queries! {
    files {
        BALANCE_FACTS = "balance_facts";
        BANKS = "banks";
        BUDGET_CATEGORIES = "budget_categories";
        BUDGET_TARGETS = "budget_targets";
        CASHFLOW = "cashflow";
        CHECK_CONNECTION = "check_connection";
        CHECK_GRANTS = "check_grants";
        CHECK_OBJECTS = "check_objects";
        CHECK_POLICIES = "check_policies";
        CHECK_ROLE = "check_role";
        CHECK_ROW_SECURITY = "check_row_security";
        CHECK_VERSION = "check_version";
        CHECK_VISIBILITY = "check_visibility";
        COMPLETE_MONTHS = "complete_months";
        CONVERTED_AMOUNTS = "converted_amounts";
        FIND_PERSONAL_ACCESS_TOKEN = "find_personal_access_token";
        HOLDINGS = "holdings";
        HOST_POSITION = "host_position";
        NAMES = "names";
        OPEN_ACCOUNTS = "open_accounts";
        OPEN_SESSION = "open_session";
        PAPER_ACCOUNTS = "paper_accounts";
        PAPER_POSITIONS = "paper_positions";
        PLANNED = "planned";
        PORTFOLIO_HISTORY_DAYS = "portfolio_history_days";
        PORTFOLIO_HISTORY_SPAN = "portfolio_history_span";
        PORTFOLIO_HISTORY_WALLETS = "portfolio_history_wallets";
        RECURRING_PAYMENTS = "recurring_payments";
        SPENDING_ACCOUNTS = "spending_accounts";
        SPENDING_BEFORE = "spending_before";
        SPENDING_CATEGORIES = "spending_categories";
        SPENDING_OWN_CATEGORIES = "spending_own_categories";
        SPENDING_PERIODS = "spending_periods";
        SPENDING_TAGS = "spending_tags";
        TOP_MERCHANTS = "top_merchants";
        TRANSACTION_ANCHOR = "transaction_anchor";
        TRANSACTIONS_AMOUNT_DESC = "transactions_amount_desc";
        TRANSACTIONS_DATE_DESC = "transactions_date_desc";
        TRANSACTIONS_DATE_DESC_FILTERED = "transactions_date_desc_filtered";
        TRANSACTIONS_UNCONVERTED = "transactions_unconverted";
        UNCONVERTED_TOTALS = "unconverted_totals";
        WALLET_HOLDINGS = "wallet_holdings";
        WALLETS = "wallets";
    }
    // Queries that differ from a file in a few words, so that each rule stands once. Each has a plan of its own, which a
    // condition in one query for all would make slower.
    variants {
        // These read stored totals: without a search text, PostgreSQL plans no search of rows, and without any filter, which
        // is the most frequent request, no accounts. `complete_months.sql` has the first and the last counted day of stored totals.
        CASHFLOW_STORED = "cashflow_stored" of CASHFLOW
            ["row($7, $8, $9, $10)" => "null", "s.first_counted" => "null", "s.last_counted" => "null"];
        CASHFLOW_UNFILTERED = "cashflow_unfiltered" of CASHFLOW_STORED
            ["counted_sums" => "stored_sums", "$6" => "null", "$5" => "null::text[]"];
        COMPLETE_MONTHS_UNFILTERED = "complete_months_unfiltered" of COMPLETE_MONTHS
            ["counted_sums" => "stored_sums", "$6" => "null", "$5" => "null"];
        SPENDING_ACCOUNTS_STORED = "spending_accounts_stored" of SPENDING_ACCOUNTS ["row($6, $7, $8, $9)" => "null"];
        SPENDING_ACCOUNTS_UNFILTERED = "spending_accounts_unfiltered" of SPENDING_ACCOUNTS_STORED
            ["$5" => "null", "$4" => "null"];
        SPENDING_BEFORE_STORED = "spending_before_stored" of SPENDING_BEFORE ["row($6, $7, $8, $9)" => "null"];
        SPENDING_BEFORE_UNFILTERED = "spending_before_unfiltered" of SPENDING_BEFORE_STORED
            ["counted_sums" => "stored_sums", "$5" => "null", "$4" => "null"];
        SPENDING_CATEGORIES_STORED = "spending_categories_stored" of SPENDING_CATEGORIES
            ["row($7, $8, $9, $10)" => "null", "s.first_counted" => "null", "s.last_counted" => "null"];
        SPENDING_CATEGORIES_UNFILTERED = "spending_categories_unfiltered" of SPENDING_CATEGORIES_STORED
            ["counted_sums" => "stored_sums", "$6" => "null", "$5" => "null"];
        SPENDING_OWN_CATEGORIES_STORED = "spending_own_categories_stored" of SPENDING_OWN_CATEGORIES
            ["row($6, $7, $8, $9)" => "null"];
        SPENDING_OWN_CATEGORIES_UNFILTERED = "spending_own_categories_unfiltered" of SPENDING_OWN_CATEGORIES_STORED
            ["$5" => "null", "$4" => "null"];
        SPENDING_PERIODS_STORED = "spending_periods_stored" of SPENDING_PERIODS
            ["row($7, $8, $9, $10)" => "null", "s.first_counted" => "null", "s.last_counted" => "null"];
        SPENDING_PERIODS_UNFILTERED = "spending_periods_unfiltered" of SPENDING_PERIODS_STORED
            ["counted_sums" => "stored_sums", "$6" => "null", "$5" => "null"];
        SPENDING_TAGS_STORED = "spending_tags_stored" of SPENDING_TAGS ["row($6, $7, $8, $9)" => "null"];
        SPENDING_TAGS_UNFILTERED = "spending_tags_unfiltered" of SPENDING_TAGS_STORED ["$5" => "null", "$4" => "null"];
        TOP_MERCHANTS_STORED = "top_merchants_stored" of TOP_MERCHANTS ["row($7, $8, $9, $10)" => "null"];
        TOP_MERCHANTS_UNFILTERED = "top_merchants_unfiltered" of TOP_MERCHANTS_STORED
            ["counted_totals" => "stored_totals", "$6" => "null", "$5" => "null"];
        // These have the other direction.
        TRANSACTIONS_DATE_ASC = "transactions_date_asc" of TRANSACTIONS_DATE_DESC [" desc" => "", ") < (" => ") > ("];
        TRANSACTIONS_DATE_ASC_FILTERED = "transactions_date_asc_filtered" of TRANSACTIONS_DATE_DESC_FILTERED
            [" desc" => "", ") < (" => ") > ("];
        // Rows without an amount in the preferred currency are last in both directions. The two parts that an index orders
        // each have only rows with an amount or only rows without one; `nulls first` is the index read backwards.
        TRANSACTIONS_AMOUNT_ASC = "transactions_amount_asc" of TRANSACTIONS_AMOUNT_DESC [
            "t.converted_cents desc nulls last" => "t.converted_cents nulls first", " desc" => "", ") < (" => ") > (",
            "(9223372036854775807, -1)" => "(-1, 9223372036854775807)", "'infinity'" => "'-infinity'",
            "ffffffff-ffff-ffff-ffff-ffffffffffff" => "00000000-0000-0000-0000-000000000000"
        ];
    }
}
