//! Wallets and their holdings.

use jiff::civil::Date;
use uuid::Uuid;

use crate::currency::Currency;
use crate::decimal::DecimalText;
use crate::money::Money;
use crate::tally::Unconverted;
use crate::timestamp::UtcTimestamp;

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
