//! Days as text.

use jiff::civil::Date;
use jiff::fmt::strtime::BrokenDownTime;

use super::DateOrder;

/// The years that a day may have.
const YEARS: std::ops::RangeInclusive<i16> = 1900..=2200;

/// Returns the day if the service can store it.
pub(super) fn in_range(day: Date) -> Option<Date> {
    Some(day).filter(|day| YEARS.contains(&day.year()))
}

/// Returns a day of numbers, if the calendar has it.
pub(super) fn civil(year: i16, month: i8, day: i8) -> Option<Date> {
    Date::new(year, month, day).ok().and_then(in_range)
}

/// Parses a day in a format of `strptime`, such as `%d.%m.%Y`. A time of day may follow the day.
pub(super) fn parse(text: &str, format: &str) -> Option<Date> {
    let text = text.trim();
    let (parts, end) = BrokenDownTime::parse_prefix(format, text).ok()?;
    let rest = &text[end..];
    let ends = rest.is_empty() || rest.starts_with([' ', 'T', ',']);
    parts.to_date().ok().filter(|_| ends).and_then(in_range)
}

/// Parses `2026-12-31` or a timestamp that begins with it. The day is taken as written.
pub(super) fn iso(text: &str) -> Option<Date> {
    parse(text, "%Y-%m-%d").or_else(|| {
        // A date of XML Schema may end with a time zone: `2026-12-31Z`, `2026-12-31+01:00`.
        let day = text.trim().get(..10)?;
        parse(day, "%Y-%m-%d")
    })
}

/// Parses eight digits at the start of a text: `20261231`.
pub(super) fn digits(text: &str) -> Option<Date> {
    let digits = text.get(..8).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    civil(digits[..4].parse().ok()?, digits[4..6].parse().ok()?, digits[6..].parse().ok()?)
}

/// Returns the order of the parts in a format of `strptime`.
pub(super) fn order(format: &str) -> Option<DateOrder> {
    let letters: String = format
        .split('%')
        .skip(1)
        .filter_map(|part| part.trim_start_matches(['-', '0', '_']).chars().next())
        .filter_map(|letter| match letter {
            'd' | 'e' => Some('d'),
            'm' | 'b' | 'B' => Some('m'),
            'Y' | 'y' => Some('y'),
            'F' => Some('f'),
            _ => None,
        })
        .collect();
    if letters == "f" { Some(DateOrder::YearMonthDay) } else { DateOrder::parse(&letters) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn days_are_parsed_as_written() {
        for (text, format, expected) in [
            ("31.12.2026", "%d.%m.%Y", Some(date(2026, 12, 31))),
            ("1.2.2026", "%d.%m.%Y", Some(date(2026, 2, 1))),
            ("31.12.26", "%d.%m.%y", Some(date(2026, 12, 31))),
            ("12/31/2026 23:59:59", "%m/%d/%Y", Some(date(2026, 12, 31))),
            ("2026-12-31T23:59:59-05:00", "%Y-%m-%d", Some(date(2026, 12, 31))),
            ("31 Dec 2026", "%d %b %Y", Some(date(2026, 12, 31))),
            ("31.12.2026", "%d.%m.%y", None),
            ("31.12.20261", "%d.%m.%Y", None),
            ("30.02.2026", "%d.%m.%Y", None),
            ("31.12.1899", "%d.%m.%Y", None),
            ("", "%d.%m.%Y", None),
        ] {
            assert_eq!(parse(text, format), expected, "{text} {format}");
        }
        assert_eq!(iso("2026-12-31+01:00"), Some(date(2026, 12, 31)));
        assert_eq!(iso("2026-12-31T00:00:00.000Z"), Some(date(2026, 12, 31)));
        assert_eq!(digits("20261231235959[-5:EST]"), Some(date(2026, 12, 31)));
        assert_eq!(digits("00000000"), None);
        assert_eq!(digits("2026é231"), None);
    }

    #[test]
    fn order_of_a_format_is_found() {
        for (format, expected) in [
            ("%d.%m.%Y", Some(DateOrder::DayMonthYear)),
            ("%m/%d/%y", Some(DateOrder::MonthDayYear)),
            ("%b %-d, %Y", Some(DateOrder::MonthDayYear)),
            ("%Y-%m-%d", Some(DateOrder::YearMonthDay)),
            ("%F", Some(DateOrder::YearMonthDay)),
            ("%Y", None),
        ] {
            assert_eq!(order(format), expected, "{format}");
        }
    }
}
