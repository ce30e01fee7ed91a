//! Money: an integer number of hundredths and a currency.

use std::fmt;

use crate::currency::Currency;
use crate::rounding::hundredths_text;

/// Maximum magnitude of one amount, in cents. 9·10¹⁵ is below 2⁵³, so a JSON reader with doubles keeps it exact.
pub const AMOUNT_CENTS_MAX: i64 = 9_000_000_000_000_000;

/// An amount of money.
///
/// Cents are hundredths of the major unit for every currency: divide by 100 for display. 1,000 yen are 100000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Money {
    /// Hundredths of the currency's major unit, whatever the currency: divide by 100 for display. Signed.
    #[schemars(extend("x-tool-description" = "In hundredths."))]
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

/// Writes the amount in major units with two decimals, for every currency, and the currency: `1234.50 EUR`,
/// `-0.05 USD`, `1000.00 JPY`. Hosts that format for a region use the fields.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} {}", hundredths_text(self.amount_cents), self.currency))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_written_in_major_units_with_its_currency() {
        let yen = Currency::parse("JPY").expect("a code");
        for (cents, currency, text) in [
            (123_450, Currency::EUR, "1234.50 EUR"),
            (-5, Currency::EUR, "-0.05 EUR"),
            (100_000, yen, "1000.00 JPY"),
            (0, yen, "0.00 JPY"),
            (i64::MIN, Currency::EUR, "-92233720368547758.08 EUR"),
        ] {
            assert_eq!(Money::new(cents, currency).to_string(), text);
        }
    }
}
