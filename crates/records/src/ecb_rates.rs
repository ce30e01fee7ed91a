//! Reads the European Central Bank's files of reference rates: that of all days and that of the latest day.
//!
//! Both are CSV: a header `Date,USD,JPY,…,` and one line per business day, newest first, with the units of each currency
//! for one euro. A currency without a rate has `N/A` or an empty cell. Every line ends with a comma. The file of all
//! days writes `2026-11-20`; the file of the latest day writes `20 November 2026`, and a space after each comma.

use std::io::{BufRead, BufReader, Read};

use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord};
use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_input::{Fault, Faults};
use rust_decimal::Decimal;

use crate::record::{ExchangeRate, Record};
use crate::{FAULTS_LISTED_MAX, Located};

/// The format of a day in the file of the latest day, with the English name of the month.
const LATEST_DAY: &str = "%d %B %Y";

/// The first bytes of a zip archive.
const ZIP_START: &[u8] = b"PK\x03\x04";

/// Texts of a cell that mean that there is no rate.
const NO_RATE: [&str; 2] = ["N/A", ""];

/// Reads the file of rates. Yields the base currency, which is the euro, and then every rate in the order of the file.
/// A line with faults yields all its faults and none of its rates.
pub fn read(reader: impl Read + Send + 'static) -> impl Iterator<Item = Result<Located, Faults>> + Send {
    let mut reader = BufReader::new(reader);
    let other_format = other_format(&mut reader);
    let mut lines = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(reader);
    let (columns, faults) = match other_format.map_or_else(|| header(&mut lines), |fault| Err(fault.into())) {
        Ok(columns) => (columns, None),
        Err(faults) => (Vec::new(), Some(Err(faults))),
    };
    let base = Located { place: "line 1".to_owned(), record: Record::RateBase(Currency::EUR) };
    let rates = lines.into_records().map_while({
        let readable = !columns.is_empty();
        move |line| readable.then_some(line)
    });
    let rates = rates.flat_map(move |line| {
        match line.map_err(unreadable).and_then(|line| rates_of(&line, &columns)) {
            Ok(rates) => rates.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(faults) => vec![Err(faults)],
        }
    });
    faults.into_iter().chain(std::iter::once(Ok(base))).chain(rates)
}

/// Returns a fault if the input starts like another format in which the bank publishes rates, without consuming it.
fn other_format(reader: &mut impl BufRead) -> Option<Fault> {
    // An error of the input is found again and reported when the header is read.
    let start = reader.fill_buf().ok()?;
    let first = start.iter().find(|byte| byte.is_ascii_graphic());
    let rule = if start.starts_with(ZIP_START) {
        "must be the CSV file in this zip archive: unpack the archive, and load eurofxref-hist.csv or eurofxref.csv"
    } else if first == Some(&b'<') {
        "must be a CSV file, and this is XML or HTML: download eurofxref-hist.zip (all days) or eurofxref.zip (latest \
         day) from the European Central Bank, unpack the archive, and load the CSV file"
    } else {
        return None;
    };
    Some(Fault::new("the file", rule))
}

/// Reads the currencies in the header, which follow the date. The empty column at the end is `None`.
fn header(lines: &mut Reader<impl Read>) -> Result<Vec<Option<Currency>>, Faults> {
    let mut line = StringRecord::new();
    if !lines.read_record(&mut line).map_err(unreadable)? || line.get(0).map(str::trim) != Some("Date") {
        let fault =
            Fault::new("line 1, column 1", "must be the header Date, then a currency for each column");
        return Err(fault.received(line.get(0).unwrap_or("nothing")).into());
    }
    let mut faults = Faults::with_limit(FAULTS_LISTED_MAX);
    let mut columns: Vec<Option<Currency>> = Vec::new();
    for (number, name) in line.iter().map(str::trim).enumerate().skip(1) {
        let place = format!("line 1, column {}", number + 1);
        match Currency::parse(name) {
            Ok(currency) if columns.contains(&Some(currency)) => {
                faults.push(Fault::new(place, "must not repeat an earlier column").received(name));
            }
            Ok(currency) => columns.push(Some(currency)),
            Err(_) if name.is_empty() && number + 1 == line.len() => columns.push(None),
            Err(error) => faults.push(Fault::new(place, error.rule()).received(name)),
        }
    }
    match faults.is_empty() && columns.iter().any(Option::is_some) {
        true => Ok(columns),
        false if faults.is_empty() => Err(Fault::new("line 1", "must name at least one currency").into()),
        false => Err(faults),
    }
}

