//! The tables that can be loaded, in the order in which they are stored, and the conversion of records into their rows.

use passbook_domain::Currency;
use passbook_domain::category::ExpenseCategory;
use passbook_domain::scope::Scope;
use passbook_records::id;
use passbook_records::record::{
    Account, BalanceSnapshot, Bank, Budget, ExchangeRate, Holding, Ledger, OauthClient, OauthConsent,
    OauthSession, OwnCategory, PaperAccount, PaperPosition, PersonalAccessToken, Record, Security,
    SecurityPrice, Transaction, User, Wallet, WalletHolding,
};
use tokio_postgres::types::Type;

use super::row::{Cell, Column, Reference, StagedRow, Table};

const fn reference(
    field: &'static str,
    table: &'static str,
    columns: &'static [(&'static str, &'static str)],
    rule: &'static str,
) -> Reference {
    Reference { field, table, columns, rule }
}

const USER: Reference = reference(
    "user",
    "users",
    &[("user_id", "user_id")],
    "must be a user of this input or one who is stored",
);
const OWNER: Reference = reference(
    "owner",
    "users",
    &[("user_id", "user_id")],
    "must be a user of this input or one who is stored",
);
const BANK: Reference = reference(
    "bank",
    "banks",
    &[("user_id", "user_id"), ("bank_id", "bank_id")],
    "must be a bank of this user, in this input or stored",
);
const ACCOUNT: Reference = reference(
    "account",
    "accounts",
    &[("user_id", "user_id"), ("account_id", "account_id")],
    "must be an account of this user, in this input or stored",
);
const LINK: Reference = reference(
    "linked_transaction",
    "transactions",
    &[("user_id", "user_id"), ("linked_transaction_id", "transaction_id")],
    "must be a transaction of this user, in this input or stored",
);
const OWN_CATEGORY: Reference = reference(
    "own_category",
    "own_categories",
    &[("user_id", "user_id"), ("own_category_id", "own_category_id")],
    "must be an own category of this user, in this input or stored",
);
const PARENT: Reference = reference(
    "parent",
    "own_categories",
    &[("user_id", "user_id"), ("parent_id", "own_category_id")],
    "must be an own category of this user without a parent, in this input or stored",
);
const SECURITY: Reference = reference(
    "security",
    "securities",
    &[("user_id", "user_id"), ("security_id", "security_id")],
    "must be a security of this user, in this input or stored",
);
const WALLET: Reference = reference(
    "wallet",
    "wallets",
    &[("user_id", "user_id"), ("wallet_id", "wallet_id")],
    "must be a wallet of this user, in this input or stored",
);
const PAPER_ACCOUNT: Reference = reference(
    "paper_account",
    "paper_accounts",
    &[("user_id", "user_id"), ("paper_account_id", "paper_account_id")],
    "must be a paper account of this user, in this input or stored",
);
const CLIENT: Reference = reference(
    "client_id",
    "oauth_clients",
    &[("client_id", "client_id")],
    "must be a client of this input or one that is stored",
);

/// The tables whose rows grant access.
pub(super) const CREDENTIALS: &[&str] =
    &["oauth_clients", "oauth_consents", "oauth_sessions", "personal_access_tokens"];

