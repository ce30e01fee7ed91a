//! Converts records into rows: the values in the order of the table's columns.

use bytes::BytesMut;
use jiff::Timestamp;
use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::category::ExpenseCategory;
use passbook_domain::scope::Scope;
use passbook_records::record::{
    Account, BalanceSnapshot, Bank, Budget, Deleted, ExchangeRate, Holding, Ledger, NamedId, OauthClient,
    OauthConsent, OauthSession, PaperAccount, PaperPosition, PersonalAccessToken, Record, Security,
    SecurityPrice, Transaction, User, Wallet, WalletHolding,
};
use rust_decimal::Decimal;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

use super::table::{TABLES, Table};

/// A record as a row of a table.
pub(super) trait StagedRow {
    /// Returns the name of the record's table.
    fn table(&self) -> &'static str;

    /// Returns a value for each column of the table, in order.
    fn cells(&self) -> Vec<Cell<'_>>;
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
pub(super) fn table(number: usize) -> &'static Table {
    &TABLES[number]
}

/// The key of a row to delete: the columns of the primary key, and then the shown identifiers in the order of
/// [`Table::identifiers`].
impl StagedRow for Deleted {
    fn table(&self) -> &'static str {
        match self {
            Deleted::ExchangeRate { .. } => "exchange_rates",
            Deleted::Bank(_) => "banks",
            Deleted::Account(_) => "accounts",
            Deleted::BalanceSnapshot { .. } => "balance_snapshots",
            Deleted::Transaction(_) => "transactions",
            Deleted::Budget(_) => "budgets",
            Deleted::Security(_) => "securities",
            Deleted::SecurityPrice { .. } => "security_prices",
            Deleted::Holding { .. } => "holdings",
            Deleted::Wallet(_) => "wallets",
            Deleted::WalletHolding { .. } => "wallet_holdings",
            Deleted::PaperAccount(_) => "paper_accounts",
            Deleted::PaperPosition { .. } => "paper_positions",
        }
    }

    fn cells(&self) -> Vec<Cell<'_>> {
        match *self {
            Deleted::ExchangeRate { ref currency, as_of } => vec![currency.as_str().into(), as_of.into()],
            Deleted::Bank(row)
            | Deleted::Account(row)
            | Deleted::Transaction(row)
            | Deleted::Budget(row)
            | Deleted::Security(row)
            | Deleted::Wallet(row)
            | Deleted::PaperAccount(row) => key(row.user_id, &[row.id], None),
            Deleted::BalanceSnapshot { user_id, account, as_of } => {
                key(user_id, &[account], Some(as_of.into()))
            }
            Deleted::SecurityPrice { user_id, security, as_of } => {
                key(user_id, &[security], Some(as_of.into()))
            }
            Deleted::Holding { user_id, account, security } => key(user_id, &[account, security], None),
            Deleted::WalletHolding { user_id, wallet, security, as_of } => {
                key(user_id, &[wallet, security], Some(as_of.into()))
            }
            Deleted::PaperPosition { user_id, paper_account, security, side } => {
                key(user_id, &[paper_account, security], Some(side.as_str().into()))
            }
        }
    }
}

/// Returns the cells of a key: the user, the identifiers, the last column if the key has one, and the shown
/// identifiers.
fn key<'a>(user_id: Uuid, ids: &[NamedId], last: Option<Cell<'a>>) -> Vec<Cell<'a>> {
    let derived = ids.iter().map(|id| Cell::Uuid(id.derived));
    let shown = ids.iter().map(|id| id.shown.into());
    std::iter::once(Cell::Uuid(user_id)).chain(derived).chain(last).chain(shown).collect()
}

/// Implements `StagedRow` for records. Each entry has the form `record => table: values`, with the values in the order of the
/// table's columns.
macro_rules! rows {
    ($(|$row:ident: $record:ty| $table:literal => $($value:expr),+;)+) => {
        $(impl StagedRow for $record {
            fn table(&self) -> &'static str {
                $table
            }

            fn cells(&self) -> Vec<Cell<'_>> {
                let $row = self;
                vec![$($value.into()),+]
            }
        })+
    };
}

