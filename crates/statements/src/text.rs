//! Decodes the text of a file.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use passbook_input::Fault;

use super::TEXT_BYTES_MAX;

/// Decodes a file: by its byte order mark, as UTF-8 if it is valid UTF-8, otherwise as Windows-1252.
///
/// Windows-1252 is a superset of printable ISO 8859-1, and banks that declare ASCII or ISO 8859-1 send it. Text in
/// another encoding of one byte is read with wrong accents; amounts, days and identifiers are ASCII in all of them.
///
/// # Errors
/// The text contains NUL, which no text format allows and the database cannot store.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Fault> {
    let text = match (Encoding::for_bom(bytes), declared(bytes)) {
        (Some((encoding, length)), _) => decode_as(&bytes[length..], encoding)?,
        (None, Some(UTF_8_NAME)) => decode_as(bytes, UTF_8)?,
        (None, _) if std::str::from_utf8(bytes).is_ok() => decode_as(bytes, UTF_8)?,
        (None, Some(name)) => decode_as(bytes, Encoding::for_label(name.as_bytes()).unwrap_or(WINDOWS_1252))?,
        (None, None) => decode_as(bytes, WINDOWS_1252)?,
    };
    match text.bytes().position(|byte| byte == 0) {
        None => Ok(text),
        Some(at) => Err(Fault::new(format!("line {}", line_of(&text, at)), "must be text; it contains NUL")),
    }
}

/// The declared name of UTF-8.
const UTF_8_NAME: &str = "utf-8";
/// Number of bytes at the start of a file that may declare its encoding.
const DECLARATION_BYTES_MAX: usize = 512;

/// Returns the encoding that an XML declaration or the head of an OFX file declares: `utf-8`, or the name of another one
/// for [`Encoding::for_label`].
fn declared(bytes: &[u8]) -> Option<&'static str> {
    let start = &bytes[..bytes.len().min(DECLARATION_BYTES_MAX)];
    let start: String = start.iter().filter(|byte| byte.is_ascii()).map(|byte| char::from(*byte)).collect();
    let start = start.to_ascii_lowercase().replace(['"', '\''], "");
    let xml = start.trim_start().starts_with("<?xml");
    let names =
        ["utf-8", "windows-1250", "windows-1251", "windows-1252", "iso-8859-1", "iso-8859-2", "iso-8859-15"];
    let name = names.into_iter().find(|name| {
        let after = if xml { format!("encoding={name}") } else { format!("encoding:{name}") };
        start.contains(&format!("{after} "))
            || start.contains(&format!("{after}?"))
            || start.contains(&format!("{after}\r"))
            || start.contains(&format!("{after}\n"))
    });
    let charset = || {
        let code = ["1250", "1251"].into_iter().find(|code| start.contains(&format!("charset:{code}")))?;
        Some(if code == "1250" { "windows-1250" } else { "windows-1251" })
    };
    name.or_else(charset)
}

/// Decodes a text in a declared encoding.
///
/// # Errors
/// A sequence of bytes is invalid in that encoding. Windows-1252 has no invalid sequence.
pub(super) fn decode_as<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> Result<Cow<'a, str>, Fault> {
    let decoded = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    decoded.ok_or_else(|| {
        let line = match std::str::from_utf8(bytes) {
            Err(error) if encoding == UTF_8 => 1 + newlines(&bytes[..error.valid_up_to()]),
            _ => 1,
        };
        Fault::new(format!("line {line}"), format!("must be valid {}", encoding.name()))
    })
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// Returns the line of a byte position, counted from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    1 + newlines(&text.as_bytes()[..at.min(text.len())])
}

/// Counts lines while a reader moves forward through a text, in linear time.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Lines<'a> {
        Lines { text, at: 0, line: 1 }
    }

    /// Returns the line of a byte position, counted from 1. Positions must not decrease.
    pub(super) fn line(&mut self, at: usize) -> u64 {
        let at = at.clamp(self.at, self.text.len());
        self.line += newlines(&self.text.as_bytes()[self.at..at]) as u64;
        self.at = at;
        self.line
    }
}

/// The positions of the line breaks of a text, to find lines in any order.
#[derive(Debug)]
pub(super) struct LineIndex<'a> {
    text: &'a str,
    breaks: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    pub(super) fn of(text: &'a str) -> LineIndex<'a> {
        LineIndex { text, breaks: text.match_indices('\n').map(|(at, _)| at).collect() }
    }

    /// Returns the line of a part of the text, counted from 1.
    pub(super) fn line(&self, part: &str) -> u64 {
        let at = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        1 + self.breaks.partition_point(|line_break| *line_break < at) as u64
    }
}

/// Joins the parts of a description with spaces. White space inside a part is folded, and parts that repeat what is
/// already there are left out.
pub(super) fn joined<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for part in parts {
        let part = folded(part);
        if part.is_empty() || text == part {
            continue;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&part);
    }
    text
}

/// Replaces runs of white space by one space, and removes them at both ends.
pub(super) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

/// Returns the folded text, or `None` if it is empty.
pub(super) fn some(text: &str) -> Option<String> {
    Some(folded(text)).filter(|text| !text.is_empty())
}

/// Returns a record of the file for [`Entry::raw`](super::Entry::raw): at most [`TEXT_BYTES_MAX`] bytes.
pub(super) fn raw(text: &str) -> String {
    let text = text.trim_end_matches(['\r', '\n']);
    let mut end = text.len().min(TEXT_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_detected() {
        for (bytes, expected) in [
            (&b"caf\xc3\xa9"[..], "café"),
            (b"\xef\xbb\xbfcaf\xc3\xa9", "café"),
            (b"caf\xe9 \x80", "café €"),
            (b"\xff\xfec\0\xe9\0", "cé"),
            (b"\xfe\xff\0c\0\xe9", "cé"),
            (b"", ""),
            (
                b"<?xml version='1.0' encoding='ISO-8859-2'?>\xb3",
                "<?xml version='1.0' encoding='ISO-8859-2'?>ł",
            ),
            // UTF-8 is recognised although the file declares another encoding.
            (b"CHARSET:1250\n\xc5\x82", "CHARSET:1250\nł"),
            (b"CHARSET:1250\n\xb3", "CHARSET:1250\nł"),
        ] {
            assert_eq!(decode(bytes).as_deref(), Ok(expected), "{bytes:?}");
        }
    }

    #[test]
    fn invalid_text_is_rejected_with_its_line() {
        for (bytes, expected) in [
            (&b"a\nb\0"[..], "line 2: must be text; it contains NUL"),
            (b"\xef\xbb\xbfa\n\n\xff", "line 3: must be valid UTF-8"),
            (b"ENCODING:UTF-8\n\n\xe9", "line 3: must be valid UTF-8"),
            (b"\xff\xfea", "line 1: must be valid UTF-16LE"),
        ] {
            assert_eq!(decode(bytes).map_err(|fault| fault.to_string()), Err(expected.to_owned()));
        }
    }

    #[test]
    fn lines_are_counted_forward() {
        let mut lines = Lines::of("a\nb\r\nc");
        assert_eq!([0, 1, 2, 3, 5, 6, 99].map(|at| lines.line(at)), [1, 1, 2, 2, 3, 3, 3]);
    }

    #[test]
    fn parts_are_joined_once() {
        assert_eq!(joined(["  a \n b", "", "c"]), "a b c");
        assert_eq!(joined(["a", "a", "b"]), "a b");
    }
}
