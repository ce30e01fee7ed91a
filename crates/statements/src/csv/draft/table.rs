//! Finds the table of a CSV file: the separator, the header line, the rows, and the lines around them.

use ::csv::{Position, ReaderBuilder, StringRecord};

use super::super::super::amount::displayed_cents;
use super::super::header::cells;
use super::super::records::count;
use super::days::is_day;
use super::numbers::STYLES;

/// Number of records above the first row among which the header line is searched.
const ABOVE_MAX: usize = 3;
/// Maximum number of digits of a title.
const DIGITS_MAX: usize = 5;

/// A record of the file.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Line in the file, counted from 1.
    pub(super) line: u64,
    cells: Vec<String>,
}

impl Row {
    /// Returns the text of a cell. A cell that the row lacks is empty.
    pub(super) fn cell(&self, column: usize) -> &str {
        self.cells.get(column).map_or("", String::as_str)
    }

    pub(super) fn cells(&self) -> &[String] {
        &self.cells
    }

    /// Returns the first cell with text.
    pub(super) fn first(&self) -> &str {
        self.cells.iter().map(String::as_str).find(|cell| !cell.is_empty()).unwrap_or_default()
    }
}

/// The table of a file.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) delimiter: u8,
    /// False if quotation marks are ordinary characters.
    pub(super) quotes: bool,
    /// The rows with a day.
    pub(super) rows: Vec<Row>,
    /// Other records among the rows.
    pub(super) among: Vec<Row>,
    /// The lines above the header line or the first row.
    pub(super) above: Vec<Row>,
    /// The records below the last row.
    pub(super) below: Vec<Row>,
    /// The header line as written.
    pub(super) header: Option<String>,
    /// The names of the columns. Empty without a header line.
    pub(super) names: Vec<String>,
    /// Number of columns.
    pub(super) width: usize,
    /// The columns whose cells are days.
    pub(super) day_columns: Vec<usize>,
}

impl Table {
    /// Finds the table of a text. `None` if no record has a day and an amount.
    pub(super) fn find(text: &str) -> Option<Table> {
        let splits = [b',', b';', b'\t', b'|'].into_iter().map(|delimiter| {
            let quotes = count(text.as_bytes(), delimiter, true).unterminated.is_none();
            let records = records(text, delimiter, quotes);
            let likely = records.iter().filter(|row| is_likely(row)).count();
            (likely, delimiter, quotes, records)
        });
        let (_, delimiter, quotes, records) =
            splits.filter(|(likely, ..)| *likely > 0).max_by_key(|(likely, _, _, records)| {
                (*likely, records.iter().map(|row| row.cells.len()).max())
            })?;
        let day_columns = day_columns(&records);
        let has_days = |row: &Row| {
            let mut days = day_columns.iter().map(|column| row.cell(*column)).filter(|cell| !cell.is_empty());
            !row.cell(day_columns[0]).is_empty() && days.all(is_day)
        };
        let any = records.iter().position(|row| has_days(row) && is_likely(row))?;
        let width = records[any].cells.len();
        // A row whose amount has another form is a row too: the draft must not leave it out.
        let is_row = |row: &Row| has_days(row) && (is_likely(row) || row.cells.len() == width);
        let (first, last) = (records.iter().position(is_row)?, records.iter().rposition(is_row)?);
        let header = (first.saturating_sub(ABOVE_MAX)..first).rev().find_map(|at| {
            let line = text.lines().nth(usize::try_from(records[at].line).ok()?.checked_sub(1)?)?;
            let names = cells(line, delimiter)?;
            is_header(&names, &records[at], &records[first]).then(|| (at, line.trim(), names))
        });
        let start = header.as_ref().map_or(first, |(at, ..)| at + 1);
        let (rows, among) = records[start..=last].iter().cloned().partition(has_days);
        let above = records[..header.as_ref().map_or(first, |(at, ..)| *at)].to_vec();
        let names = header.as_ref().map(|(_, _, names)| names.clone()).unwrap_or_default();
        let width = if names.is_empty() { records[first].cells.len() } else { names.len() };
        Some(Table {
            delimiter,
            quotes,
            rows,
            among,
            above,
            below: records[last + 1..].to_vec(),
            header: header.map(|(_, line, _)| line.trim_start_matches('\u{feff}').to_owned()),
            names,
            width,
            day_columns: day_columns.into_iter().filter(|column| *column < width).collect(),
        })
    }

