//! The rows below the header line, and their number, counted without parsing the cells.

use ::csv::{Position, ReaderBuilder, StringRecord};

use super::super::text::Lines;
use super::profile::Profile;

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
