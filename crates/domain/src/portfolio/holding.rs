//! Securities held in an account, wallets with their contents, and simulated ("paper") accounts with their positions.
//! Simulated accounts are listed, and no total includes them.

use jiff::civil::Date;
use uuid::Uuid;

use crate::currency::Currency;
use crate::decimal::DecimalText;
use crate::money::Money;
use crate::string_enum::string_enum;
use crate::tally::Unconverted;
use crate::timestamp::UtcTimestamp;

string_enum! {
    /// The kind of a security.
    SecurityType {
        Equity = "EQUITY",
        Etf = "ETF",
        MutualFund = "MUTUAL_FUND",
        Bond = "BOND",
        Cash = "CASH",
        Cryptocurrency = "CRYPTOCURRENCY",
        Derivative = "DERIVATIVE",
        Other = "OTHER",
    }
}

/// An account's holding of one security.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Holding {
    /// The security's identifier.
    pub security_id: Uuid,
    /// The account that holds it.
    pub account_id: Uuid,
    /// The symbol it trades under.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub symbol: Option<String>,
    /// The security's name.
    pub name: String,
    /// Its kind. New values may appear: tolerate unknown ones.
    pub r#type: SecurityType,
    /// International Securities Identification Number (ISO 6166).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub isin: Option<String>,
    /// Units held; negative when sold short.
    pub quantity: DecimalText,
    /// The last price of one unit on or before today, in major units of `currency`; absent when none is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "DecimalText")]
    #[schemars(extend("x-tool-description" = "Last price of one unit, in major units."))]
    pub price: Option<DecimalText>,
    /// The day of that price.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date"))]
    #[schemars(with = "String")]
    pub price_as_of: Option<Date>,
    /// Quantity times price, rounded to hundredths of `currency`; absent when no price is known, never 0 for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    #[schemars(extend("x-tool-description" = "Quantity times price; absent without a price."))]
    pub value_cents: Option<i64>,
    /// Price paid for all units, in hundredths of `currency`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    #[schemars(extend("x-tool-description" = "Price paid for all units."))]
    pub cost_basis_cents: Option<i64>,
    /// The security's currency.
    pub currency: Currency,
    /// True if the security is equivalent to cash, such as a money market fund.
    pub is_cash_equivalent: bool,
}

impl Holding {
    /// Creates the holding of a security without a price. Symbol, ISIN and cost basis are absent.
    pub fn new(
        security_id: Uuid,
        account_id: Uuid,
        name: impl Into<String>,
        r#type: SecurityType,
        quantity: DecimalText,
        currency: Currency,
    ) -> Holding {
        Holding {
            security_id,
            account_id,
            symbol: None,
            name: name.into(),
            r#type,
            isin: None,
            quantity,
            price: None,
            price_as_of: None,
            value_cents: None,
            cost_basis_cents: None,
            currency,
            is_cash_equivalent: false,
        }
    }
}

/// One wallet.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Wallet {
    /// The wallet's identifier.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// The network it is on, such as `BITCOIN`.
    pub network: String,
    /// The ends of its public address, such as `bc1q…9x3f`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub address_masked: Option<String>,
    /// Its holdings together, each converted to the preferred currency and rounded, then added.
    pub total: Money,
    /// The currency of `total`: the preferred one.
    pub currency: Currency,
    /// When its contents were known to be these.
    pub updated_at: UtcTimestamp,
    /// Holdings, the most valuable first.
    pub holdings: Vec<WalletHolding>,
    /// True when it holds something without a known price, which is then missing from the total; else absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Holdings that are missing from the total because they cannot be converted; absent when none is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}

/// A wallet's holding of one security.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct WalletHolding {
    /// The symbol it trades under.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub symbol: Option<String>,
    /// Its name.
    pub name: String,
    /// Units held.
    pub quantity: DecimalText,
    /// The last price of one unit on or before today, in major units of `currency`; absent when none is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "DecimalText")]
    pub price: Option<DecimalText>,
    /// Quantity times price, rounded to hundredths of `currency`; absent when no price is known, never 0 for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    pub value_cents: Option<i64>,
    /// The currency of price and value.
    pub currency: Currency,
    /// The day of the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date"))]
    #[schemars(with = "String")]
    pub price_as_of: Option<Date>,
}

impl WalletHolding {
    /// Creates the holding of a security without a symbol and without a price.
    pub fn new(name: impl Into<String>, quantity: DecimalText, currency: Currency) -> WalletHolding {
        WalletHolding {
            symbol: None,
            name: name.into(),
            quantity,
            price: None,
            value_cents: None,
            currency,
            price_as_of: None,
        }
    }
}

string_enum! {
    /// The direction of a position: a long position gains when the price rises, a short position when it falls.
    PositionSide {
        Long = "LONG",
        Short = "SHORT",
    }
}

/// One simulated account.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct PaperAccount {
    /// Its identifier.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Provider of the simulation, such as `ALPACA`.
    pub provider: String,
    /// Cash and positions together, in the account's own currency.
    #[schemars(extend("x-tool-description" = "Cash and positions, in the account's currency."))]
    pub total: Money,
    /// The account's currency.
    pub currency: Currency,
    /// Simulated cash, in hundredths of `currency`. Signed.
    pub cash_cents: i64,
    /// The cash it began with, in hundredths of `currency`.
    pub starting_balance_cents: i64,
    /// When its contents were known to be these.
    pub updated_at: UtcTimestamp,
    /// Open positions, the most valuable first.
    pub positions: Vec<PaperPosition>,
    /// True when a position has no known price and is missing from the total; else absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Positions that are missing from the total because they cannot be converted; absent when none is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}

/// One open position.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct PaperPosition {
    /// The security's identifier.
    pub security_id: Uuid,
    /// The symbol it trades under.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub symbol: Option<String>,
    /// `LONG` gains when the price rises, `SHORT` when it falls.
    pub side: PositionSide,
    /// Units, without a sign: `side` has it.
    pub quantity: DecimalText,
    /// The average price of one unit, in major units of `currency`.
    pub average_entry_price: DecimalText,
    /// The last price of one unit on or before today; absent when none is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "DecimalText")]
    pub market_price: Option<DecimalText>,
    /// Market value in hundredths of `currency`; negative for `SHORT`. Absent if no price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    #[schemars(extend("x-tool-description" = "Negative for SHORT."))]
    pub market_value_cents: Option<i64>,
    /// Price paid for the position, in hundredths of `currency`. For `SHORT`, the proceeds as a negative number.
    pub cost_basis_cents: i64,
    /// Profit or loss if it were closed now: market value minus cost basis. Signed; absent when no price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    #[schemars(extend("x-tool-description" = "Market value minus cost basis."))]
    pub unrealized_pl_cents: Option<i64>,
    /// The currency of the prices and values.
    pub currency: Currency,
}

impl PaperPosition {
    /// Creates a position of a security without a symbol and without a price.
    pub fn new(
        security_id: Uuid,
        side: PositionSide,
        quantity: DecimalText,
        average_entry_price: DecimalText,
        cost_basis: Money,
    ) -> PaperPosition {
        PaperPosition {
            security_id,
            symbol: None,
            side,
            quantity,
            average_entry_price,
            market_price: None,
            market_value_cents: None,
            cost_basis_cents: cost_basis.amount_cents,
            unrealized_pl_cents: None,
            currency: cost_basis.currency,
        }
    }
}
