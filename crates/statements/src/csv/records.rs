//! The rows below the header line, and their number, counted without parsing the cells. Without a line end
//! behind the last line, that line may be cut.

use ::csv::{Position, ReaderBuilder, StringRecord};
use passbook_domain::Currency;
use passbook_input::Fault;

use super::profile::Profile;
use crate::text::Lines;

/// The records that are visible in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Counted {
    /// Number of lines with content. A line break inside quotation marks does not end a line.
    pub(super) records: u64,
    /// Line, counted from 1, of a quotation mark that is never closed.
    pub(super) unterminated: Option<u64>,
}

impl Counted {
    pub(super) fn of(text: &str, delimiter: u8, profile: &Profile) -> Counted {
        count(text.as_bytes(), delimiter, profile.quotes)
    }
}

/// The position of the scanner in a line.
#[derive(Clone, Copy, PartialEq)]
enum At {
    LineStart,
    CellStart,
    Cell,
    Quoted,
    /// After a quotation mark inside a quoted cell, which closes the cell unless a second one follows.
    QuoteInQuoted,
}

pub(super) fn count(bytes: &[u8], delimiter: u8, quotes: bool) -> Counted {
    let (mut at, mut records, mut line, mut opened) = (At::LineStart, 0, 1, 0);
    for byte in bytes {
        at = match (at, *byte) {
            (At::Quoted, b'"') => At::QuoteInQuoted,
            (At::Quoted, _) => At::Quoted,
            (At::QuoteInQuoted, b'"') => At::Quoted,
            (At::LineStart, b'\r' | b'\n') => At::LineStart,
            (_, b'\r' | b'\n') => {
                records += 1;
                At::LineStart
            }
            (At::LineStart | At::CellStart, b'"') if quotes => {
                opened = line;
                At::Quoted
            }
            (_, byte) if byte == delimiter => At::CellStart,
            _ => At::Cell,
        };
        line += u64::from(*byte == b'\n');
    }
    let open = at == At::Quoted;
    Counted { records: records + u64::from(at != At::LineStart), unterminated: open.then_some(opened) }
}

/// The rows below the header line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body<'a> {
    pub(super) text: &'a str,
    pub(super) profile: &'a Profile,
    /// Separator of the cells.
    pub(super) delimiter: u8,
    /// Number of lines above the rows.
    pub(super) line: u64,
}

impl Body<'_> {
    /// Calls `use_record` with each record, its line in the file and its text.
    pub(super) fn for_each_record(&self, mut use_record: impl FnMut(&StringRecord, u64, &str)) {
        let mut reader = ReaderBuilder::new()
            .delimiter(self.delimiter)
            .quoting(self.profile.quotes)
            .has_headers(false)
            .flexible(true)
            .from_reader(self.text.as_bytes());
        let mut record = StringRecord::new();
        let mut lines = Lines::of(self.text);
        // Reading from memory fails only for invalid UTF-8, which the text is not.
        while reader.read_record(&mut record).unwrap_or(false) {
            let start = record.position().map_or(0, Position::byte) as usize;
            let end = reader.position().byte() as usize;
            let raw = self.text.get(start..end).unwrap_or_default();
            let blank = raw.len() - raw.trim_start_matches(['\r', '\n']).len();
            let line = self.line + lines.line(start + blank);
            use_record(&record, line, raw[blank..].trim_end_matches(['\r', '\n']));
        }
    }
}

/// Returns the fault of a last line without a line end, unless the line is whole. `header_end` is the position after
/// the header line, and `count` the number of its cells.
///
/// A row is whole if its last cell is quoted, is an amount with two decimals or a currency, or is the last cell of another row
/// too.
pub(super) fn cut(text: &str, header_end: usize, count: Option<usize>, body: &Body<'_>) -> Option<Fault> {
    if text.ends_with('\n') {
        return None;
    }
    let fault = |line| {
        let rule = "must have a line end behind it, because its last cell may be cut: download the file again, or \
                    add the line end";
        Some(Fault::new(format!("line {line}"), rule))
    };
    if header_end == text.len() {
        return fault(body.line);
    }
    let (mut last, mut last_line, mut is_quoted) = (StringRecord::new(), 0, false);
    body.for_each_record(|record, line, raw| {
        last.clone_from(record);
        (last_line, is_quoted) = (line, body.profile.quotes && raw.ends_with('"'));
    });
    let count = count.unwrap_or(last.len());
    if is_quoted || last.len() > count || last.is_empty() {
        return None;
    }
    let cell = |record: &StringRecord| record.get(count - 1).unwrap_or_default().trim().to_owned();
    let last_cell = cell(&last);
    let (mut is_repeated, mut ends_with_digit) = (false, true);
    body.for_each_record(|record, line, _| {
        let cell = cell(record);
        is_repeated |= line != last_line && cell == last_cell;
        // A sign or a currency behind the amount may be cut.
        ends_with_digit &= cell.is_empty() || cell.ends_with(|c: char| c.is_ascii_digit());
    });
    let decimals = last_cell.rsplit_once(body.profile.number_style().decimal).map(|(_, decimals)| decimals);
    let is_amount = decimals.is_some_and(|d| d.len() == 2 && d.bytes().all(|byte| byte.is_ascii_digit()));
    let is_currency = Currency::parse(&last_cell).is_ok();
    let is_whole = last.len() == count && (is_repeated || is_currency || is_amount && ends_with_digit);
    if is_whole { None } else { fault(last_line) }
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn lines_with_content_are_counted() {
        for (text, records) in [
            ("", 0),
            ("\n\r\n", 0),
            ("a,b", 1),
            ("a,b\n", 1),
            ("a,b\r\nc,d\r\n", 2),
            ("a\rb\r", 2),
            ("a,\"b\nc\"\nd,e\n", 2),
            ("\"a \"\"b\n\"\"\",c\nd,e", 2),
            ("5\" pipe,b\nc,d\n", 2),
            ("a,\n,\n", 2),
        ] {
            let counted = count(text.as_bytes(), b',', true);
            assert_eq!((counted.records, counted.unterminated), (records, None), "{text:?}");
        }
        assert_eq!(count(b"a,b\nc,\"d\ne,f\n", b',', true).unterminated, Some(2));
        assert_eq!(count(b"a,b\nc,\"d\ne,f\n", b',', false).records, 3);
    }
}
