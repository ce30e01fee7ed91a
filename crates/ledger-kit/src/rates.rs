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

    fn code(text: &str) -> Currency {
        Currency::parse(text).expect("a code")
    }

    fn rates() -> Rates {
        let mut rates = Rates::new(Currency::EUR);
        for (currency, day, units) in [
            ("USD", date(2026, 1, 10), "1.25"),
            ("USD", date(2026, 1, 12), "1.6"),
            ("GBP", date(2026, 1, 10), "0.8"),
        ] {
            rates.insert(code(currency), day, units).expect("a rate");
        }
        rates
    }

    #[test]
    fn last_rate_on_or_before_the_day_converts_and_is_at_most_31_days_old() {
        let euros = |day| rates().convert(Money::new(1_000, code("USD")), Currency::EUR, day);
        for (day, cents) in [
            (date(2026, 1, 9), None),
            (date(2026, 1, 10), Some(800)),
            (date(2026, 1, 11), Some(800)),
            (date(2026, 1, 12), Some(625)),
            (date(2026, 2, 12), Some(625)),
            (date(2026, 2, 13), None),
        ] {
            assert_eq!(euros(day), cents, "{day}");
        }
    }

    #[test]
    fn conversion_crosses_the_base_and_rounds_once_half_away_from_zero() {
        let day = date(2026, 1, 10);
        let convert =
            |cents, from: &str, to: &str| rates().convert(Money::new(cents, code(from)), code(to), day);
        // 1 / 1.25 × 0.8 = 0.64.
        assert_eq!(convert(100, "USD", "GBP"), Some(64));
        // 5 / 1.25 × 0.8 = 3.2; 2 cents of a euro would be 1.6 after an earlier rounding.
        assert_eq!(convert(5, "USD", "GBP"), Some(3));
        assert_eq!((convert(2, "EUR", "USD"), convert(-2, "EUR", "USD")), (Some(3), Some(-3)));
        assert_eq!(convert(7, "JPY", "JPY"), Some(7), "the same currency needs no rate");
        assert_eq!(convert(7, "JPY", "EUR"), None);
    }

    #[test]
    fn only_positive_decimals_are_rates() {
        for bad in ["", "0", "0.00", "-1", "1,5", "1e3", ".5", "12345678901", "0.12345678901"] {
            assert!(rates().insert(code("CHF"), date(2026, 1, 1), bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn amount_above_the_largest_one_is_not_converted() {
        let mut rates = Rates::new(Currency::EUR);
        let day = date(2026, 11, 20);
        rates.insert(code("USD"), day, "0.0000000001").expect("a rate");
        let converted = |cents| rates.convert(Money::new(cents, code("USD")), Currency::EUR, day);
        assert_eq!(converted(900_000), Some(AMOUNT_CENTS_MAX));
        assert_eq!(converted(900_001), None);
        assert_eq!(converted(AMOUNT_CENTS_MAX), None);
    }
}
