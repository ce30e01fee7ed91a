//! Standard output for results, standard error for notes. Scripts read standard output and the exit code.

use std::io::{IsTerminal as _, Write as _};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::error::CommandError;
use super::terminal::terminal_text;

pub(crate) use super::terminal::printable;

/// Prints lines on standard output.
///
/// # Errors
/// A closed standard output, because a result such as a token cannot be shown again.
pub(crate) fn lines<I: AsRef<str>>(lines: impl IntoIterator<Item = I>) -> Result<(), CommandError> {
    let failed = |error: std::io::Error| CommandError::internal("standard output cannot be written", &error);
    let mut stdout = std::io::stdout().lock();
    for line in lines {
        writeln!(stdout, "{}", terminal_text(line.as_ref())).map_err(failed)?;
    }
    stdout.flush().map_err(failed)
}

/// Prints a note on standard error. A closed standard error is not an error.
pub(crate) fn note(text: &str) {
    drop(writeln!(std::io::stderr(), "{}", terminal_text(text)));
}

/// Returns an argument as a shell reads it: in single quotes, unless it has only letters, digits and `._-/:@`.
pub(crate) fn argument(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "._-/:@".contains(letter);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Returns true if standard error is a terminal.
pub(crate) fn is_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// Aligns rows in columns below a heading.
pub(crate) fn table<const N: usize>(
    heading: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Vec<String> {
    columns(&std::iter::once(heading.map(str::to_owned)).chain(rows).collect::<Vec<_>>())
}

/// Aligns rows in columns. Control characters are replaced, because a terminal would obey them.
pub(crate) fn columns<R: AsRef<[String]>>(rows: &[R]) -> Vec<String> {
    let printable = |cell: &String| cell.replace(char::is_control, "\u{fffd}");
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.as_ref().iter().map(printable).collect()).collect();
    let mut widths = vec![0; rows.iter().map(Vec::len).max().unwrap_or_default()];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    rows.iter()
        .map(|row| {
            let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
        .collect()
}

/// A line on standard error that counts records. Invisible if standard error is not a terminal.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Starts the line. `activity` names the step, such as "loading".
    pub(crate) fn start(activity: &str) -> Progress {
        let target = if is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{spinner} {msg}: {human_pos} records, {elapsed}");
        bar.set_style(style.expect("the template is well formed"));
        bar.set_message(activity.to_owned());
        Progress(bar)
    }

    /// Shows the number of records so far.
    pub(crate) fn update(&self, records: u64) {
        self.0.set_position(records);
    }

    /// Runs a function that writes to standard error while the line is hidden.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn columns_are_aligned_by_characters() {
        let rows = [["äöü", "b"].map(str::to_owned)];
        assert_eq!(table(["a", "long"], rows), ["a    long", "äöü  b"]);
    }
}
