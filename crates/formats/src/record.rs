//! What can be loaded: one record per row, checked, with its identifiers already derived.
//!
//! Every source (the JSON bundle, a Beancount ledger, the demo household) yields these records, and one loader
//! stores them, so a rule about storing is written once.

use domain::Currency;
use domain::bank::BankStatus;
use domain::category::{Category, ExpenseCategory};
use domain::portfolio::{AccountType, PositionSide, SecurityType};
use domain::scope::Scope;
use domain::transaction::TransactionType;
use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;
use uuid::Uuid;

/// A record and its place in the input.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// A JSON path in a bundle (`transactions[12]`), `file:line` in a ledger, or a description in words.
    pub place: String,
    /// The record at that place.
    pub record: Record,
}

/// One row of one table.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// A person. Settings of a person that exists are brought up to date.
    User(User),
    /// The currency that the exchange rates of this load are quoted against.
    RateBase(Currency),
    /// An exchange rate.
    ExchangeRate(ExchangeRate),
    /// An institution.
    Bank(Bank),
    /// An account at an institution.
    Account(Account),
    /// A balance at the end of a day.
    BalanceSnapshot(BalanceSnapshot),
    /// A movement on an account.
    Transaction(Transaction),
    /// A monthly target.
    Budget(Budget),
    /// Something that can be held.
    Security(Security),
    /// A closing price.
    SecurityPrice(SecurityPrice),
    /// What an account holds.
    Holding(Holding),
    /// A wallet.
    Wallet(Wallet),
    /// What a wallet holds from a day on.
    WalletHolding(WalletHolding),
    /// A simulated account.
    PaperAccount(PaperAccount),
    /// A position in a simulated account.
    PaperPosition(PaperPosition),
    /// A client that signs in through the identity provider.
    OauthClient(OauthClient),
    /// What a person agreed to.
    OauthConsent(OauthConsent),
    OauthSession(OauthSession),
    /// A personal access token, by its hash: a plain token is never loaded.
    PersonalAccessToken(PersonalAccessToken),
}

/// A person and their settings.
#[derive(Clone, Debug, PartialEq)]
pub struct User {
    /// The person's identifier, which is also the `sub` of their tokens.
    pub user_id: Uuid,
    /// E-mail address, unique without regard to case.
    pub email: String,
    /// The currency of totals.
    pub preferred_currency: Currency,
    /// IANA zone name, which decides what "today" is.
    pub time_zone: String,
    /// Left out of cashflow, spending, merchants and budgets.
    pub excluded_categories: Vec<ExpenseCategory>,
}

/// Units of a currency for one unit of the base on a day.
#[derive(Clone, Debug, PartialEq)]
pub struct ExchangeRate {
    pub currency: Currency,
    pub as_of: Date,
    pub units_per_base: Decimal,
}

/// An institution and the health of the connection to it.
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
    /// Upper-case letters, digits and underscores.
    pub error_code: Option<String>,
}

/// An account. The balance is signed from the owner's side: what is owed is negative.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    pub user_id: Uuid,
    pub account_id: Uuid,
    pub bank_id: Uuid,
    pub name: String,
    pub account_type: AccountType,
    /// Free lower-case text: `checking`, `savings`, `credit card`, `brokerage` …
    pub subtype: String,
    pub currency: Currency,
    pub balance_cents: i64,
    pub balance_updated_at: Timestamp,
    pub closed_on: Option<Date>,
    /// Which ledger the account is kept in, where one does; importing that ledger again replaces what it no longer
    /// has.
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

/// A movement on an account. The amount is a magnitude; type and category give the direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Transaction {
    pub user_id: Uuid,
    pub transaction_id: Uuid,
    pub account_id: Uuid,
    pub date: Date,
    pub transaction_type: TransactionType,
    pub category: Category,
    /// 0 to [`domain::money::AMOUNT_CENTS_MAX`], in hundredths of `currency`.
    pub amount_cents: i64,
    pub currency: Currency,
    pub title: String,
    pub pending: bool,
    pub provider_category: Option<String>,
    pub merchant_name: Option<String>,
    pub linked_transaction_id: Option<Uuid>,
}

/// A monthly target for a category.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    pub user_id: Uuid,
    pub budget_id: Uuid,
    pub category: Category,
    pub target_cents: Option<i64>,
    pub currency: Currency,
}

/// Something that can be held.
#[derive(Clone, Debug, PartialEq)]
pub struct Security {
    pub user_id: Uuid,
    pub security_id: Uuid,
    pub name: String,
    pub security_type: SecurityType,
    /// The currency of its prices and cost bases.
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

/// What an account holds now.
#[derive(Clone, Debug, PartialEq)]
pub struct Holding {
    pub user_id: Uuid,
    pub account_id: Uuid,
    pub security_id: Uuid,
    pub quantity: Decimal,
    /// In the security's currency.
    pub cost_basis_cents: Option<i64>,
}

/// A wallet.
#[derive(Clone, Debug, PartialEq)]
pub struct Wallet {
    pub user_id: Uuid,
    pub wallet_id: Uuid,
    pub name: String,
    /// Upper-case letters, digits and underscores, such as `BITCOIN`.
    pub network: String,
    pub address: Option<String>,
    pub updated_at: Timestamp,
}

/// The quantity in a wallet from a day on.
#[derive(Clone, Debug, PartialEq)]
pub struct WalletHolding {
    pub user_id: Uuid,
    pub wallet_id: Uuid,
    pub security_id: Uuid,
    pub as_of: Date,
    pub quantity: Decimal,
}

/// A simulated account: shown, never counted.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperAccount {
    pub user_id: Uuid,
    pub paper_account_id: Uuid,
    pub name: String,
    /// Upper-case letters, digits and underscores, such as `ALPACA`.
    pub provider: String,
    pub currency: Currency,
    pub cash_cents: i64,
    pub starting_balance_cents: i64,
    pub updated_at: Timestamp,
}

/// A position in a simulated account.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperPosition {
    pub user_id: Uuid,
    pub paper_account_id: Uuid,
    pub security_id: Uuid,
    pub side: PositionSide,
    pub quantity: Decimal,
    pub average_entry_price: Decimal,
}

/// A client that signs in through the identity provider.
#[derive(Clone, Debug, PartialEq)]
pub struct OauthClient {
    pub client_id: String,
    /// The one person an owner-only dashboard serves; none for a client known to the operator.
    pub owner_user_id: Option<Uuid>,
    pub name: String,
    pub redirect_uris: Vec<String>,
    pub scopes: Vec<Scope>,
    pub rest: bool,
    pub mcp: bool,
    pub revoked_at: Option<Timestamp>,
}

/// What a person agreed to.
#[derive(Clone, Debug, PartialEq)]
pub struct OauthConsent {
    pub user_id: Uuid,
    pub client_id: String,
    pub granted_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
}

/// A session of a client, where the deployment records them.
#[derive(Clone, Debug, PartialEq)]
pub struct OauthSession {
    pub user_id: Uuid,
    /// Its identifier at the identity provider.
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
