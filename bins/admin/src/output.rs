//! Results, on standard output: the one place that writes there.

use std::io::Write as _;

use crate::exit::Failure;

/// Writes lines. That nobody reads them any more is a failure only where they cannot be had again.
pub(crate) fn lines<I: AsRef<str>>(lines: impl IntoIterator<Item = I>) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    for line in lines {
        writeln!(stdout, "{}", line.as_ref())
            .map_err(|error| Failure::internal("standard output cannot be written", &error))?;
    }
    stdout.flush().map_err(|error| Failure::internal("standard output cannot be written", &error))
}

/// Lays rows out in columns; the first row is the heading.
pub(crate) fn table<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> Vec<String> {
    let mut widths = [0; COLUMNS];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    rows.iter()
        .map(|row| {
            let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn columns_line_up() {
        let rows = [["a", "long"], ["äöü", "b"]].map(|row| row.map(str::to_owned));
        assert_eq!(table(&rows), ["a    long", "äöü  b"]);
    }
}
