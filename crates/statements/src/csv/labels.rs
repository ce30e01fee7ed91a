//! Labelled cells above the header line and below the rows: account, name and balance.

use ::csv::{ReaderBuilder, StringRecord};
use passbook_input::Fault;
use serde::Deserialize;

use super::super::amount::{self, NumberStyle};
use super::super::{AccountReference, day, text};
use super::columns::Columns;
use super::header::cleaned;
use super::profile::{Names, Profile};
use super::records::Body;

/// Labels of cells above the header line.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PreambleLabels {
    /// Labels of the IBAN or the number of the account.
    pub(super) account: Names<Label>,
    /// Labels of the closing balance. The day is that of the newest row.
    pub(super) balance: Names<Label>,
    /// Labels of the name of the account.
    pub(super) account_name: Names<Label>,
    /// True if the labels may be missing.
    pub(super) optional: bool,
}

/// The rows at the end of a file that are no transactions.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Footer {
    /// Labels of the first row of the footer: the first cell with text.
    pub(super) start: Names<Label>,
    /// Labels of the closing balance. They start the footer too.
    pub(super) balance: Names<Label>,
    /// True if the footer may be missing.
    pub(super) optional: bool,
}

/// A label, and the place of its value. A label that ends with `*` is the start of the cell.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "WrittenLabel")]
pub(super) struct Label {
    pub(super) text: String,
    /// Number of cells to the right.
    pub(super) right: usize,
    /// Number of lines below.
    pub(super) below: usize,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenLabel {
    Text(String),
    Placed(PlacedLabel),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlacedLabel {
    label: String,
    right: Option<usize>,
    #[serde(default)]
    below: usize,
}

impl From<WrittenLabel> for Label {
    fn from(written: WrittenLabel) -> Label {
        match written {
            WrittenLabel::Text(text) => Label { text, right: 1, below: 0 },
            WrittenLabel::Placed(PlacedLabel { label, right, below }) => {
                Label { text: label, right: right.unwrap_or(usize::from(below == 0)), below }
            }
        }
    }
}

impl Label {
    /// Returns true if a cell is the label. Colons at the end do not matter.
    fn is(&self, cell: &str) -> bool {
        let (cell, label) = (trimmed(cell), trimmed(&self.text));
        label.strip_suffix('*').map_or(cell == label, |start| cell.starts_with(start))
    }
}

fn trimmed(cell: &str) -> &str {
    cell.trim_end_matches(':').trim()
}

/// Account and balance that the lines around the rows state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Surroundings {
    pub(super) account: AccountReference,
    /// Closing balance, in hundredths.
    pub(super) balance: Option<i64>,
}

/// Reads the labelled cells above the header line and in the footer.
///
/// # Errors
/// The balance is not an amount, or a label of the profile is nowhere.
pub(super) fn read(
    profile: &Profile,
    delimiter: u8,
    above: &str,
    footer: (&str, u64),
) -> Result<Surroundings, Fault> {
    let (labels, style) = (&profile.preamble, profile.balance_style());
    let above =
        Lines { text: above, delimiter, line: 0, place: "above the header line", optional: labels.optional };
    let below = Lines {
        text: footer.0,
        delimiter,
        line: footer.1,
        place: "below the rows",
        optional: profile.footer.optional,
    };
    let mut found = Surroundings::default();
    if let Some(value) = above.value(&labels.account)? {
        // DKB writes the kind of the account before its number.
        let iban = value.text.split_whitespace().find_map(AccountReference::parse_iban);
        found.account.set_iban_or_number(iban.as_deref().unwrap_or(&value.text));
    }
    found.account.name = above.value(&labels.account_name)?.and_then(|value| text::some(&value.text));
    for value in [above.value(&labels.balance)?, below.value(&profile.footer.balance)?].into_iter().flatten()
    {
        found.balance = Some(value.cents(style)?);
    }
    Ok(found)
}

/// Lines with labelled cells.
struct Lines<'a> {
    text: &'a str,
    delimiter: u8,
    /// Number of lines of the file above.
    line: u64,
    place: &'static str,
    optional: bool,
}

/// The value behind a label.
struct Value {
    line: u64,
    label: String,
    text: String,
    /// True if the file ends behind the value without a line end.
    may_be_cut: bool,
}

