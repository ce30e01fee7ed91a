//! Days of MT940.

use jiff::civil::Date;

use super::super::day;

/// Parses `YYMMDD`. Years from 80 on are in the last century. A day behind the end of its month, which banks that count
/// thirty days to each month write, is the last day of the month.
pub(super) fn short_day(text: &str) -> Option<Date> {
    let part = |range: std::ops::Range<usize>| {
        let digits = text.get(range).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        digits.parse::<i16>().ok()
    };
    let (year, month, number) = (part(0..2)?, part(2..4)?, part(4..6)?);
    let year = if year >= 80 { 1900 + year } else { 2000 + year };
    clamped(year, i8::try_from(month).ok()?, i8::try_from(number).ok()?)
}

/// Returns a day; the 30th of February, and the 31st of a shorter month, is the last day of the month.
pub(super) fn clamped(year: i16, month: i8, number: i8) -> Option<Date> {
    let first = day::civil(year, month, 1)?;
    if !(1..=31).contains(&number) {
        return None;
    }
    day::civil(year, month, number.min(first.days_in_month()))
}
