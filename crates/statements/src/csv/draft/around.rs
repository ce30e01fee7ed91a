//! Finds account and balances in the lines around the rows of a file.

use super::super::super::AccountReference;
use super::super::super::amount::{NumberStyle, displayed_cents};
use super::days::is_day;
use super::table::{Row, Table, is_amount};
use super::words::{self, has};
use super::{Alternative, Builder, text};

/// The meaning of a labelled balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Opening,
    Closing,
    /// The label does not say which.
    Unknown,
}

/// A labelled balance around the rows.
#[derive(Debug)]
struct Labelled {
    /// The label in a profile.
    label: String,
    /// The label as written.
    title: String,
    meaning: Meaning,
    cents: i64,
    is_footer: bool,
}

/// The labelled balances of a file.
#[derive(Debug)]
pub(super) struct Around(Vec<Labelled>);

impl Around {
    pub(super) fn find(table: &Table, style: NumberStyle) -> Around {
        let mut found = labelled(&table.above, style, false);
        found.extend(labelled(&table.below, style, true));
        Around(found)
    }

    fn one(&self, meaning: Meaning) -> Option<&Labelled> {
        let mut all = self.0.iter().filter(|one| one.meaning == meaning);
        all.next().filter(|_| all.next().is_none())
    }

    /// Returns the difference between the closing and the opening balance, if both are stated.
    pub(super) fn change(&self) -> Option<i64> {
        self.one(Meaning::Closing)?.cents.checked_sub(self.one(Meaning::Opening)?.cents)
    }

    /// Adds the closing balance. `last` is the balance after the newest row, and `sum` that of all rows, if they are known.
    pub(super) fn add_balance(&self, builder: &mut Builder<'_>, last: Option<i64>, sum: Option<i64>) {
        let proven = |one: &&Labelled| {
            let opening = self.one(Meaning::Opening).map(|opening| opening.cents);
            last == Some(one.cents)
                || one.meaning == Meaning::Closing
                    && opening.zip(sum).is_some_and(|(from, sum)| from.checked_add(sum) == Some(one.cents))
        };
        let closing = |one: &&Labelled| one.meaning != Meaning::Opening;
        if let Some(one) = self.0.iter().filter(closing).find(proven) {
            let rows =
                if last == Some(one.cents) { "the balance after the newest row" } else { "opening and rows" };
            return builder.guess(one.path(), one.label.clone(), format!("{} agrees with {rows}", one.title));
        }
        if let (Some(one), None) = (self.0.iter().find(closing), last) {
            let options = [
                Alternative::new(one.label.clone(), format!("{} is that after the newest row", one.title)),
                Alternative::new("[]".to_owned(), "it is that of another day".to_owned()),
            ];
            builder.choose(one.path(), &options, "no other balance proves it");
        }
    }
}

impl Labelled {
    fn path(&self) -> &'static str {
        if self.is_footer { "footer.balance" } else { "preamble.balance" }
    }
}

fn labelled(rows: &[Row], style: NumberStyle, is_footer: bool) -> Vec<Labelled> {
    let mut found = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        for (column, cell) in row.cells().iter().enumerate() {
            if cell.is_empty() || is_day(cell) || is_amount(cell) || !has(cell, words::BALANCE) {
                continue;
            }
            let is_value = |cell: &str| is_amount(cell) && !is_day(cell);
            let Some((value, label)) = value(rows, at, column, is_value) else { continue };
            let Ok(cents) = displayed_cents(value, style) else { continue };
            let meaning = match (has(cell, words::OPENING), has(cell, words::CLOSING)) {
                (true, false) => Meaning::Opening,
                (false, true) => Meaning::Closing,
                _ => Meaning::Unknown,
            };
            found.push(Labelled { label, title: cell.clone(), meaning, cents, is_footer });
        }
    }
    found
}

/// Returns the value of a label and the label in a profile: the value is to the right in the same line, or below.
fn value(rows: &[Row], at: usize, column: usize, is_value: impl Fn(&str) -> bool) -> Option<(&str, String)> {
    let row = &rows[at];
    let label = start(row.cell(column));
    let to_the_right = |other: &usize| is_value(row.cell(*other));
    if let Some(other) = (column + 1..row.cells().len()).find(to_the_right) {
        let right = other - column;
        let label = text(&label);
        let placed = if right == 1 { label } else { format!("{{ label = {label}, right = {right} }}") };
        return Some((row.cell(other), placed));
    }
    let next = rows.get(at + 1).filter(|next| is_value(next.cell(column)))?;
    Some((next.cell(column), format!("{{ label = {}, below = {} }}", text(&label), next.line - row.line)))
}

/// Returns the start of a label that every file has: a day or a number behind it differs.
fn start(cell: &str) -> String {
    match cell.find(|c: char| c.is_ascii_digit()) {
        Some(digit) if digit > 0 => format!("{}*", cell[..digit].trim_end()),
        _ => cell.trim_end_matches(':').trim_end().to_owned(),
    }
}

/// Adds the label of the account.
pub(super) fn add_account(builder: &mut Builder<'_>, table: &Table) {
    let is_iban = |cell: &str| {
        AccountReference::parse_iban(cell).is_some()
            || cell.split_whitespace().any(|word| AccountReference::parse_iban(word).is_some())
    };
    let is_number = |cell: &str| cell.bytes().filter(u8::is_ascii_digit).count() >= 4 && !is_day(cell);
    for wants_iban in [true, false] {
        let is_value = |cell: &str| if wants_iban { is_iban(cell) } else { is_number(cell) };
        for (at, row) in table.above.iter().enumerate() {
            for (column, cell) in row.cells().iter().enumerate() {
                let is_label = has(cell, words::ACCOUNT) && !has(cell, words::BALANCE) && !is_number(cell);
                if let Some((_, label)) = value(&table.above, at, column, is_value).filter(|_| is_label) {
                    let noun = if wants_iban { "an IBAN" } else { "a number" };
                    return builder.guess("preamble.account", label, format!("{noun} is there"));
                }
            }
        }
    }
}

/// Adds the start of the footer, and the condition for rows without an amount.
pub(super) fn add_left_out(builder: &mut Builder<'_>, table: &Table, amounts: &[usize]) {
    let empty = |row: &&Row| amounts.iter().all(|column| row.cell(*column).is_empty());
    let without = table.rows.iter().chain(&table.among).chain(&table.below).filter(empty).count();
    if without > 0 {
        let condition = amounts.iter().rev().fold(String::new(), |and, column| {
            let and = if and.is_empty() { and } else { format!(", and = {and}") };
            format!("{{ column = {}, values = [\"\"]{and} }}", text(&table.name(*column)))
        });
        builder.guess("skip", format!("[{condition}]"), format!("rows without an amount: {without}"));
    }
    // A row without an amount at the end of the rows is left out by the condition.
    let last = amounts.iter().max().copied().unwrap_or_default();
    let mut below = table.below.iter().skip_while(|row| empty(row) && row.cells().len() > last);
    let label = below.next().map(|row| start(row.first())).unwrap_or_default();
    let is_inside = table.among.iter().any(|row| start(row.first()) == label);
    if !is_inside && !label.is_empty() && !label.starts_with(|c: char| c.is_ascii_digit()) {
        let evidence = format!("rows below the last day: {}", below.count() + 1);
        builder.guess("footer.start", text(&label), evidence);
    }
}
