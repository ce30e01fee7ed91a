//! Chooses the format of the days of a file.

use jiff::civil::Date;
use passbook_input::Fault;

use super::super::{Choice, DateOrder, Unreadable, day};
use super::columns::Columns;
use super::records::Body;

/// The formats of a file: the chosen one first, then those with the same order of day and month.
#[derive(Debug)]
pub(super) struct DayFormats<'a>(Vec<&'a str>);

impl DayFormats<'_> {
    pub(super) fn parse(&self, text: &str) -> Option<Date> {
        self.0.iter().find_map(|format| day::parse(text, format))
    }

    /// Returns the rule of a day, with the format.
    pub(super) fn rule(&self) -> String {
        format!("must be a calendar day in the form {}", self.0.first().copied().unwrap_or_default())
    }
}

/// Chooses the format that all days of the file fit.
///
/// # Errors
/// A choice if formats of different order fit and give different days.
pub(super) fn choose<'a>(
    columns: &Columns,
    body: &Body<'a>,
    wanted: Option<DateOrder>,
) -> Result<DayFormats<'a>, Unreadable> {
    let profile = body.profile;
    let wanted = profile.date_order().or(wanted);
    let allowed = |format: &&str| wanted.is_none() || day::order(format) == wanted;
    let mut formats: Vec<&str> = profile.dates.iter().map(String::as_str).filter(allowed).collect();
    if formats.is_empty() {
        // The chosen order applies to files that leave it open. This profile does not.
        formats = profile.dates.iter().map(String::as_str).collect();
    }
    if formats.len() == 1 {
        return Ok(DayFormats(formats));
    }
    let fits = Fits::count(columns, body, &formats);
    let best = fits.hits.iter().copied().max().unwrap_or(0);
    let fitting: Vec<usize> = (0..formats.len()).filter(|index| fits.hits[*index] == best).collect();
    let mut orders: Vec<DateOrder> = fitting.iter().filter_map(|index| day::order(formats[*index])).collect();
    orders.sort_unstable();
    orders.dedup();
    if let (true, Some((example, line))) = (orders.len() > 1 && best > 0, fits.different) {
        return Err(Unreadable::Choice(Choice::DateOrder {
            example,
            line,
            orders,
            profile: Some(profile.name.clone()),
        }));
    }
    let Some(chosen) = fitting.first().map(|index| formats[*index]) else {
        return Err(Fault::new("profile", "must have a format of days").into());
    };
    let others =
        formats.iter().copied().filter(|other| *other != chosen && day::order(other) == day::order(chosen));
    Ok(DayFormats(std::iter::once(chosen).chain(others).collect()))
}

/// The days that fit each format.
struct Fits {
    /// Number of days that each format reads.
    hits: Vec<u64>,
    /// The first day that two formats read as different days, with its line.
    different: Option<(String, u64)>,
}

impl Fits {
    fn count(columns: &Columns, body: &Body<'_>, formats: &[&str]) -> Fits {
        let mut fits = Fits { hits: vec![0; formats.len()], different: None };
        body.for_each_record(|record, line, _| {
            let cell = columns
                .at
                .booked
                .iter()
                .filter_map(|at| record.get(*at))
                .find(|cell| !cell.trim().is_empty());
            let Some(cell) = cell else { return };
            let mut first = None;
            for (index, format) in formats.iter().enumerate() {
                let Some(day) = day::parse(cell, format) else { continue };
                fits.hits[index] += 1;
                if first.is_some_and(|first| first != day) && fits.different.is_none() {
                    fits.different = Some((cell.to_owned(), line));
                }
                first = first.or(Some(day));
            }
        });
        fits
    }
}
