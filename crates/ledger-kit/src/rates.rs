//! Exchange rates in memory.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::Date;

use passbook_domain::money::AMOUNT_CENTS_MAX;
use passbook_domain::rounding::divide;
use passbook_domain::{Currency, Invalid, Money};

/// Maximum age of a rate in days. An older rate converts nothing.
const AGE_DAYS_MAX: i64 = 31;

/// Maximum number of digits of a rate, and of digits after its point. No product of amount and rates then exceeds 128
/// bits.
const DIGITS_MAX: usize = 10;

/// A positive decimal number: `digits` divided by `scale`, a power of ten.
#[derive(Clone, Copy, Debug)]
struct Decimal {
    digits: i128,
    scale: i128,
}

const ONE: Decimal = Decimal { digits: 1, scale: 1 };

/// Daily exchange rates against one base currency.
///
/// An amount is converted at the last rate on or before its day that is at most 31 days old. Two
/// currencies are converted through the base with exact fractions, and the result is rounded once, half away from zero.
/// The database converts by the same rule.
#[derive(Clone, Debug)]
pub struct Rates {
    base: Currency,
    by_day: BTreeMap<(Currency, Date), Decimal>,
}

impl Rates {
    /// Creates an empty table of rates against `base`.
    pub fn new(base: Currency) -> Rates {
        Rates { base, by_day: BTreeMap::new() }
    }

    /// Adds a rate: `units_per_base` units of `currency` are worth one unit of the base currency on `day`. A rate of the
    /// base currency has no effect.
    ///
    /// # Errors
    /// `units_per_base` is not a positive decimal number such as `1.0845` with at most 10 digits before or after the
    /// point.
    pub fn insert(&mut self, currency: Currency, day: Date, units_per_base: &str) -> Result<(), Invalid> {
        self.by_day.insert((currency, day), decimal(units_per_base)?);
        Ok(())
    }

    /// Converts an amount to `currency` with the rates of `day`; none without a rate, and none if the result exceeds
    /// [`AMOUNT_CENTS_MAX`]: the amount then counts as one without a rate. An amount in `currency` needs no rate.
    pub fn convert(&self, amount: Money, currency: Currency, day: Date) -> Option<i64> {
        if amount.currency == currency {
            return Some(amount.amount_cents);
        }
        let (from, to) = (self.on(amount.currency, day)?, self.on(currency, day)?);
        let numerator = i128::from(amount.amount_cents) * to.digits * from.scale;
        let cents = i64::try_from(divide(numerator, from.digits * to.scale)).ok()?;
        (cents.abs() <= AMOUNT_CENTS_MAX).then_some(cents)
    }

    /// Returns the last rate of a currency on or before a day that is not too old.
    fn on(&self, currency: Currency, day: Date) -> Option<Decimal> {
        if currency == self.base {
            return Some(ONE);
        }
        let oldest = day.saturating_sub(AGE_DAYS_MAX.days());
        let known = self.by_day.range((currency, oldest)..=(currency, day));
        known.last().map(|(_, rate)| *rate)
    }
}

fn decimal(text: &str) -> Result<Decimal, Invalid> {
    let rule = || Invalid::new("must be a positive decimal number such as 1.0845, with at most 10 digits");
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{fraction}");
    let is_number = !whole.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let significant = digits.trim_start_matches('0');
    if !is_number || significant.len() > DIGITS_MAX || fraction.len() > DIGITS_MAX || significant.is_empty() {
        return Err(rule());
    }
    let digits = digits.parse().map_err(|_| rule())?;
    let power = u32::try_from(fraction.len()).map_err(|_| rule())?;
    Ok(Decimal { digits, scale: 10_i128.pow(power) })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn only_positive_decimals_are_rates() {
        for bad in ["", "0", "0.00", "-1", "1,5", "1e3", ".5", "12345678901", "0.12345678901"] {
            let mut rates = Rates::new(Currency::EUR);
            assert!(rates.insert(Currency::EUR, date(2026, 1, 1), bad).is_err(), "{bad}");
        }
    }
}