    /// Returns the name of a column in a profile.
    pub(super) fn name(&self, column: usize) -> String {
        let by_position = format!("#{}", column + 1);
        let Some(name) = self.names.get(column).filter(|name| !name.is_empty() && !name.contains('#')) else {
            return by_position;
        };
        let same =
            self.names[..column].iter().filter(|other| other.to_lowercase() == name.to_lowercase()).count();
        if same == 0 { name.clone() } else { format!("{name}#{}", same + 1) }
    }

    /// Returns the header of a column, or nothing.
    pub(super) fn title(&self, column: usize) -> &str {
        self.names.get(column).map_or("", String::as_str)
    }

    /// Returns the different texts of a column, if they are few.
    pub(super) fn values(&self, column: usize, max: usize) -> Option<Vec<&str>> {
        let mut values: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !values.contains(&row.cell(column)) {
                values.push(row.cell(column));
            }
            if values.len() > max {
                return None;
            }
        }
        Some(values)
    }
}

/// Returns true if a cell is an amount in any style.
pub(super) fn is_amount(cell: &str) -> bool {
    cell.contains(|c: char| c.is_ascii_digit())
        && STYLES.iter().any(|style| displayed_cents(cell, *style).is_ok())
}

/// Returns true if a record has a day and an amount.
fn is_likely(row: &Row) -> bool {
    let (days, others): (Vec<&String>, Vec<&String>) = row.cells.iter().partition(|cell| is_day(cell));
    !days.is_empty() && others.into_iter().any(|cell| is_amount(cell))
}

/// Returns the columns in which most likely rows have a day.
fn day_columns(records: &[Row]) -> Vec<usize> {
    let likely: Vec<&Row> = records.iter().filter(|row| is_likely(row)).collect();
    let width = likely.iter().map(|row| row.cells.len()).max().unwrap_or_default();
    let days = |column: usize| likely.iter().filter(|row| is_day(row.cell(column))).count();
    let most = (0..width).map(days).max().unwrap_or_default();
    // A labelled balance above the rows may have its day in one of their columns.
    (0..width).filter(|column| days(*column) * 5 > most * 3).collect()
}

/// Returns true if the cells of a record can be the header of a row.
fn is_header(names: &[String], record: &Row, row: &Row) -> bool {
    let texts = names.iter().filter(|name| !name.is_empty()).count();
    let digits = |name: &String| name.bytes().filter(u8::is_ascii_digit).count();
    let has_values = names.iter().any(|name| is_day(name) || is_amount(name) || digits(name) > DIGITS_MAX);
    let filled = row.cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
    let fits = names.len() >= filled && names.len() <= row.cells.len() && record.cells.len() >= names.len();
    !has_values && fits && texts * 2 >= filled
}

fn records(text: &str, delimiter: u8, quotes: bool) -> Vec<Row> {
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .quoting(quotes)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let (mut record, mut rows) = (StringRecord::new(), Vec::new());
    let mut lines = super::super::super::text::Lines::of(text);
    // Reading from memory fails only for invalid UTF-8, which the text is not.
    while reader.read_record(&mut record).unwrap_or(false) {
        let start = record.position().map_or(0, Position::byte) as usize;
        let blank = text[start..].len() - text[start..].trim_start_matches(['\r', '\n']).len();
        let line = lines.line(start + blank);
        rows.push(Row { line, cells: record.iter().map(|cell| cell.trim().to_owned()).collect() });
    }
    rows
}
