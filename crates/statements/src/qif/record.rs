//! One record of a QIF file, and the order of day and month in its days.

use std::cmp::Ordering;

use jiff::civil::Date;
use passbook_input::Fault;

use super::super::amount::{self, NumberStyle};
use super::super::text::{joined, raw, some};
use super::super::{Choice, DateOrder, Entry, Unreadable, day};

/// The fields of a record in their order: the letter and the text.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// First line, counted from 1.
    pub(super) line: u64,
    /// Byte positions in the file.
    pub(super) start: usize,
    pub(super) end: usize,
    fields: Vec<(char, String)>,
}

impl Record {
    pub(super) fn push(&mut self, line: &str) {
        let mut characters = line.chars();
        if let Some(letter) = characters.next() {
            self.fields.push((letter, characters.as_str().trim().to_owned()));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Returns the length of the longest text, in bytes.
    pub(super) fn longest(&self) -> usize {
        self.fields.iter().map(|(_, text)| text.len()).max().unwrap_or(0)
    }

    /// Returns the first field with this letter.
    pub(super) fn field(&self, letter: char) -> Option<&str> {
        self.fields.iter().find(|(known, _)| *known == letter).map(|(_, text)| text.as_str())
    }

    /// Returns the entry. The parts of a split transaction are one entry.
    ///
    /// # Errors
    /// The faults of the record.
    pub(super) fn entry(&self, order: DayOrder, text: &str) -> Result<Entry, Vec<Fault>> {
        let fault = |field: &str, rule: &str, received: &str| {
            Fault::new(format!("line {}, {field}", self.line), rule).received(format!("{received:?}"))
        };
        let mut faults = Vec::new();
        let written = self.field('D').unwrap_or_default();
        let booked = order.parse(written);
        if booked.is_none() {
            faults.push(fault("D", "must be a calendar day with day, month and year", written));
        }
        let sum = self.field('T').or_else(|| self.field('U')).unwrap_or_default();
        let cents = cents(sum).map_err(|rule| faults.push(fault("T", rule, sum))).ok();
        let (Some(booked), Some(cents)) = (booked, cents) else { return Err(faults) };
        let mut entry = Entry::new(self.line, booked, cents);
        entry.party = self.field('P').and_then(some);
        entry.text = joined(self.field('M'));
        entry.reference = self.field('N').and_then(some);
        // The parts of a split have categories of their own, and then none holds for the whole.
        let category = self.field('L').filter(|_| self.field('S').is_none()).unwrap_or_default();
        match category.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((account, _)) => entry.transfer_with = Some(account.to_owned()),
            None => entry.category = some(category),
        }
        entry.raw = raw(text.get(self.start..self.end).unwrap_or_default());
        Ok(entry)
    }
}

/// Parses an amount. Quicken separates groups of three digits by commas; programs of other countries write a comma
/// before the decimals.
fn cents(text: &str) -> Result<i64, &'static str> {
    amount::cents(text, NumberStyle::ENGLISH).or_else(|rule| {
        if rule == amount::FORM { amount::cents(text, NumberStyle::of_either(text)) } else { Err(rule) }
    })
}

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
            (Ordering::Equal, Some((example, line))) => Err(Unreadable::Choice(Choice::DateOrder {
                example,
                line,
                orders: orders.to_vec(),
                profile: None,
            })),
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
