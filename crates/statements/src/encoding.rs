//! Decodes a file: its encoding is stated, declared or found by the bytes.

mod evidence;

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use passbook_input::Fault;

use super::ReadOptions;
use super::text::{line_of, newlines};

/// An encoding of the WHATWG Encoding Standard, or a code page of DOS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextEncoding(Table);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Table {
    Standard(&'static Encoding),
    /// The name, and the characters of the bytes from 128 on.
    CodePage(&'static str, &'static str),
}

/// The code pages of DOS, which the standard leaves out.
const CODE_PAGES: [(&str, &str); 2] = [
    (
        "cp437",
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    ),
    (
        "cp850",
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
    ),
];

impl TextEncoding {
    /// Parses a name: a label of the standard, such as `windows-1250`, or `cp437` or `cp850`.
    pub fn parse(name: &str) -> Option<TextEncoding> {
        let lower = name.trim().to_ascii_lowercase().replace("ibm", "cp");
        if let Some((name, upper)) = CODE_PAGES.into_iter().find(|(known, _)| *known == lower) {
            return Some(TextEncoding(Table::CodePage(name, upper)));
        }
        Encoding::for_label_no_replacement(name.as_bytes()).map(TextEncoding::standard)
    }

    fn standard(encoding: &'static Encoding) -> TextEncoding {
        TextEncoding(Table::Standard(encoding))
    }

    /// Returns the name: `windows-1252`, `Shift_JIS`, `cp850`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Table::Standard(encoding) => encoding.name(),
            Table::CodePage(name, _) => name,
        }
    }

    /// Decodes a text.
    ///
    /// # Errors
    /// A sequence of bytes is invalid in the encoding. Most encodings of one byte have no invalid sequence.
    fn decode(self, bytes: &[u8]) -> Result<Cow<'_, str>, Fault> {
        let encoding = match self.0 {
            Table::Standard(encoding) => encoding,
            Table::CodePage(_, upper) => {
                let upper: Vec<char> = upper.chars().collect();
                let decoded =
                    |byte: &u8| byte.checked_sub(128).map_or(char::from(*byte), |at| upper[usize::from(at)]);
                return Ok(bytes.iter().map(decoded).collect());
            }
        };
        encoding.decode_without_bom_handling_and_without_replacement(bytes).ok_or_else(|| {
            let line = match std::str::from_utf8(bytes) {
                Err(error) if encoding == UTF_8 => 1 + newlines(&bytes[..error.valid_up_to()]),
                _ => 1,
            };
            Fault::new(format!("line {line}"), format!("must be valid {}", encoding.name()))
        })
    }
}

/// Decodes a file: by its byte order mark, by the stated encoding, as UTF-16 or UTF-8 if the bytes are, by the encoding of
/// the profile or of the file itself, and otherwise by evidence. Returns the encoding too if the evidence is weak.
///
/// # Errors
/// The text is invalid in the encoding, or contains NUL, which no text format allows and the database cannot store.
pub(super) fn decode<'a>(
    bytes: &'a [u8],
    options: &ReadOptions,
) -> Result<(Cow<'a, str>, Option<TextEncoding>), Fault> {
    let mark = Encoding::for_bom(bytes);
    let bytes = &bytes[mark.map_or(0, |(_, length)| length)..];
    let certain = mark.map(|(encoding, _)| TextEncoding::standard(encoding)).or(options.encoding);
    let found = certain.or_else(|| unicode(bytes)).or_else(|| {
        let of_profile = options.profile.as_ref().and_then(|profile| profile.text_encoding());
        of_profile.or_else(|| TextEncoding::parse(declared(bytes)?))
    });
    let (encoding, is_weak) = found.map_or_else(|| evidence::guess(bytes), |encoding| (encoding, false));
    let text = encoding.decode(bytes)?;
    match text.bytes().position(|byte| byte == 0) {
        None => Ok((text, is_weak.then_some(encoding))),
        Some(at) => Err(Fault::new(format!("line {}", line_of(&text, at)), "must be text; it contains NUL")),
    }
}

