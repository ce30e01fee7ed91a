//! The order of day and month in a QIF file.

use std::cmp::Ordering;

use jiff::civil::Date;

use super::super::{Choice, DateOrder, Unreadable, day};

/// The order of the days of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DayOrder(DateOrder);

impl DayOrder {
    /// Chooses the order that all days of the file fit.
    ///
    /// # Errors
    /// A choice if both orders fit and give different days.
    pub(super) fn choose(text: &str, wanted: Option<DateOrder>) -> Result<DayOrder, Unreadable> {
        if let Some(wanted) = wanted {
            return Ok(DayOrder(wanted));
        }
        let orders = [DateOrder::DayMonthYear, DateOrder::MonthDayYear];
        let (mut hits, mut different) = ([0_u64; 2], None);
        for (number, line) in text.lines().enumerate() {
            let Some(written) = line.trim().strip_prefix('D') else { continue };
            let days = orders.map(|order| DayOrder(order).parse(written));
            for (hit, day) in hits.iter_mut().zip(days) {
                *hit += u64::from(day.is_some());
            }
            if different.is_none() && days[0].is_some() && days[1].is_some() && days[0] != days[1] {
                different = Some((written.trim().to_owned(), number as u64 + 1));
            }
        }
        match (hits[0].cmp(&hits[1]), different) {
            (Ordering::Greater, _) => Ok(DayOrder(DateOrder::DayMonthYear)),
            (Ordering::Less, _) | (Ordering::Equal, None) => Ok(DayOrder(DateOrder::MonthDayYear)),
            (Ordering::Equal, Some((example, line))) => {
                Err(Unreadable::Choice(Choice::DateOrder { example, line, orders: orders.to_vec() }))
            }
        }
    }

    /// Parses a day: `31/12/26`, `12/31'26`, `1. 2.2026`, `2026-12-31`. A year of two digits is in 1970 to 2069; an
    /// apostrophe before it means this century.
    pub(super) fn parse(self, written: &str) -> Option<Date> {
        let written: String = written.chars().filter(|c| !c.is_whitespace()).collect();
        let this_century = written.contains('\'');
        let parts: Vec<&str> = written.split(['/', '.', '-', '\'']).collect();
        let [first, second, third] = parts[..] else { return None };
        if first.len() == 4 {
            return day::civil(number(first)?, small(second)?, small(third)?);
        }
        let year = match (third.len(), number(third)?) {
            (4, year) => year,
            (1 | 2, year) if this_century || year < 70 => 2000 + year,
            (2, year) => 1900 + year,
            _ => return None,
        };
        let (date, month) = if self.0 == DateOrder::DayMonthYear { (first, second) } else { (second, first) };
        day::civil(year, small(month)?, small(date)?)
    }
}

fn number(text: &str) -> Option<i16> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

fn small(text: &str) -> Option<i8> {
    number(text).filter(|_| text.len() <= 2).and_then(|number| i8::try_from(number).ok())
}