/// Declares the tables, and the conversion of records into rows. Each entry has the form `record => table, identity
/// { key } { other columns } elsewhere { columns of other tables } [references]`, and each column the form `name: TYPE = value`.
macro_rules! tables {
    ($($row:ident: $record:ty => $table:literal, $identity:literal {
        $($key:ident: $key_type:ident = $key_value:expr),* $(,)?
    } {
        $($column:ident: $type:ident = $value:expr),* $(,)?
    } $(elsewhere {
        $($other:ident: $other_type:ident = $other_value:expr),* $(,)?
    })? [$($reference:expr),*];)*) => {
        /// All tables that can be loaded. A table comes after the tables that it refers to.
        pub(super) static TABLES: &[Table] = &[$(Table {
            name: $table,
            key: &[$(Column { name: stringify!($key), sql_type: Type::$key_type }),*],
            values: &[$(Column { name: stringify!($column), sql_type: Type::$type }),*],
            elsewhere: &[$($(Column { name: stringify!($other), sql_type: Type::$other_type }),*)?],
            identity: $identity,
            references: &[$($reference),*],
        }),*];

        $(impl StagedRow for $record {
            fn table(&self) -> &'static str {
                $table
            }

            fn cells(&self) -> Vec<Cell<'_>> {
                let $row = self;
                vec![$($key_value.into(),)* $($value.into(),)* $($($other_value.into(),)*)?]
            }
        })*
    };
}