rows! {
    |r: User| "users" => r.user_id, &r.email, r.preferred_currency.as_str(), &r.time_zone,
        sorted(&r.excluded_categories);
    |r: Currency| "rate_base" => true, r.as_str();
    |r: ExchangeRate| "exchange_rates" => r.currency.as_str(), r.as_of, r.units_per_base;
    |r: Bank| "banks" => r.user_id, r.bank_id, &r.name, r.status.as_str(), r.new_accounts_available,
        r.last_successful_update, r.last_failed_update, r.consent_expires_at, r.error_code.as_ref();
    |r: Account| "accounts" => r.user_id, r.account_id, r.bank_id, &r.name, r.account_type.as_str(),
        &r.subtype, r.currency.as_str(), r.balance_cents, r.balance_updated_at, r.closed_on,
        r.source.as_deref();
    |r: BalanceSnapshot| "balance_snapshots" => r.user_id, r.account_id, r.as_of, r.balance_cents;
    |r: Transaction| "transactions" => r.user_id, r.transaction_id, r.account_id, r.date,
        r.transaction_type.as_str(), r.category.as_str(), r.amount_cents, r.currency.as_str(),
        &r.title, r.pending, r.provider_category.as_ref(), r.merchant_name.as_ref(), r.linked_transaction_id;
    |r: Budget| "budgets" => r.user_id, r.budget_id, r.category.as_str(), r.target_cents, r.currency.as_str();
    |r: Security| "securities" => r.user_id, r.security_id, &r.name, r.security_type.as_str(),
        r.currency.as_str(), r.symbol.as_ref(), r.isin.as_ref(), r.is_cash_equivalent;
    |r: SecurityPrice| "security_prices" => r.user_id, r.security_id, r.as_of, r.price;
    |r: Holding| "holdings" => r.user_id, r.account_id, r.security_id, r.quantity, r.cost_basis_cents;
    |r: Wallet| "wallets" => r.user_id, r.wallet_id, &r.name, &r.network, r.address.as_ref(), r.updated_at;
    |r: WalletHolding| "wallet_holdings" => r.user_id, r.wallet_id, r.security_id, r.as_of, r.quantity;
    |r: PaperAccount| "paper_accounts" => r.user_id, r.paper_account_id, &r.name, &r.provider,
        r.currency.as_str(), r.cash_cents, r.starting_balance_cents, r.updated_at;
    |r: PaperPosition| "paper_positions" => r.user_id, r.paper_account_id, r.security_id, r.side.as_str(),
        r.quantity, r.average_entry_price;
    |r: OauthClient| "oauth_clients" => &r.client_id, client_kind(r), r.owner_user_id, &r.name,
        texts(&r.redirect_uris), scopes(&r.scopes), r.rest, r.mcp, r.revoked_at;
    |r: OauthConsent| "oauth_consents" => r.user_id, &r.client_id, r.granted_at, r.revoked_at;
    |r: OauthSession| "oauth_sessions" => r.user_id, &r.session_id, r.client_id.as_ref(), r.created_at, r.revoked_at;
    |r: PersonalAccessToken| "personal_access_tokens" => r.user_id, r.token_id, r.token_hash.as_slice(),
        &r.name, &r.last_four, scopes(&r.scopes), r.rest, r.mcp, r.created_at, r.expires_at, r.revoked_at;
    |r: Ledger| "ledgers" => r.user_id, &r.ledger, r.account_map.as_ref(), r.map_name.as_ref(), r.imported_at;
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

/// The value of a column, in one of the supported types. `Null` is valid for every type.
#[derive(Debug)]
pub(super) enum Cell<'a> {
    Null,
    Uuid(Uuid),
    Text(&'a str),
    Texts(Vec<&'a str>),
    Flag(bool),
    Number(i64),
    Decimal(Decimal),
    Day(Date),
    Moment(Timestamp),
    Bytes(&'a [u8]),
}

impl ToSql for Cell<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Cell::Null => Ok(IsNull::Yes),
            Cell::Uuid(value) => value.to_sql_checked(ty, out),
            Cell::Text(value) => value.to_sql_checked(ty, out),
            Cell::Texts(value) => value.to_sql_checked(ty, out),
            Cell::Flag(value) => value.to_sql_checked(ty, out),
            Cell::Number(value) => value.to_sql_checked(ty, out),
            Cell::Decimal(value) => value.to_sql_checked(ty, out),
            Cell::Day(value) => value.to_sql_checked(ty, out),
            Cell::Moment(value) => value.to_sql_checked(ty, out),
            Cell::Bytes(value) => value.to_sql_checked(ty, out),
        }
    }

    /// Accepts every type: each variant checks the type when it is written.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(value: &'a str) -> Self {
        Cell::Text(value)
    }
}

impl<'a> From<&'a String> for Cell<'a> {
    fn from(value: &'a String) -> Self {
        Cell::Text(value)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Null, Into::into)
    }
}

/// Implements the conversions to `Cell` that only choose a variant.
macro_rules! cell_from {
    ($($from:ty => $variant:ident),+ $(,)?) => {
        $(impl<'a> From<$from> for Cell<'a> {
            fn from(value: $from) -> Self {
                Cell::$variant(value)
            }
        })+
    };
}

cell_from!(Uuid => Uuid, Vec<&'a str> => Texts, bool => Flag, i64 => Number, Decimal => Decimal, Date => Day,
    Timestamp => Moment, &'a [u8] => Bytes);
