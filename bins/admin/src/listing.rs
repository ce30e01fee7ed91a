//! Lists on standard output: aligned columns, or JSON.

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::error::CommandError;
use super::output;

/// The flag for the format of a list.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Listing {
    /// Format on standard output
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    pub(crate) output: Format,
}

/// The format of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns for people
    Text,
    /// JSON for programs
    Json,
}

/// A column of a list: its heading, which may be empty, and the function that returns the text of an entry.
pub(crate) type Column<E> = (&'static str, fn(&E) -> String);

/// An entry of a list. In JSON, an entry is an object with the fields of the type.
pub(crate) trait ListEntry: Serialize + Sized + 'static {
    /// The columns in order.
    const COLUMNS: &[Column<Self>];
}

/// Returns values, such as the surfaces that accept a credential, in one text.
pub(crate) fn joined(values: &[String]) -> String {
    if values.is_empty() { "none".to_owned() } else { values.join(",") }
}

/// Prints a list: a table, or an array of objects.
pub(crate) fn print<E: ListEntry>(entries: &[E], listing: Listing) -> Result<(), CommandError> {
    match listing.output {
        Format::Json => print_json(entries),
        Format::Text => output::lines(table(entries)),
    }
}

/// Returns the lines of a table.
pub(crate) fn table<E: ListEntry>(entries: &[E]) -> Vec<String> {
    let heading: Vec<String> = E::COLUMNS.iter().map(|(heading, _)| (*heading).to_owned()).collect();
    let heading = Some(heading).filter(|heading| heading.iter().any(|text| !text.is_empty()));
    let cells = |entry| E::COLUMNS.iter().map(|(_, cell)| cell(entry)).collect();
    let rows: Vec<Vec<String>> = heading.into_iter().chain(entries.iter().map(cells)).collect();
    output::columns(&rows)
}

/// Prints one entry: a line for each column, or an object.
pub(crate) fn print_one<E: ListEntry>(entry: &E, listing: Listing) -> Result<(), CommandError> {
    match listing.output {
        Format::Json => print_json(entry),
        Format::Text => {
            let rows = E::COLUMNS.iter().map(|(heading, cell)| [(*heading).to_owned(), cell(entry)]);
            output::lines(output::columns(&rows.collect::<Vec<_>>()))
        }
    }
}

/// Prints a value as JSON.
pub(crate) fn print_json<T: Serialize + ?Sized>(value: &T) -> Result<(), CommandError> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| CommandError::internal("the result cannot be written as JSON", &error))?;
    // JSON escapes the control characters up to U+001F only. The others stand in texts.
    let escaped = |character: char| match character {
        '\u{7f}'..='\u{9f}' => format!("\\u{:04x}", u32::from(character)),
        other => other.to_string(),
    };
    output::lines([text.chars().map(escaped).collect::<String>()])
}

/// Returns an amount in hundredths as text with two decimals.
pub(crate) fn amount(cents: impl Into<i128>) -> String {
    let cents = cents.into();
    let (sign, magnitude) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
    format!("{sign}{}.{:02}", magnitude / 100, magnitude % 100)
}

/// Returns a value as text; nothing if it is absent.
pub(crate) fn optional<T: ToString>(value: Option<&T>) -> String {
    value.map(T::to_string).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::amount;

    #[test]
    fn amount_has_two_decimals_and_a_sign() {
        for (cents, expected) in [
            (0, "0.00"),
            (5, "0.05"),
            (-5, "-0.05"),
            (123_456, "1234.56"),
            (i128::from(i64::MIN), "-92233720368547758.08"),
            (i128::from(i64::MIN) - 1, "-92233720368547758.09"),
        ] {
            assert_eq!(amount(cents), expected);
        }
    }
}
