//! The queries of the store: constant SQL text, one file each.

/// One query of the store.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// Name of the SQL file without its extension. Errors contain the name.
    pub name: &'static str,
    /// The SQL text.
    pub sql: &'static str,
}

macro_rules! queries {
    ($($(#[$doc:meta])* $constant:ident = $name:literal;)+) => {
        $(pub(crate) const $constant: Query =
            Query { name: $name, sql: include_str!(concat!("../sql/", $name, ".sql")) };)+

        /// All queries that the store can execute.
        pub const QUERIES: &[Query] = &[$($constant),+];
    };
}

queries! {
    ACCOUNT_NAMES = "account_names";
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
    COUNTED_DAYS = "counted_days";
    FIND_PERSONAL_ACCESS_TOKEN = "find_personal_access_token";
    HOLDINGS = "holdings";
    HOST_POSITION = "host_position";
    OPEN_ACCOUNTS = "open_accounts";
    OPEN_SESSION = "open_session";
    PAPER_ACCOUNTS = "paper_accounts";
    PAPER_POSITIONS = "paper_positions";
    PORTFOLIO_HISTORY = "portfolio_history";
    PORTFOLIO_HISTORY_SPAN = "portfolio_history_span";
    RECURRING_PAYMENTS = "recurring_payments";
    REFUNDS_BY_CATEGORY = "refunds_by_category";
    SPENDING_BEFORE = "spending_before";
    SPENDING_CATEGORIES = "spending_categories";
    SPENDING_PERIODS = "spending_periods";
    TOP_MERCHANTS = "top_merchants";
    TRANSACTION_ANCHOR = "transaction_anchor";
    TRANSACTIONS_AMOUNT_ASC = "transactions_amount_asc";
    TRANSACTIONS_AMOUNT_DESC = "transactions_amount_desc";
    TRANSACTIONS_DATE_ASC = "transactions_date_asc";
    TRANSACTIONS_DATE_ASC_FILTERED = "transactions_date_asc_filtered";
    TRANSACTIONS_DATE_DESC = "transactions_date_desc";
    TRANSACTIONS_DATE_DESC_FILTERED = "transactions_date_desc_filtered";
    WALLET_HOLDINGS = "wallet_holdings";
    WALLETS = "wallets";
}
