//! Simulated ("paper") accounts. They are listed, and no total includes them.

use uuid::Uuid;

use crate::currency::Currency;
use crate::decimal::DecimalText;
use crate::money::Money;
use crate::string_enum::string_enum;
use crate::tally::Unconverted;
use crate::timestamp::UtcTimestamp;

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
