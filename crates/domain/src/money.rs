//! Money: integer hundredths and a currency, never a bare number.

use crate::currency::Currency;

/// The largest magnitude of one amount, in cents: 9·10¹⁵, which a double still holds exactly.
pub const AMOUNT_CENTS_MAX: i64 = 9_000_000_000_000_000;

/// An amount of money.
///
/// Cents are hundredths of the currency's major unit for *every* currency: divide by 100 for display. 1000 yen
/// are 100000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Money {
    /// Hundredths of the currency's major unit, whatever the currency: divide by 100 for display. Signed.
    pub amount_cents: i64,
    /// The currency.
    pub currency: Currency,
}

impl Money {
    /// `amount_cents` hundredths of `currency`.
    pub const fn new(amount_cents: i64, currency: Currency) -> Money {
        Money { amount_cents, currency }
    }
}