/// Reads the rates of one line.
fn rates_of(line: &StringRecord, columns: &[Option<Currency>]) -> Result<Vec<Located>, Faults> {
    let number = line.position().map_or(0, csv::Position::line);
    let mut faults = Faults::with_limit(FAULTS_LISTED_MAX);
    let date = line.get(0).unwrap_or("").trim();
    let as_of = day(date);
    if as_of.is_none() {
        let rule = "must be a calendar date, as 2026-11-20 or 20 November 2026";
        let fault = Fault::new(format!("line {number}, column Date"), rule);
        faults.push(fault.received(format!("{date:?}")));
    }
    faults.extend(wrong_length(line, number, columns));
    let mut rates = Vec::new();
    for (cell, currency) in line.iter().skip(1).map(str::trim).zip(columns) {
        match (currency, rate(cell)) {
            _ if NO_RATE.contains(&cell) => {}
            (Some(currency), Some(units_per_base)) => rates.extend(as_of.map(|as_of| Located {
                place: format!("line {number}, column {currency}"),
                record: Record::ExchangeRate(ExchangeRate { currency: *currency, as_of, units_per_base }),
            })),
            (Some(currency), None) => {
                let fault =
                    Fault::new(format!("line {number}, column {currency}"), "must be a rate above 0, or N/A");
                faults.push(fault.received(format!("{cell:?}")));
            }
            (None, _) => {
                let fault = Fault::new(format!("line {number}, last column"), "must be empty");
                faults.push(fault.received(format!("{cell:?}")));
            }
        }
    }
    faults.none_or(rates)
}

/// Parses a day as one of the two files writes it.
fn day(text: &str) -> Option<Date> {
    let day = match text.len() {
        10 if !text.contains(' ') => text.parse::<Date>(),
        _ => Date::strptime(LATEST_DAY, text),
    };
    day.ok().filter(|day| (1900..=2200).contains(&day.year()))
}

/// Returns the fault of a line that has more or fewer cells than the header; otherwise `None`.
fn wrong_length(line: &StringRecord, number: u64, columns: &[Option<Currency>]) -> Option<Fault> {
    let cells = line.len() - 1;
    let mut currencies = columns.iter().flatten();
    let wanted = currencies.clone().count();
    if cells == columns.len() {
        return None;
    }
    if cells != wanted {
        let rule = format!("must have {wanted} rates, one for each column");
        return Some(Fault::new(format!("line {number}"), rule).received(cells.to_string()));
    }
    // Some editions of the file omit the comma at the end, which makes an empty last cell. If the comma is present, the
    // cell of a currency is missing.
    let lacks_rate = line.iter().next_back().is_some_and(|cell| cell.trim().is_empty());
    currencies.next_back().filter(|_| lacks_rate).map(|currency| {
        let rule = "must be given: the line has fewer cells than the header";
        Fault::new(format!("line {number}, column {currency}"), rule)
    })
}

/// Parses a rate: digits with at most one decimal point. Signs and exponents are rejected.
fn rate(cell: &str) -> Option<Decimal> {
    let plain = cell.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if !plain || cell.starts_with('.') || cell.ends_with('.') {
        return None;
    }
    Decimal::from_str_exact(cell).ok().filter(|rate| *rate > Decimal::ZERO)
}

fn unreadable(error: csv::Error) -> Faults {
    let line = error.position().map_or(1, csv::Position::line);
    let rule = match error.kind() {
        ErrorKind::Io(_) => "must be readable",
        ErrorKind::Utf8 { .. } => "must be UTF-8 text",
        _ => "must be a line of comma-separated values",
    };
    Fault::new(format!("line {line}"), format!("{rule}: {error}")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zip_archive_is_rejected_with_the_file_to_load() {
        let faults: Vec<String> = read(&b"PK\x03\x04\x14\x00\x00\x00\x08\x00\xff\xfe"[..])
            .filter_map(Result::err)
            .flatten()
            .map(|fault| fault.to_string())
            .collect();
        let [fault] = &faults[..] else { panic!("one fault is expected: {faults:?}") };
        assert!(
            fault.contains("unpack the archive, and load eurofxref-hist.csv or eurofxref.csv"),
            "{fault}"
        );
    }
}
