//! The records that can be loaded. Each is one validated row with derived identifiers.
//!
//! Every source (bundle, Beancount ledger, exchange rates, demo household) yields these records, and one loader stores
//! them.
#![expect(missing_docs, reason = "the fields are the columns of the tables, which the schema describes")]

use jiff::Timestamp;
use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::bank::BankStatus;
use passbook_domain::category::{Category, ExpenseCategory};
use passbook_domain::portfolio::{AccountType, PositionSide, SecurityType};
use passbook_domain::scope::Scope;
use passbook_domain::transaction::TransactionType;
use rust_decimal::Decimal;
use uuid::Uuid;

/// Maximum number of tags of a transaction.
pub const TAGS_MAX: usize = 20;

/// Maximum number of characters of a name: that of an own category or a tag.
pub const NAME_CHARS_MAX: usize = 200;

/// Maximum number of characters of the note of a transaction.
pub const NOTE_CHARS_MAX: usize = 500;

/// A record and its place in the input.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// The place of the record: a JSON path in a bundle (`transactions[12]`), `file:line` in a ledger, or a description
    /// in words.
    pub place: String,
    /// The record at that place.
    pub record: Record,
}

/// One row of one table.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// A person. Loading an existing person replaces the settings.
    User(User),
    /// The currency against which the exchange rates of the same input are quoted.
    RateBase(Currency),
    ExchangeRate(ExchangeRate),
    Bank(Bank),
    Account(Account),
    BalanceSnapshot(BalanceSnapshot),
    OwnCategory(OwnCategory),
    Transaction(Transaction),
    Budget(Budget),
    Security(Security),
    SecurityPrice(SecurityPrice),
    Holding(Holding),
    Wallet(Wallet),
    WalletHolding(WalletHolding),
    PaperAccount(PaperAccount),
    PaperPosition(PaperPosition),
    OauthClient(OauthClient),
    OauthConsent(OauthConsent),
    OauthSession(OauthSession),
    /// A personal access token, by its hash. Tokens themselves are never loaded.
    PersonalAccessToken(PersonalAccessToken),
    Ledger(Ledger),
    /// The key of a stored row to delete.
    Deleted(Deleted),
}

/// The key of a stored row to delete, by table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deleted {
    ExchangeRate { currency: Currency, as_of: Date },
    Bank(DeletedRow),
    Account(DeletedRow),
    BalanceSnapshot { user_id: Uuid, account: NamedId, as_of: Date },
    OwnCategory { user_id: Uuid, own_category_id: Uuid },
    Transaction(DeletedRow),
    Budget(DeletedRow),
    Security(DeletedRow),
    SecurityPrice { user_id: Uuid, security: NamedId, as_of: Date },
    Holding { user_id: Uuid, account: NamedId, security: NamedId },
    Wallet(DeletedRow),
    WalletHolding { user_id: Uuid, wallet: NamedId, security: NamedId, as_of: Date },
    PaperAccount(DeletedRow),
    PaperPosition { user_id: Uuid, paper_account: NamedId, security: NamedId, side: PositionSide },
}

/// The key of a row that has an identifier of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeletedRow {
    /// The person who owns the row.
    pub user_id: Uuid,
    /// The row's identifier.
    pub id: NamedId,
}

/// An identifier in the key of a row to delete. The text names a row by the identifier at its source, or by the
/// identifier that Passbook shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedId {
    /// The identifier derived from the text, which is the stored one if the text is the identifier at the source.
    pub derived: Uuid,
    /// The text itself if it is a UUID, which is the stored identifier if Passbook showed it.
    pub shown: Option<Uuid>,
}

/// A person and their settings.
#[derive(Clone, Debug, PartialEq)]
pub struct User {
    /// The identifier, which is also the `sub` claim of the person's tokens.
    pub user_id: Uuid,
    /// E-mail address, unique without regard to case.
    pub email: String,
    /// The currency in which totals are reported.
    pub preferred_currency: Currency,
    /// IANA time zone name, which determines the current day.
    pub time_zone: String,
    /// Categories left out of cashflow, spending, merchants and budgets.
    pub excluded_categories: Vec<ExpenseCategory>,
}

/// Units of a currency for one unit of the base on a day.
#[derive(Clone, Debug, PartialEq)]
pub struct ExchangeRate {
    pub currency: Currency,
    pub as_of: Date,
    pub units_per_base: Decimal,
}

