//! The text of one directive: rewrites it into the subset of Beancount's syntax that the parser understands, without moving
//! lines, and names what is not supported.
//!
//! The parser does not understand dates such as `2024/01/31`, total costs in double braces, adjacent escapes, and
//! metadata other than text, numbers and currencies.

use super::ledger::Place;

const QUOTE: char = '\u{e000}';
const BACKSLASH: char = '\u{e001}';

/// Marks the currency of a total cost. The parser takes the letter as part of the currency, and no commodity has it.
pub(super) const TOTAL: char = 'Ⓣ';

const COMMA: &str = "a number must have commas before its decimal point only, as in `1,000.00`";

/// Returns the directive in the parser's syntax. `keeps_metadata` keeps metadata that is text.
///
/// # Errors
///
/// The number of a line, counted from 1, and the rule that it breaks.
pub(super) fn readable(chunk: &Chunk, keeps_metadata: bool) -> Result<String, (u32, &'static str)> {
    let mut text = String::new();
    let mut inside_string = false;
    let mut dropped = false;
    for (line, number) in chunk.lines.iter().zip(1_u32..) {
        let (code, ends_inside) = outside_strings(line, inside_string);
        // Only a line outside a string can start metadata; a line inside a string belongs to it.
        if !inside_string {
            let keeps = keeps_metadata && line.trim_end().ends_with('"');
            dropped = number > 1 && is_metadata(line) && !keeps;
        }
        if !dropped && has_comma_after_point(&code) {
            return Err((number, COMMA));
        }
        match (dropped, inside_string, number) {
            (true, ..) => {}
            (_, true, _) => text.push_str(line),
            (.., 1) => text.push_str(&with_dashes(line)),
            _ => text.push_str(&with_marked_total(line).map_err(|rule| (number, rule))?),
        }
        text.push('\n');
        inside_string = ends_inside;
    }
    Ok(protect(&text))
}

/// Returns a line without its comment and without the content of its strings, and true if the line ends inside a
/// string. `inside` is true if the line starts inside a string.
pub(super) fn outside_strings(line: &str, mut inside: bool) -> (String, bool) {
    let mut outside = String::new();
    let mut escaped = false;
    for character in line.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => {
                inside = !inside;
                outside.push('"');
            }
            ';' if !inside => break,
            other if !inside => outside.push(other),
            _ => {}
        }
    }
    (outside, inside)
}

/// Returns true if a number has a comma after its point, as `1.000,00`. The parser would read it as 1.00.
fn has_comma_after_point(code: &str) -> bool {
    let words = code.split(|end: char| end.is_whitespace() || "{}()*/+@~".contains(end));
    words.map(|word| word.trim_start_matches('-')).any(|word| {
        word.starts_with(|first: char| first.is_ascii_digit())
            && word.split_once('.').is_some_and(|(_, decimals)| decimals.contains(','))
    })
}

/// Replaces escapes by characters that the parser does not interpret. [`restore`] undoes the replacement.
pub(super) fn protect(text: &str) -> String {
    let mut protected = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('"') => protected.push(QUOTE),
                Some('\\') => protected.push(BACKSLASH),
                Some('n' | 't' | 'r') => protected.push(' '),
                Some(other) => protected.push(other),
                None => {}
            },
            other => protected.push(other),
        }
    }
    protected
}

/// Undoes [`protect`] in a text that the parser returned.
pub(super) fn restore(text: &str) -> String {
    text.replace(QUOTE, "\"").replace(BACKSLASH, "\\")
}

fn with_dashes(line: &str) -> String {
    let end = line.find([' ', '\t']).unwrap_or(line.len());
    format!("{}{}", line[..end].replace('/', "-"), &line[end..])
}

fn is_metadata(line: &str) -> bool {
    let Some((key, _)) = line.trim_start().split_once(':') else { return false };
    key.starts_with(|first: char| first.is_ascii_lowercase())
        && key.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'))
}

/// Rewrites a total cost in double braces to one in single braces, whose currency ends with [`TOTAL`].
fn with_marked_total(line: &str) -> Result<String, &'static str> {
    let rule = "a total cost must look like `10 ITOT {{1000.00 USD}}`";
    let code = line.split(';').next().unwrap_or_default();
    let Some((before, after)) = code.split_once("{{") else { return Ok(line.to_owned()) };
    let (cost, rest) = after.split_once("}}").ok_or(rule)?;
    // A comma may also be a thousands separator: `1,000.00`.
    let is_date =
        |text: &&str| text.trim().starts_with(|first: char| first.is_ascii_digit()) && text.contains('-');
    let (cost, date) = match cost.rsplit_once(',') {
        Some((cost, date)) if is_date(&date) => (cost, format!(", {}", date.trim())),
        _ => (cost, String::new()),
    };
    if !cost.trim().contains([' ', '\t']) {
        return Err(rule);
    }
    Ok(format!("{before}{{{}{TOTAL}{date}}}{rest}", cost.trim()))
}