/// Returns UTF-16 if every second byte of most characters is NUL, and UTF-8 if it is declared or valid.
fn unicode(bytes: &[u8]) -> Option<TextEncoding> {
    let start = &bytes[..bytes.len().min(DECLARATION_BYTES_MAX)];
    let nuls = |first: usize| start.iter().skip(first).step_by(2).filter(|byte| **byte == 0).count();
    let encoding = match (nuls(0), nuls(1)) {
        (0, low) if low * 4 > start.len() => UTF_16LE,
        (high, 0) if high * 4 > start.len() => UTF_16BE,
        _ if declared(bytes) == Some(UTF_8_NAME) || std::str::from_utf8(bytes).is_ok() => UTF_8,
        _ => return None,
    };
    Some(TextEncoding::standard(encoding))
}

/// The declared name of UTF-8.
const UTF_8_NAME: &str = "utf-8";
/// Number of bytes at the start of a file that may declare its encoding.
const DECLARATION_BYTES_MAX: usize = 512;

/// Returns the name of the encoding that an XML declaration or the head of an OFX file declares.
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
    // OFX names the code page apart from the encoding.
    let is_code_page = |name: &str| {
        name.strip_prefix("windows-").is_some_and(|code| start.contains(&format!("charset:{code}")))
    };
    name.or_else(|| names.into_iter().find(|name| is_code_page(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, Fault> {
        decode(bytes, &ReadOptions::default()).map(|(text, _)| text)
    }

    #[test]
    fn encodings_are_detected() {
        for (bytes, expected) in [
            (&b"caf\xc3\xa9"[..], "café"),
            (b"\xef\xbb\xbfcaf\xc3\xa9", "café"),
            (b"caf\xe9 \x80", "café €"),
            (b"\xff\xfec\0\xe9\0", "cé"),
            (b"a\0,\0\xe9\0\n\0", "a,é\n"),
            (b"\0a\0,\0\xe9\0\n", "a,é\n"),
            (b"\xfe\xff\0c\0\xe9", "cé"),
            (b"", ""),
            (
                b"<?xml version='1.0' encoding='ISO-8859-2'?>\xb3",
                "<?xml version='1.0' encoding='ISO-8859-2'?>ł",
            ),
            (b"CHARSET:1252\n\x84", "CHARSET:1252\n„"),
            // UTF-8 is recognised although the file declares another encoding.
            (b"CHARSET:1250\n\xc5\x82", "CHARSET:1250\nł"),
            (b"CHARSET:1250\n\xb3", "CHARSET:1250\nł"),
        ] {
            assert_eq!(decoded(bytes).as_deref(), Ok(expected), "{bytes:?}");
        }
    }

    #[test]
    fn stated_encoding_decides() {
        for (name, expected) in [("cp850", "õ"), ("IBM437", "Σ"), ("latin2", "ä"), ("Windows-1251", "д")]
        {
            let options = ReadOptions { encoding: TextEncoding::parse(name), ..ReadOptions::default() };
            assert_eq!(decode(b"\xe4", &options).map(|(text, _)| text).as_deref(), Ok(expected), "{name}");
        }
        assert_eq!(TextEncoding::parse("klingon"), None);
    }

    #[test]
    fn invalid_text_is_rejected_with_its_line() {
        for (bytes, expected) in [
            (&b"a\nb\0"[..], "line 2: must be text; it contains NUL"),
            (b"\xef\xbb\xbfa\n\n\xff", "line 3: must be valid UTF-8"),
            (b"ENCODING:UTF-8\n\n\xe9", "line 3: must be valid UTF-8"),
            (b"\xff\xfea", "line 1: must be valid UTF-16LE"),
        ] {
            assert_eq!(decoded(bytes).map_err(|fault| fault.to_string()), Err(expected.to_owned()));
        }
    }
}