/// A bank and the status of the connection to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bank {
    pub user_id: Uuid,
    pub bank_id: Uuid,
    pub name: String,
    pub status: BankStatus,
    pub new_accounts_available: bool,
    pub last_successful_update: Option<Timestamp>,
    pub last_failed_update: Option<Timestamp>,
    pub consent_expires_at: Option<Timestamp>,
    /// Error code of the connection: upper-case letters, digits and underscores.
    pub error_code: Option<String>,
}

impl Bank {
    /// Creates a bank without a connection, whose accounts a person or a ledger maintains.
    pub fn manual(user_id: Uuid, bank_id: Uuid, name: &str) -> Bank {
        Bank {
            user_id,
            bank_id,
            name: name.to_owned(),
            status: BankStatus::Manual,
            new_accounts_available: false,
            last_successful_update: None,
            last_failed_update: None,
            consent_expires_at: None,
            error_code: None,
        }
    }
}

/// An account. The balance is signed from the owner's side: money owed is negative.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    pub user_id: Uuid,
    pub account_id: Uuid,
    pub bank_id: Uuid,
    pub name: String,
    pub account_type: AccountType,
    /// Subtype of the account, any lower-case text: `checking`, `savings`, `credit card`, `brokerage` …
    pub subtype: String,
    pub currency: Currency,
    /// The present balance; `None` if the source states none.
    pub balance_cents: Option<i64>,
    /// The time from which the balance is; with a balance only.
    pub balance_updated_at: Option<Timestamp>,
    /// The day before which the balance was 0.
    pub opened_on: Option<Date>,
    pub closed_on: Option<Date>,
    /// The first day from which on the source has every transaction.
    pub rows_complete_from: Option<Date>,
    /// Name of the ledger that contains the account; `None` for an account from another source. Importing the ledger
    /// again removes rows that it no longer contains.
    pub source: Option<String>,
}

/// The balance of an account at the end of a day, in the account's currency.
#[derive(Clone, Debug, PartialEq)]
pub struct BalanceSnapshot {
    pub user_id: Uuid,
    pub account_id: Uuid,
    pub as_of: Date,
    pub balance_cents: i64,
}

/// A category of a person's own. Each stands for a fixed category; a category without a parent may be the parent of others.
///
/// Two own categories of one person may have the same name only under different parents.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnCategory {
    pub user_id: Uuid,
    /// Derived from the name and the name of the parent by [`crate::id::own_category`]. Stays when the category is
    /// renamed, so that the source's name still leads to it.
    pub own_category_id: Uuid,
    /// The name, without the parent's.
    pub name: String,
    /// The fixed category for which the own category stands.
    pub category: Category,
    /// The own category that contains this one, which has no parent itself.
    pub parent_id: Option<Uuid>,
}

/// A transaction on an account. The amount has no sign; type and category give the direction.
///
/// The reader that makes the record decides whether a transaction counts. A movement between the owner's own accounts is
/// an `INTERNAL_TRANSFER`, which never counts, only if its counterpart is linked. Without a link, money received is
/// `INCOME`/`TRANSFER_IN` and money sent is `EXPENSE`/`TRANSFER_OUT`, so that totals agree with balances. Two kinds are
/// internal without a link: loan proceeds, because borrowed money is not income, and rows marked as having their
/// counterpart outside Passbook.
#[derive(Clone, Debug, PartialEq)]
pub struct Transaction {
    pub user_id: Uuid,
    pub transaction_id: Uuid,
    pub account_id: Uuid,
    pub date: Date,
    pub transaction_type: TransactionType,
    pub category: Category,
    /// Amount without a sign, 0 to [`passbook_domain::money::AMOUNT_CENTS_MAX`], in hundredths of `currency`.
    pub amount_cents: i64,
    pub currency: Currency,
    pub title: String,
    pub pending: bool,
    pub provider_category: Option<String>,
    pub merchant_name: Option<String>,
    pub linked_transaction_id: Option<Uuid>,
    pub own_category_id: Option<Uuid>,
    /// At most [`TAGS_MAX`] names, none twice without regard to case.
    pub tags: Vec<String>,
    /// Text of the owner, not of the bank, of at most [`NOTE_CHARS_MAX`] characters.
    pub note: Option<String>,
}