/// The lines of one directive, with the file and line number of the first line.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) place: Place,
    pub(super) lines: Vec<String>,
}

impl Chunk {
    /// Returns the lines as one text, each with a line feed.
    pub(super) fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

const LABEL: &str = "is not supported here: a lot with a label; leave the label out and tell lots apart by cost and \
    date, as in `{5.00 EUR, 2024-01-01}`";
const COMPOUND: &str = "is not supported here: a cost in two parts; write the cost of one unit with everything in \
    it, as in `{5.10 EUR}`, or that of all, as in `{{510.00 EUR}}`";
const SHORT_DATE: &str =
    "is not supported here: a date with a month or day of one digit; write it as in `2024-01-05`";
const TAGS: &str = "is not supported here: tags or links on a line of their own; write them at the end of the \
    transaction's first line";

const TAG_CHARACTERS: &str = "is not supported here: a tag with a slash or a point, or a link with a slash; write it with \
    letters, digits, `-` and `_`";

/// Returns the number of the first line with unsupported syntax, counted from 1, and a rule that names the supported
/// alternative.
pub(super) fn unsupported(chunk: &Chunk) -> Option<(u32, &'static str)> {
    let mut inside = false;
    for (line, number) in chunk.lines.iter().zip(1_u32..) {
        let began_inside = inside;
        let (code, ends_inside) = outside_strings(line, inside);
        inside = ends_inside;
        let rule = if began_inside { None } else { unsupported_rule(&code, number == 1) };
        if let Some(rule) = rule {
            return Some((number, rule));
        }
    }
    None
}

fn unsupported_rule(code: &str, first: bool) -> Option<&'static str> {
    if first {
        if is_short_date(code.split_whitespace().next()?) {
            return Some(SHORT_DATE);
        }
        let unreadable = |word: &str| {
            word.starts_with(['#', '^']) && word.contains('/') || word.starts_with('#') && word.contains('.')
        };
        return code.split_whitespace().any(unreadable).then_some(TAG_CHARACTERS);
    }
    if code.split_whitespace().next().is_some()
        && code.split_whitespace().all(|word| word.starts_with(['#', '^']))
    {
        return Some(TAGS);
    }
    let (_, cost) = code.split_once('{')?;
    let cost = cost.split('}').find(|part| !part.is_empty()).unwrap_or_default().trim_start_matches('{');
    match cost {
        cost if cost.contains('"') => Some(LABEL),
        cost if cost.contains('#') => Some(COMPOUND),
        cost => cost.split([',', ' ']).any(is_short_date).then_some(SHORT_DATE),
    }
}

/// Returns true for `2024-1-5` and false for `2024-01-05`.
fn is_short_date(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['-', '/']).collect();
    let digits = |part: &&str| part.chars().all(|digit| digit.is_ascii_digit());
    match parts[..] {
        [year, month, day] => {
            let short = month.len() == 1 || day.len() == 1;
            year.len() == 4 && short && [year, month, day].iter().all(digits)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn total_cost_is_marked() {
        let line = "  Assets:Fund  -10 ITOT {{1,000.00 USD, 2024-01-02}} @ 9 USD ; sold";
        let expected = "  Assets:Fund  -10 ITOT {1,000.00 USDⓉ, 2024-01-02} @ 9 USD ";
        assert_eq!(with_marked_total(line).as_deref(), Ok(expected));
        assert!(with_marked_total("  Assets:Fund 10 ITOT {{}}").is_err());
    }

    #[test]
    fn protected_escapes_are_restored() {
        assert_eq!(restore(&protect(r#""\"\\a""#)), r#"""\a""#);
    }

    #[test]
    fn metadata_is_distinguished_from_postings() {
        for (line, expected) in [
            ("  name: \"x\"", true),
            ("  Assets:Cash 1 EUR", false),
            ("  lot-id:", true),
            ("  ! Assets:A", false),
        ] {
            assert_eq!(is_metadata(line), expected, "{line}");
        }
    }
}
