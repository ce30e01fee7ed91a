//! One record of a QIF file.

use passbook_input::Fault;

use super::super::Entry;
use super::super::amount::{self, NumberStyle};
use super::super::text::{joined, raw, some};
use super::days::DayOrder;

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

    /// Returns the entry. The parts of a split transaction are one booking.
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
