//! Securities held in an account.

use jiff::civil::Date;
use uuid::Uuid;

use crate::currency::Currency;
use crate::decimal::DecimalText;
use crate::string_enum::string_enum;

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