/// A monthly budget of a category.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    pub user_id: Uuid,
    pub budget_id: Uuid,
    pub category: Category,
    pub target_cents: Option<i64>,
    pub currency: Currency,
}

/// A security: anything that can be held and has a price.
#[derive(Clone, Debug, PartialEq)]
pub struct Security {
    pub user_id: Uuid,
    pub security_id: Uuid,
    pub name: String,
    pub security_type: SecurityType,
    /// Currency of the security's prices and cost bases.
    pub currency: Currency,
    pub symbol: Option<String>,
    pub isin: Option<String>,
    pub is_cash_equivalent: bool,
}

/// The closing price of one unit, in the security's currency.
#[derive(Clone, Debug, PartialEq)]
pub struct SecurityPrice {
    pub user_id: Uuid,
    pub security_id: Uuid,
    pub as_of: Date,
    pub price: Decimal,
}

/// The current holding of a security in an account.
#[derive(Clone, Debug, PartialEq)]
pub struct Holding {
    pub user_id: Uuid,
    pub account_id: Uuid,
    pub security_id: Uuid,
    pub quantity: Decimal,
    /// Total cost of the units held, in hundredths of the security's currency.
    pub cost_basis_cents: Option<i64>,
}

/// A cryptocurrency wallet.
#[derive(Clone, Debug, PartialEq)]
pub struct Wallet {
    pub user_id: Uuid,
    pub wallet_id: Uuid,
    pub name: String,
    /// Network of the wallet: upper-case letters, digits and underscores, such as `BITCOIN`.
    pub network: String,
    pub address: Option<String>,
    pub updated_at: Timestamp,
}

/// A quantity of a security in a wallet, from a day on.
#[derive(Clone, Debug, PartialEq)]
pub struct WalletHolding {
    pub user_id: Uuid,
    pub wallet_id: Uuid,
    pub security_id: Uuid,
    pub as_of: Date,
    pub quantity: Decimal,
}

/// A paper-trading account, with simulated money. It is shown and never included in totals.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperAccount {
    pub user_id: Uuid,
    pub paper_account_id: Uuid,
    pub name: String,
    /// Provider of the simulation: upper-case letters, digits and underscores, such as `ALPACA`.
    pub provider: String,
    pub currency: Currency,
    pub cash_cents: i64,
    pub starting_balance_cents: i64,
    pub updated_at: Timestamp,
}

/// A position in a paper-trading account.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperPosition {
    pub user_id: Uuid,
    pub paper_account_id: Uuid,
    pub security_id: Uuid,
    pub side: PositionSide,
    pub quantity: Decimal,
    pub average_entry_price: Decimal,
}

/// An OAuth client, through which people sign in at the identity provider.
#[derive(Clone, Debug, PartialEq)]
pub struct OauthClient {
    pub client_id: String,
    /// Identifier of the only person whom a personal dashboard may serve; `None` for a client that may serve everyone.
    pub owner_user_id: Option<Uuid>,
    pub name: String,
    pub redirect_uris: Vec<String>,
    pub scopes: Vec<Scope>,
    pub rest: bool,
    pub mcp: bool,
    pub revoked_at: Option<Timestamp>,
}

/// The consent of a person to a client.
#[derive(Clone, Debug, PartialEq)]
pub struct OauthConsent {
    pub user_id: Uuid,
    pub client_id: String,
    pub granted_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
}

/// A session of a client, if the deployment records sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct OauthSession {
    pub user_id: Uuid,
    /// The session's identifier at the identity provider.
    pub session_id: String,
    pub client_id: Option<String>,
    pub created_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
}

/// A personal access token, by its hash.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonalAccessToken {
    pub user_id: Uuid,
    pub token_id: Uuid,
    /// SHA-256 of the token.
    pub token_hash: [u8; 32],
    pub name: String,
    pub last_four: String,
    pub scopes: Vec<Scope>,
    pub rest: bool,
    pub mcp: bool,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
}

/// An imported ledger and the account map of its last import. Only the import of a ledger makes this record.
#[derive(Clone, Debug, PartialEq)]
pub struct Ledger {
    pub user_id: Uuid,
    /// Name that distinguishes several ledgers of one person.
    pub ledger: String,
    /// Text of the account map; `None` for the built-in map.
    pub account_map: Option<String>,
    /// Name of the file that the account map was read from; `None` for the built-in map.
    pub map_name: Option<String>,
    pub imported_at: Timestamp,
}
