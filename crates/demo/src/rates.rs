//! Exchange rates of every business day, except for yearly gaps in past springs.

use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use passbook_domain::Currency;
use rust_decimal::Decimal;

use super::accounts::currency;
use super::calendar::{Window, days, is_business_day};
use super::generator::{MILLION, wave};
use passbook_records::record::ExchangeRate;

/// A currency, its mean rate in ten-thousandths of a unit per euro, and its maximum deviation in millionths.
const QUOTED: &[(&str, i64, i64)] =
    &[("USD", 10_850, 34_000), ("GBP", 8_560, 18_000), ("CHF", 9_480, 15_000)];

/// Returns the rates of the business days up to yesterday, because rates of a day are published in its afternoon.
pub(super) fn records(window: Window) -> impl Iterator<Item = ExchangeRate> {
    // Starts ten days early, so that the first day of the window has an earlier rate if it is not a business day.
    days(window.first - 10.days(), window.today - 1.day())
        .filter(move |day| is_business_day(*day) && !is_gap(*day, window.today))
        .flat_map(|day| {
            QUOTED.iter().map(move |(code, middle, deviation)| {
                let quoted: Currency = currency(code);
                ExchangeRate {
                    currency: quoted,
                    as_of: day,
                    units_per_base: rate(code, *middle, *deviation, day),
                }
            })
        })
}

fn rate(code: &str, middle: i64, deviation: i64, day: Date) -> Decimal {
    let parts = wave(code, day, 97, deviation)
        + wave(code, day, 23, deviation / 4)
        + wave(code, day, 1, deviation / 20);
    Decimal::new(middle + middle * parts / MILLION, 4)
}

/// Returns true from April 1 to May 12 of a past spring. The gap is longer than the 31 days for which a rate may be
/// used. Recent springs have no gap, so that current figures are complete.
fn is_gap(day: Date, today: Date) -> bool {
    (date(day.year(), 4, 1)..=date(day.year(), 5, 12)).contains(&day) && today >= date(day.year(), 6, 1)
}
