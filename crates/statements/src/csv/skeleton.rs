//! Writes a profile to complete, for a CSV file without a profile.

use super::header::cells;

/// Number of lines that are compared.
const LINES_MAX: usize = 60;

/// Returns a profile in TOML with the columns of the file, or `None` if the file has no line that could be a header.
///
/// The header line is the first of the longest run of lines with the same number of cells.
pub fn skeleton(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().take(LINES_MAX).collect();
    let guesses = [b',', b';', b'\t', b'|'].into_iter().filter_map(|delimiter| guess(&lines, delimiter));
    let guess = guesses.max_by_key(|guess| (guess.run, guess.cells.len()))?;
    let header = lines.get(guess.line).copied().unwrap_or_default().trim_start_matches('\u{feff}');
    let delimiter = char::from(guess.delimiter).to_string();
    let names = guess.cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(", ");
    let example = lines.get(guess.line + 1).copied().unwrap_or_default();
    Some(format!(
        "name = \"my-bank\"\n\
         bank = \"My Bank\"\n\
         headers = [{}]\n\
         delimiter = {}\n\
         # decimal = \",\"\n\
         # group = \".\"\n\
         dates = [\"%d.%m.%Y\"]\n\
         # currency = \"EUR\"\n\
         \n\
         # The columns of the file: {names}\n\
         # Its first row: {}\n\
         [columns]\n\
         booked = \"\"\n\
         amount = \"\"\n\
         party = \"\"\n\
         text = [\"\"]\n",
        quoted(header),
        quoted(&delimiter),
        example.trim().escape_default()
    ))
}

/// A possible header line.
struct Guess {
    delimiter: u8,
    line: usize,
    cells: Vec<String>,
    /// Number of lines with the same number of separators.
    run: usize,
}

fn guess(lines: &[&str], delimiter: u8) -> Option<Guess> {
    let separators = |line: &str| line.bytes().filter(|byte| *byte == delimiter).count();
    let mut best: Option<Guess> = None;
    let mut start = 0;
    while start < lines.len() {
        let count = separators(lines[start]);
        let run = lines[start..].iter().take_while(|line| separators(line) == count).count();
        if count > 0 && best.as_ref().is_none_or(|best| run > best.run) {
            let cells = cells(lines[start], delimiter);
            best = cells.map(|cells| Guess { delimiter, line: start, cells, run }).or(best);
        }
        start += run;
    }
    best.filter(|best| best.cells.len() > 2)
}

/// Returns a text as a TOML string. A JSON string without control characters is one.
fn quoted(text: &str) -> String {
    let plain: String = text.trim().chars().filter(|c| !c.is_control()).collect();
    serde_json::Value::String(plain).to_string()
}
