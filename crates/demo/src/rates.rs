//! Exchange rates of every business day, and the spring weeks of the past in which none were published.

use domain::Currency;
use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use rust_decimal::Decimal;

use super::accounts::currency;
use super::calendar::{Window, days, is_business_day};
use super::generator::{MILLION, wave};
use formats::record::ExchangeRate;

/// A currency, its middle rate in ten-thousandths of a unit per euro, and how far it strays in parts of a million.
const QUOTED: &[(&str, i64, i64)] =
    &[("USD", 10_850, 34_000), ("GBP", 8_560, 18_000), ("CHF", 9_480, 15_000)];

/// Rates of the business days up to yesterday; today's are published in the afternoon.
pub(super) fn records(window: Window) -> impl Iterator<Item = ExchangeRate> {
    // Some days earlier, so that the first of the window may be a holiday.
    days(window.first - 10.days(), window.today - 1.day())
        .filter(move |day| is_business_day(*day) && !is_gap(*day, window.today))
        .flat_map(|day| {
            QUOTED.iter().map(move |(code, middle, stray)| {
                let quoted: Currency = currency(code);
                ExchangeRate {
                    currency: quoted,
                    as_of: day,
                    units_per_base: rate(code, *middle, *stray, day),
                }
            })
        })
}

fn rate(code: &str, middle: i64, stray: i64, day: Date) -> Decimal {
    let parts = wave(code, day, 97, stray) + wave(code, day, 23, stray / 4) + wave(code, day, 1, stray / 20);
    Decimal::new(middle + middle * parts / MILLION, 4)
}

/// Six weeks of April and May, longer than the 31 days a rate may serve. Only springs that are well past, so that
/// today's picture is always whole.
fn is_gap(day: Date, today: Date) -> bool {
    (date(day.year(), 4, 1)..=date(day.year(), 5, 12)).contains(&day) && today >= date(day.year(), 6, 1)
}
