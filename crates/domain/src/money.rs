//! Money: an integer number of hundredths and a currency.

use crate::currency::Currency;

/// Maximum magnitude of one amount, in cents. 9·10¹⁵ is below 2⁵³, so a JSON reader with doubles keeps it exact.
pub const AMOUNT_CENTS_MAX: i64 = 9_000_000_000_000_000;

/// An amount of money.
///
/// Cents are hundredths of the major unit for every currency: divide by 100 for display. 1,000 yen are 100000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Money {
    /// Hundredths of the currency's major unit, whatever the currency: divide by 100 for display. Signed.
    #[schemars(extend("x-tool-description" = "Hundredths, for every currency."))]
    pub amount_cents: i64,
    /// The currency.
    pub currency: Currency,
}

impl Money {
    /// Creates an amount of `amount_cents` hundredths of `currency`.
    pub const fn new(amount_cents: i64, currency: Currency) -> Money {
        Money { amount_cents, currency }
    }
}
