//! Counts the records of a CSV text without parsing the cells.

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

fn count(bytes: &[u8], delimiter: u8, quotes: bool) -> Counted {
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