tables! {
    r: User => "users", "id" {
        user_id: UUID = r.user_id,
    } {
        // The excluded categories have a table of their own, and are staged with their person.
        email: TEXT = &r.email, preferred_currency: TEXT = r.preferred_currency.as_str(),
        time_zone: TEXT = &r.time_zone, excluded_categories: TEXT_ARRAY = sorted(&r.excluded_categories),
    } [];
    r: Currency => "rate_base", "meaning" {
        only_row: BOOL = true,
    } {
        currency: TEXT = r.as_str(),
    } [];
    r: ExchangeRate => "exchange_rates", "currency and day" {
        currency: TEXT = r.currency.as_str(), date: DATE = r.as_of,
    } {
        rate: NUMERIC = r.units_per_base,
    } [];
    r: Bank => "banks", "user and id" {
        user_id: UUID = r.user_id, bank_id: UUID = r.bank_id,
    } {
        name: TEXT = &r.name, status: TEXT = r.status.as_str(),
        new_accounts_available: BOOL = r.new_accounts_available,
        last_successful_update: TIMESTAMPTZ = r.last_successful_update,
        last_failed_update: TIMESTAMPTZ = r.last_failed_update,
        consent_expires_at: TIMESTAMPTZ = r.consent_expires_at, error_code: TEXT = r.error_code.as_ref(),
    } [USER];
    r: Account => "accounts", "user and id" {
        user_id: UUID = r.user_id, account_id: UUID = r.account_id,
    } {
        bank_id: UUID = r.bank_id, name: TEXT = &r.name, type: TEXT = r.account_type.as_str(),
        subtype: TEXT = &r.subtype, currency: TEXT = r.currency.as_str(),
        balance_cents: INT8 = r.balance_cents, balance_updated_at: TIMESTAMPTZ = r.balance_updated_at,
        opened_on: DATE = r.opened_on, closed_on: DATE = r.closed_on, rows_complete_from: DATE = r.rows_complete_from,
        ledger_id: TEXT = r.source.as_deref(),
    } [USER, BANK];
    r: BalanceSnapshot => "balance_snapshots", "account and day" {
        user_id: UUID = r.user_id, account_id: UUID = r.account_id, date: DATE = r.as_of,
    } {
        balance_cents: INT8 = r.balance_cents,
    } [USER, ACCOUNT];
    r: OwnCategory => "own_categories", "user, parent and name" {
        user_id: UUID = r.user_id, own_category_id: UUID = r.own_category_id,
    } {
        name: TEXT = &r.name, category: TEXT = r.category.as_str(), parent_id: UUID = r.parent_id,
    } [USER, PARENT];
    r: Transaction => "transactions", "user and id" {
        user_id: UUID = r.user_id, transaction_id: UUID = r.transaction_id,
    } {
        account_id: UUID = r.account_id, date: DATE = r.date, type: TEXT = r.transaction_type.as_str(),
        category: TEXT = r.category.as_str(), amount_cents: INT8 = r.amount_cents,
        currency: TEXT = r.currency.as_str(), title: TEXT = &r.title, pending: BOOL = r.pending,
        provider_category: TEXT = r.provider_category.as_ref(),
        merchant_name: TEXT = r.merchant_name.as_ref(),
        linked_transaction_id: UUID = r.linked_transaction_id,
    } elsewhere {
        own_category_id: UUID = r.own_category_id, note: TEXT = r.note.as_ref(), tags: TEXT_ARRAY = texts(&r.tags),
        tag_ids: UUID_ARRAY = r.tags.iter().map(|name| id::tag(r.user_id, name)).collect::<Vec<_>>(),
    } [USER, ACCOUNT, LINK, OWN_CATEGORY];
    r: Budget => "budgets", "user and id" {
        user_id: UUID = r.user_id, budget_id: UUID = r.budget_id,
    } {
        category: TEXT = r.category.as_str(), target_cents: INT8 = r.target_cents,
        currency: TEXT = r.currency.as_str(),
    } [USER];
    r: Security => "securities", "user and id" {
        user_id: UUID = r.user_id, security_id: UUID = r.security_id,
    } {
        name: TEXT = &r.name, type: TEXT = r.security_type.as_str(), currency: TEXT = r.currency.as_str(),
        symbol: TEXT = r.symbol.as_ref(), isin: TEXT = r.isin.as_ref(),
        is_cash_equivalent: BOOL = r.is_cash_equivalent,
    } [USER];
    r: SecurityPrice => "security_prices", "security and day" {
        user_id: UUID = r.user_id, security_id: UUID = r.security_id, date: DATE = r.as_of,
    } {
        price: NUMERIC = r.price,
    } [USER, SECURITY];
    r: Holding => "holdings", "account and security" {
        user_id: UUID = r.user_id, account_id: UUID = r.account_id, security_id: UUID = r.security_id,
    } {
        quantity: NUMERIC = r.quantity, cost_basis_cents: INT8 = r.cost_basis_cents,
    } [USER, ACCOUNT, SECURITY];
    r: Wallet => "wallets", "user and id" {
        user_id: UUID = r.user_id, wallet_id: UUID = r.wallet_id,
    } {
        name: TEXT = &r.name, network: TEXT = &r.network, address: TEXT = r.address.as_ref(),
        updated_at: TIMESTAMPTZ = r.updated_at,
    } [USER];
    r: WalletHolding => "wallet_holdings", "wallet, security and day" {
        user_id: UUID = r.user_id, wallet_id: UUID = r.wallet_id, security_id: UUID = r.security_id,
        date: DATE = r.as_of,
    } {
        quantity: NUMERIC = r.quantity,
    } [USER, WALLET, SECURITY];
    r: PaperAccount => "paper_accounts", "user and id" {
        user_id: UUID = r.user_id, paper_account_id: UUID = r.paper_account_id,
    } {
        name: TEXT = &r.name, provider: TEXT = &r.provider, currency: TEXT = r.currency.as_str(),
        cash_cents: INT8 = r.cash_cents, starting_balance_cents: INT8 = r.starting_balance_cents,
        updated_at: TIMESTAMPTZ = r.updated_at,
    } [USER];
    r: PaperPosition => "paper_positions", "paper account, security and side" {
        user_id: UUID = r.user_id, paper_account_id: UUID = r.paper_account_id,
        security_id: UUID = r.security_id, side: TEXT = r.side.as_str(),
    } {
        quantity: NUMERIC = r.quantity, average_entry_price: NUMERIC = r.average_entry_price,
    } [USER, PAPER_ACCOUNT, SECURITY];
    r: OauthClient => "oauth_clients", "client_id" {
        client_id: TEXT = &r.client_id,
    } {
        kind: TEXT = client_kind(r), user_id: UUID = r.owner_user_id, name: TEXT = &r.name,
        redirect_uris: TEXT_ARRAY = texts(&r.redirect_uris), scopes: TEXT_ARRAY = scopes(&r.scopes),
        rest: BOOL = r.rest, mcp: BOOL = r.mcp, revoked_at: TIMESTAMPTZ = r.revoked_at,
    } [OWNER];
    r: OauthConsent => "oauth_consents", "user and client" {
        user_id: UUID = r.user_id, client_id: TEXT = &r.client_id,
    } {
        granted_at: TIMESTAMPTZ = r.granted_at, revoked_at: TIMESTAMPTZ = r.revoked_at,
    } [USER, CLIENT];
    r: OauthSession => "oauth_sessions", "user and session_id" {
        user_id: UUID = r.user_id, session_id: TEXT = &r.session_id,
    } {
        client_id: TEXT = r.client_id.as_ref(), created_at: TIMESTAMPTZ = r.created_at,
        revoked_at: TIMESTAMPTZ = r.revoked_at,
    } [USER, CLIENT];
    r: PersonalAccessToken => "personal_access_tokens", "user and id" {
        user_id: UUID = r.user_id, token_id: UUID = r.token_id,
    } {
        token_hash: BYTEA = r.token_hash.as_slice(), name: TEXT = &r.name, last_four: TEXT = &r.last_four,
        scopes: TEXT_ARRAY = scopes(&r.scopes), rest: BOOL = r.rest, mcp: BOOL = r.mcp,
        created_at: TIMESTAMPTZ = r.created_at, expires_at: TIMESTAMPTZ = r.expires_at,
        revoked_at: TIMESTAMPTZ = r.revoked_at,
    } [USER];
    r: Ledger => "ledgers", "user and ledger" {
        user_id: UUID = r.user_id, ledger: TEXT = &r.ledger,
    } {
        account_map: TEXT = r.account_map.as_ref(), map_name: TEXT = r.map_name.as_ref(),
        imported_at: TIMESTAMPTZ = r.imported_at,
    } [USER];
}

