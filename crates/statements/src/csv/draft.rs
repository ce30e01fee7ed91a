//! Drafts a profile for an unknown CSV file: each line is a guess with its evidence, or a choice that the file leaves open.
//!
//! A guess follows from all rows, and balances that the file states may refute it. The order of day and month is never
//! guessed if several fit.

mod around;
mod days;
mod money;
mod numbers;
mod sign;
mod table;
mod texts;
mod words;

use std::collections::BTreeMap;

use jiff::civil::Date;
use passbook_input::Fault;

use super::super::{ReadOptions, encoding};
use super::profile::{OPEN, Profile};
use around::Around;
use days::Days;
use money::Facts;
use numbers::Numbers;
use table::Table;

/// Decided choices: the path of a key, such as `columns.out`, and its value in TOML.
pub type Decisions = BTreeMap<String, String>;

/// A profile with guesses and open choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    bank: String,
    lines: Vec<Line>,
    notes: Vec<String>,
}

/// A line of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Section and key: `dates`, `columns.out`.
    pub path: &'static str,
    /// The guess in TOML. `None` if the line is to be decided.
    pub guess: Option<String>,
    /// The values between which a person must decide.
    pub alternatives: Vec<Alternative>,
    /// Reason of the guess, or of the choice.
    pub evidence: String,
}

/// A value of an open choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The value in TOML.
    pub value: String,
    /// The meaning of the value for the rows of the file.
    pub meaning: String,
}

impl Alternative {
    fn new(value: String, meaning: String) -> Alternative {
        Alternative { value, meaning }
    }
}

/// The circumstances of a draft besides the file.
#[derive(Clone, Debug)]
pub struct DraftOptions<'a> {
    /// Name of the bank.
    pub bank: &'a str,
    /// The day after which rows are suspicious.
    pub today: Date,
    /// Encoding of the file. Without an encoding, the bytes decide.
    pub encoding: Option<super::super::TextEncoding>,
    /// Choices that a person decided.
    pub decisions: &'a Decisions,
}

/// Drafts a profile for a CSV file.
///
/// # Errors
/// The file has no row with a day and an amount, or is no text.
pub fn draft(bytes: &[u8], options: &DraftOptions<'_>) -> Result<Draft, Fault> {
    let read_options = ReadOptions { encoding: options.encoding, ..ReadOptions::default() };
    let (text, weak) = encoding::decode(bytes, &read_options)?;
    let table = Table::find(&text)
        .ok_or_else(|| Fault::new("file", "must have rows with a day and an amount, separated into cells"))?;
    let mut builder = Builder { decisions: options.decisions, lines: Vec::new(), notes: Vec::new() };
    if let Some(encoding) = options.encoding.or(weak) {
        builder.guess("encoding", self::text(encoding.name()), "fits the bytes best");
    }
    add_shape(&mut builder, &table);
    let booked = texts::add_days(&mut builder, &table);
    let days = Days::find(&table, booked);
    if days.formats.is_empty() {
        return Err(Fault::new("file", "must have days of one form in all rows"));
    }
    add_dates(&mut builder, &table, &days, booked, options.today);
    let numbers = add_numbers(&mut builder, &table);
    let around = Around::find(&table, numbers.style);
    let facts =
        Facts { table: &table, numbers: &numbers, newest_first: days.newest_first, change: around.change() };
    let money = facts
        .add(&mut builder)
        .ok_or_else(|| Fault::new("file", "must have a column of amounts that all rows fit"))?;
    around::add_left_out(&mut builder, &table, &money.columns);
    around::add_account(&mut builder, &table);
    around.add_balance(&mut builder, money.last, money.sum);
    texts::add(&mut builder, &table, &numbers, &money);
    Ok(Draft { bank: options.bank.to_owned(), lines: builder.lines, notes: builder.notes })
}

/// Returns true if a profile may be drafted for a text.
pub(super) fn has_rows(text: &str) -> bool {
    Table::find(text).is_some()
}

fn add_shape(builder: &mut Builder<'_>, table: &Table) {
    let rows = table.rows.len();
    match &table.header {
        Some(header) => {
            builder.guess("headers", format!("[{}]", text(header)), "the line above the first row")
        }
        None => {
            let lines = table.rows.first().map_or(0, |row| row.line - 1);
            builder.guess("skip_lines", lines.to_string(), "no header line is above the first row");
        }
    }
    let delimiter = text(&char::from(table.delimiter).to_string());
    builder.guess("delimiter", delimiter, format!("gives {} cells in {rows} rows", table.width));
    if !table.quotes {
        builder.guess("quotes", "false".to_owned(), "a quotation mark is never closed");
    }
}

