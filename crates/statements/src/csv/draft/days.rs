//! Guesses the format of the days of a file.

use jiff::civil::Date;
use jiff::fmt::strtime::BrokenDownTime;

use super::super::super::{DateOrder, day};
use super::table::Table;

/// The formats that are tried, separated by bars.
const FORMATS: &str = "%d.%m.%Y|%m.%d.%Y|%Y.%m.%d|%d.%m.%y|%m.%d.%y|%y.%m.%d|%d/%m/%Y|%m/%d/%Y|%Y/%m/%d|%d/%m/%y|%m/%d/%y|%y/%m/%d|\
     %d-%m-%Y|%m-%d-%Y|%Y-%m-%d|%d-%m-%y|%m-%d-%y|%y-%m-%d|%d %m %Y|%m %d %Y|%Y %m %d|%d %b %Y|%d-%b-%Y|%d/%b/%Y|\
     %d.%b.%Y|%d. %b %Y|%d %b %y|%d-%b-%y|%b %d, %Y|%b %d %Y|%Y %b %d|%Y-%b-%d|%Y%m%d|%d%m%Y|%m%d%Y";
/// The oldest year of a day. Earlier ones are numbers of another kind.
const YEAR_MIN: i16 = 1980;
/// The newest year.
const YEAR_MAX: i16 = 2100;

/// Parses a cell that is nothing but a day, with or without a time.
fn parse(cell: &str, format: &str) -> Option<Date> {
    let cell = cell.trim();
    let day = day::parse(cell, format).filter(|day| (YEAR_MIN..=YEAR_MAX).contains(&day.year()))?;
    let (_, end) = BrokenDownTime::parse_prefix(format, cell).ok()?;
    let is_time = |c: char| c.is_ascii_digit() || ":.,+- TZAMPamp".contains(c);
    cell[end..].chars().all(is_time).then_some(day)
}

/// Returns true if a cell is a day.
pub(super) fn is_day(cell: &str) -> bool {
    let cell = cell.trim();
    let digits = cell.bytes().filter(u8::is_ascii_digit).count();
    let starts = cell.starts_with(|c: char| c.is_ascii_digit() || "JFMASONDjfmasond".contains(c));
    let parts = cell.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).count();
    let is_likely = starts && digits >= 4 && (parts >= 3 || digits == 8);
    is_likely && FORMATS.split('|').any(|format| parse(cell, format).is_some())
}

/// The days of the rows of a file.
#[derive(Debug)]
pub(super) struct Days {
    /// The formats that fit every row.
    pub(super) formats: Vec<&'static str>,
    /// The orders of the formats.
    pub(super) orders: Vec<DateOrder>,
    /// True if the file begins with the newest row, false if with the oldest, by all formats.
    pub(super) newest_first: Option<bool>,
}

impl Days {
    /// Finds the formats that fit the days of all rows in the column `booked`, and those of the other columns of days.
    pub(super) fn find(table: &Table, booked: usize) -> Days {
        let mut formats = fitting(table, booked, &FORMATS.split('|').collect::<Vec<_>>());
        for other in &table.day_columns {
            let both = fitting(table, *other, &formats);
            formats = if both.is_empty() { formats } else { both };
        }
        let mut orders: Vec<DateOrder> = formats.iter().filter_map(|format| day::order(format)).collect();
        orders.sort_unstable();
        orders.dedup();
        let mut directions: Vec<Option<bool>> =
            formats.iter().map(|format| newest_first(&days(table, booked, format))).collect();
        directions.dedup();
        let newest_first = if let [one] = directions[..] { one } else { None };
        Days { formats, orders, newest_first }
    }

    /// Returns the first day as an order reads it, in words, with the number of rows after today.
    pub(super) fn meaning(&self, table: &Table, booked: usize, order: DateOrder, today: Date) -> String {
        let Some(format) = self.formats.iter().find(|format| day::order(format) == Some(order)) else {
            return String::new();
        };
        let days = days(table, booked, format);
        let future = days.iter().filter(|day| **day > today).count();
        let later = if future > 0 { format!("; rows after today: {future}") } else { String::new() };
        let cell = table.rows.first().map_or("", |row| row.cell(booked));
        let first = days.first().map(|day| day.strftime("%-d %B %Y").to_string()).unwrap_or_default();
        format!("{cell} is {first}{later}")
    }
}

/// Returns the formats that fit every cell with text of a column.
fn fitting(table: &Table, column: usize, formats: &[&'static str]) -> Vec<&'static str> {
    let mut formats = formats.to_vec();
    for row in table.rows.iter().filter(|row| !row.cell(column).is_empty()) {
        formats.retain(|format| parse(row.cell(column), format).is_some());
    }
    formats
}

fn days(table: &Table, column: usize, format: &str) -> Vec<Date> {
    table.rows.iter().filter_map(|row| parse(row.cell(column), format)).collect()
}

/// Returns true if days fall, false if they rise, and `None` if they do both or neither.
fn newest_first(days: &[Date]) -> Option<bool> {
    let rises = days.windows(2).any(|pair| pair[0] < pair[1]);
    let falls = days.windows(2).any(|pair| pair[0] > pair[1]);
    (rises != falls).then_some(falls)
}