/// Returns the text of the client's kind: a client with an owner is a personal dashboard; a client without an owner may
/// serve everyone.
fn client_kind(client: &OauthClient) -> &'static str {
    if client.owner_user_id.is_some() { "personal_dashboard" } else { "known_mcp" }
}

/// Sorts and deduplicates the categories, so that equal sets are stored as equal values.
fn sorted(categories: &[ExpenseCategory]) -> Vec<&'static str> {
    let mut words: Vec<&str> = categories.iter().map(|category| category.as_str()).collect();
    words.sort_unstable();
    words.dedup();
    words
}

fn scopes(scopes: &[Scope]) -> Vec<&'static str> {
    scopes.iter().map(|scope| scope.as_str()).collect()
}

fn texts(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

/// Returns a record as a row of its table, or of the staging table for the keys of rows to delete.
pub(super) fn row(record: &Record) -> &dyn StagedRow {
    match record {
        Record::User(row) => row,
        Record::RateBase(row) => row,
        Record::ExchangeRate(row) => row,
        Record::Bank(row) => row,
        Record::Account(row) => row,
        Record::BalanceSnapshot(row) => row,
        Record::OwnCategory(row) => row,
        Record::Transaction(row) => row,
        Record::Budget(row) => row,
        Record::Security(row) => row,
        Record::SecurityPrice(row) => row,
        Record::Holding(row) => row,
        Record::Wallet(row) => row,
        Record::WalletHolding(row) => row,
        Record::PaperAccount(row) => row,
        Record::PaperPosition(row) => row,
        Record::OauthClient(row) => row,
        Record::OauthConsent(row) => row,
        Record::OauthSession(row) => row,
        Record::PersonalAccessToken(row) => row,
        Record::Ledger(row) => row,
        Record::Deleted(row) => row,
    }
}

/// Returns the index of a record's table in [`TABLES`].
pub(super) fn table_number(record: &Record) -> usize {
    let name = row(record).table();
    TABLES.iter().position(|table| table.name == name).expect("every record has a table")
}

/// Returns the table with an index in [`TABLES`].
pub(super) fn by_number(number: usize) -> &'static Table {
    &TABLES[number]
}