fn add_dates(builder: &mut Builder<'_>, table: &Table, days: &Days, booked: usize, today: Date) {
    let formats: Vec<String> = days.formats.iter().map(|format| text(format)).collect();
    let rows = table.rows.len();
    let one = days.orders.first().map(|order| days.meaning(table, booked, *order, today)).unwrap_or_default();
    let evidence = if days.orders.len() > 1 { String::new() } else { format!(": {one}") };
    builder.guess("dates", format!("[{}]", formats.join(", ")), format!("fits all {rows} rows{evidence}"));
    if days.orders.len() > 1 {
        let options: Vec<Alternative> = days
            .orders
            .iter()
            .map(|order| Alternative::new(text(order.as_str()), days.meaning(table, booked, *order, today)))
            .collect();
        builder.choose("date_order", &options, &format!("all {rows} rows fit each order"));
    }
}

fn add_numbers(builder: &mut Builder<'_>, table: &Table) -> Numbers {
    let mut numbers = Numbers::read(table, None);
    if let Some(other) = numbers.other {
        let decimals = [numbers.style.decimal, other.decimal];
        let meaning = "it separates the decimals, and the other one groups of digits";
        let option = |decimal: char| Alternative::new(text(&decimal.to_string()), meaning.to_owned());
        let chosen = builder.choose("decimal", &decimals.map(option), "both fit all amounts");
        numbers = Numbers::read(table, Some(decimals[chosen.unwrap_or(0)]));
    }
    builder.guess("decimal", text(&numbers.style.decimal.to_string()), "fits all amounts");
    if let Some(group) = numbers.style.group {
        builder.guess("group", text(&group.to_string()), "fits all amounts");
    }
    numbers
}

/// Collects the lines of a draft.
#[derive(Debug)]
struct Builder<'a> {
    decisions: &'a Decisions,
    lines: Vec<Line>,
    notes: Vec<String>,
}

impl Builder<'_> {
    /// Adds a guess, unless the key has a line.
    fn guess(&mut self, path: &'static str, value: String, evidence: impl Into<String>) {
        if self.lines.iter().all(|line| line.path != path) {
            let evidence = evidence.into();
            self.lines.push(Line { path, guess: Some(value), alternatives: Vec::new(), evidence });
        }
    }

    /// Returns the index of the alternative that a person chose. Otherwise adds an open choice.
    fn choose(&mut self, path: &'static str, alternatives: &[Alternative], evidence: &str) -> Option<usize> {
        let decided = self.decisions.get(path);
        let chosen = alternatives.iter().position(|one| Some(&one.value) == decided);
        if let Some(chosen) = chosen {
            self.guess(path, alternatives[chosen].value.clone(), "as decided");
        } else if self.lines.iter().all(|line| line.path != path) {
            let evidence = evidence.to_owned();
            self.lines.push(Line { path, guess: None, alternatives: alternatives.to_vec(), evidence });
        }
        chosen
    }

    fn is_open(&self, path: &str) -> bool {
        self.lines.iter().any(|line| line.path == path && line.guess.is_none())
    }

    fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }
}

impl Draft {
    /// Returns the choices that are open, in the order in which they should be decided.
    pub fn open(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| line.guess.is_none())
    }

    /// Returns the profile, with evidence as comments.
    pub fn to_toml(&self) -> String {
        let letters = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let name: String = self.bank.chars().map(letters).collect();
        let mut toml = format!("name = {}\nbank = {}\n", text(&name), text(&self.bank));
        for section in ["", "columns", "amount", "preamble", "footer"] {
            let lines: Vec<(&str, &Line)> =
                self.lines.iter().filter_map(|line| line.key_in(section)).collect();
            if !lines.is_empty() && !section.is_empty() {
                toml.push_str(&format!("\n[{section}]\n"));
            }
            lines.into_iter().for_each(|(key, line)| toml.push_str(&line.to_toml(key)));
        }
        self.notes.iter().for_each(|note| toml.push_str(&format!("# {note}\n")));
        toml
    }

    /// Returns the profile.
    ///
    /// # Errors
    /// The line of a choice that is open.
    pub fn profile(&self) -> Result<Profile, Fault> {
        Profile::parse(&self.to_toml(), "draft")
    }
}

impl Line {
    /// Returns the key, if the line is in a section.
    fn key_in(&self, section: &str) -> Option<(&str, &Line)> {
        let (of, key) = self.path.rsplit_once('.').unwrap_or(("", self.path));
        (of == section).then_some((key, self))
    }

    fn to_toml(&self, key: &str) -> String {
        let plain = |text: &str| text.replace(char::is_control, " ");
        let Some(guess) = &self.guess else {
            let values =
                self.alternatives.iter().map(|one| plain(&format!("{} ({})", one.value, one.meaning)));
            let values = values.collect::<Vec<_>>().join(" or ");
            return format!("{key} = {OPEN}  # {values}: {}\n", plain(&self.evidence));
        };
        format!("{key} = {guess}  # {}\n", plain(&self.evidence))
    }
}

/// Returns a text as a TOML string. A JSON string is one.
fn text(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}