impl Lines<'_> {
    /// Returns the last value that has one of the labels, or `None` without labels.
    fn value(&self, labels: &Names<Label>) -> Result<Option<Value>, Fault> {
        if labels.0.is_empty() {
            return Ok(None);
        }
        let lines: Vec<Vec<String>> = self.text.lines().map(|line| split(line, self.delimiter)).collect();
        let mut found = None;
        for (at, line) in lines.iter().enumerate() {
            for (column, cell) in line.iter().enumerate() {
                let Some(label) = labels.0.iter().find(|label| label.is(cell)) else { continue };
                let value_line = lines.get(at + label.below);
                let value = value_line.and_then(|line| line.get(column + label.right));
                let is_end = at + label.below + 1 == lines.len() && !self.text.ends_with('\n');
                found = Some(Value {
                    line: self.line + (at + label.below) as u64 + 1,
                    label: cell.clone(),
                    text: value.cloned().unwrap_or_default(),
                    may_be_cut: is_end
                        && value_line.is_some_and(|line| line.len() == column + label.right + 1),
                });
            }
        }
        let missing = || {
            let names: Vec<&str> = labels.0.iter().map(|label| label.text.as_str()).collect();
            let rule =
                format!("must have the label {} {}, as the profile says", names.join(" or "), self.place);
            Fault::new("file", rule)
        };
        if found.is_none() && !self.optional { Err(missing()) } else { Ok(found) }
    }
}

impl Value {
    fn cents(&self, style: NumberStyle) -> Result<i64, Fault> {
        let fault = |rule: &str| {
            let place = format!("line {}, {}", self.line, self.label);
            Err(Fault::new(place, rule).received(format!("{:?}", self.text)))
        };
        let decimals = self.text.rsplit_once(style.decimal).map_or(0, |(_, decimals)| decimals.len());
        if self.may_be_cut && decimals < 2 {
            return fault("must have a line end behind it, because it may be cut: download the file again");
        }
        amount::displayed_cents(&self.text, style).or_else(fault)
    }
}

/// Returns the position of the footer in the text of a body, with the number of lines above it.
///
/// # Errors
/// No row starts a footer, or a row below the start has a booking day: it would be lost.
pub(super) fn footer(body: &Body<'_>, columns: &Columns) -> Result<Option<(usize, u64)>, Fault> {
    let profile = body.profile;
    let labels: Vec<&Label> = profile.footer.start.0.iter().chain(&profile.footer.balance.0).collect();
    if labels.is_empty() {
        return Ok(None);
    }
    let (mut found, mut lost) = (None, None);
    body.for_each_record(|record, line, raw| {
        let first = record.iter().map(cleaned).find(|cell| !cell.is_empty()).unwrap_or_default();
        if found.is_none() && labels.iter().any(|label| label.is(&first)) {
            found = Some((raw.as_ptr() as usize - body.text.as_ptr() as usize, line - 1));
        }
        let mut days = columns.at.booked.iter().filter_map(|at| record.get(*at));
        let has_day = days.any(|cell| profile.dates.iter().any(|format| day::parse(cell, format).is_some()));
        lost = lost.or((found.is_some() && has_day).then_some(line));
    });
    let names: Vec<&str> = labels.iter().map(|label| label.text.as_str()).collect();
    let names = names.join(" or ");
    match (found, lost) {
        (None, _) if profile.footer.optional => Ok(None),
        (None, _) => {
            let rule = format!("must have a footer that starts with {names}, as the profile says");
            Err(Fault::new("file", rule))
        }
        (Some(_), Some(line)) => {
            let rule = format!("must not have a booking day below the start of the footer, {names}");
            Err(Fault::new(format!("line {line}"), rule))
        }
        (found, None) => Ok(found),
    }
}

/// Splits a line into cells without white space and quotation marks at the ends.
pub(super) fn split(line: &str, delimiter: u8) -> Vec<String> {
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(line.as_bytes());
    let mut record = StringRecord::new();
    // Reading from memory fails only for invalid UTF-8, which the text is not.
    let is_read = reader.read_record(&mut record).unwrap_or(false);
    if is_read { record.iter().map(cleaned).collect() } else { Vec::new() }
}
