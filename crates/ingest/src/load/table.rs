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

use super::row::{Cell, Column, Kind, Reference, StagedRow, Table};

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
/// { key } { other columns } elsewhere { columns of other tables } [references]`, and each column the form `name: kind = value`.
macro_rules! tables {
    ($($row:ident: $record:ty => $table:literal, $identity:literal {
        $($key:ident: $key_kind:ident = $key_value:expr),* $(,)?
    } {
        $($column:ident: $kind:ident = $value:expr),* $(,)?
    } $(elsewhere {
        $($other:ident: $other_kind:ident = $other_value:expr),* $(,)?
    })? [$($reference:expr),*];)*) => {
        /// All tables that can be loaded. A table comes after the tables that it refers to.
        pub(super) static TABLES: &[Table] = &[$(Table {
            name: $table,
            key: &[$(Column { name: stringify!($key), kind: Kind::$key_kind }),*],
            values: &[$(Column { name: stringify!($column), kind: Kind::$kind }),*],
            elsewhere: &[$($(Column { name: stringify!($other), kind: Kind::$other_kind }),*)?],
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
        user_id: Uuid = r.user_id,
    } {
        // The excluded categories have a table of their own, and are staged with their person.
        email: Text = &r.email, preferred_currency: Text = r.preferred_currency.as_str(),
        time_zone: Text = &r.time_zone, excluded_categories: Texts = sorted(&r.excluded_categories),
    } [];
    r: Currency => "rate_base", "meaning" {
        only_row: Flag = true,
    } {
        currency: Text = r.as_str(),
    } [];
    r: ExchangeRate => "exchange_rates", "currency and day" {
        currency: Text = r.currency.as_str(), date: Day = r.as_of,
    } {
        rate: Decimal = r.units_per_base,
    } [];
    r: Bank => "banks", "user and id" {
        user_id: Uuid = r.user_id, bank_id: Uuid = r.bank_id,
    } {
        name: Text = &r.name, status: Text = r.status.as_str(),
        new_accounts_available: Flag = r.new_accounts_available,
        last_successful_update: Moment = r.last_successful_update,
        last_failed_update: Moment = r.last_failed_update,
        consent_expires_at: Moment = r.consent_expires_at, error_code: Text = r.error_code.as_ref(),
    } [USER];
    r: Account => "accounts", "user and id" {
        user_id: Uuid = r.user_id, account_id: Uuid = r.account_id,
    } {
        bank_id: Uuid = r.bank_id, name: Text = &r.name, type: Text = r.account_type.as_str(),
        subtype: Text = &r.subtype, currency: Text = r.currency.as_str(),
        balance_cents: Number = r.balance_cents, balance_updated_at: Moment = r.balance_updated_at,
        opened_on: Day = r.opened_on, closed_on: Day = r.closed_on, rows_complete_from: Day = r.rows_complete_from,
        ledger_id: Text = r.source.as_deref(),
    } [USER, BANK];
    r: BalanceSnapshot => "balance_snapshots", "account and day" {
        user_id: Uuid = r.user_id, account_id: Uuid = r.account_id, date: Day = r.as_of,
    } {
        balance_cents: Number = r.balance_cents,
    } [USER, ACCOUNT];
    r: OwnCategory => "own_categories", "user, parent and name" {
        user_id: Uuid = r.user_id, own_category_id: Uuid = r.own_category_id,
    } {
        name: Text = &r.name, category: Text = r.category.as_str(), parent_id: Uuid = r.parent_id,
    } [USER, PARENT];
    r: Transaction => "transactions", "user and id" {
        user_id: Uuid = r.user_id, transaction_id: Uuid = r.transaction_id,
    } {
        account_id: Uuid = r.account_id, date: Day = r.date, type: Text = r.transaction_type.as_str(),
        category: Text = r.category.as_str(), amount_cents: Number = r.amount_cents,
        currency: Text = r.currency.as_str(), title: Text = &r.title, pending: Flag = r.pending,
        provider_category: Text = r.provider_category.as_ref(),
        merchant_name: Text = r.merchant_name.as_ref(),
        linked_transaction_id: Uuid = r.linked_transaction_id,
    } elsewhere {
        own_category_id: Uuid = r.own_category_id, note: Text = r.note.as_ref(), tags: Texts = texts(&r.tags),
        tag_ids: Uuids = r.tags.iter().map(|name| id::tag(r.user_id, name)).collect::<Vec<_>>(),
    } [USER, ACCOUNT, LINK, OWN_CATEGORY];
    r: Budget => "budgets", "user and id" {
        user_id: Uuid = r.user_id, budget_id: Uuid = r.budget_id,
    } {
        category: Text = r.category.as_str(), target_cents: Number = r.target_cents,
        currency: Text = r.currency.as_str(),
    } [USER];
    r: Security => "securities", "user and id" {
        user_id: Uuid = r.user_id, security_id: Uuid = r.security_id,
    } {
        name: Text = &r.name, type: Text = r.security_type.as_str(), currency: Text = r.currency.as_str(),
        symbol: Text = r.symbol.as_ref(), isin: Text = r.isin.as_ref(),
        is_cash_equivalent: Flag = r.is_cash_equivalent,
    } [USER];
    r: SecurityPrice => "security_prices", "security and day" {
        user_id: Uuid = r.user_id, security_id: Uuid = r.security_id, date: Day = r.as_of,
    } {
        price: Decimal = r.price,
    } [USER, SECURITY];
    r: Holding => "holdings", "account and security" {
        user_id: Uuid = r.user_id, account_id: Uuid = r.account_id, security_id: Uuid = r.security_id,
    } {
        quantity: Decimal = r.quantity, cost_basis_cents: Number = r.cost_basis_cents,
    } [USER, ACCOUNT, SECURITY];
    r: Wallet => "wallets", "user and id" {
        user_id: Uuid = r.user_id, wallet_id: Uuid = r.wallet_id,
    } {
        name: Text = &r.name, network: Text = &r.network, address: Text = r.address.as_ref(),
        updated_at: Moment = r.updated_at,
    } [USER];
    r: WalletHolding => "wallet_holdings", "wallet, security and day" {
        user_id: Uuid = r.user_id, wallet_id: Uuid = r.wallet_id, security_id: Uuid = r.security_id,
        date: Day = r.as_of,
    } {
        quantity: Decimal = r.quantity,
    } [USER, WALLET, SECURITY];
    r: PaperAccount => "paper_accounts", "user and id" {
        user_id: Uuid = r.user_id, paper_account_id: Uuid = r.paper_account_id,
    } {
        name: Text = &r.name, provider: Text = &r.provider, currency: Text = r.currency.as_str(),
        cash_cents: Number = r.cash_cents, starting_balance_cents: Number = r.starting_balance_cents,
        updated_at: Moment = r.updated_at,
    } [USER];
    r: PaperPosition => "paper_positions", "paper account, security and side" {
        user_id: Uuid = r.user_id, paper_account_id: Uuid = r.paper_account_id,
        security_id: Uuid = r.security_id, side: Text = r.side.as_str(),
    } {
        quantity: Decimal = r.quantity, average_entry_price: Decimal = r.average_entry_price,
    } [USER, PAPER_ACCOUNT, SECURITY];
    r: OauthClient => "oauth_clients", "client_id" {
        client_id: Text = &r.client_id,
    } {
        kind: Text = client_kind(r), user_id: Uuid = r.owner_user_id, name: Text = &r.name,
        redirect_uris: Texts = texts(&r.redirect_uris), scopes: Texts = scopes(&r.scopes),
        rest: Flag = r.rest, mcp: Flag = r.mcp, revoked_at: Moment = r.revoked_at,
    } [OWNER];
    r: OauthConsent => "oauth_consents", "user and client" {
        user_id: Uuid = r.user_id, client_id: Text = &r.client_id,
    } {
        granted_at: Moment = r.granted_at, revoked_at: Moment = r.revoked_at,
    } [USER, CLIENT];
    r: OauthSession => "oauth_sessions", "user and session_id" {
        user_id: Uuid = r.user_id, session_id: Text = &r.session_id,
    } {
        client_id: Text = r.client_id.as_ref(), created_at: Moment = r.created_at,
        revoked_at: Moment = r.revoked_at,
    } [USER, CLIENT];
    r: PersonalAccessToken => "personal_access_tokens", "user and id" {
        user_id: Uuid = r.user_id, token_id: Uuid = r.token_id,
    } {
        token_hash: Bytes = r.token_hash.as_slice(), name: Text = &r.name, last_four: Text = &r.last_four,
        scopes: Texts = scopes(&r.scopes), rest: Flag = r.rest, mcp: Flag = r.mcp,
        created_at: Moment = r.created_at, expires_at: Moment = r.expires_at,
        revoked_at: Moment = r.revoked_at,
    } [USER];
    r: Ledger => "ledgers", "user and ledger" {
        user_id: Uuid = r.user_id, ledger: Text = &r.ledger,
    } {
        account_map: Text = r.account_map.as_ref(), map_name: Text = r.map_name.as_ref(),
        imported_at: Moment = r.imported_at,
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
