//! Splits OFX into tags and values, in both syntaxes.

use std::borrow::Cow;

/// A tag with its value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A start tag without a value, or an empty element. `at` is its byte position.
    Open { name: String, at: usize },
    /// A start tag with the value behind it. Entities in the value are not decoded.
    Leaf { name: String, value: &'a str },
    /// An end tag, and the byte position after it.
    Close { name: String, end: usize },
}

/// Iterates over the tags of a text.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// Creates a scanner that starts at a byte position.
    pub(super) fn new(text: &'a str, start: usize) -> Scanner<'a> {
        Scanner { text, at: start }
    }
}

impl<'a> Iterator for Scanner<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let start = self.at + self.text.get(self.at..)?.find('<')?;
            let rest = &self.text[start + 1..];
            if rest.starts_with("!--") {
                self.at = start + rest.find("-->").map_or(rest.len() + 1, |end| end + 4);
                continue;
            }
            let length = rest.find('>')?;
            let inside = &rest[..length];
            let end = start + length + 2;
            self.at = end;
            if inside.starts_with(['?', '!']) {
                continue;
            }
            if let Some(name) = inside.strip_prefix('/') {
                return Some(Token::Close { name: tag_name(name), end });
            }
            let name = tag_name(inside);
            if name.is_empty() || inside.ends_with('/') {
                continue;
            }
            let (value, after) = value(self.text, end);
            self.at = after;
            if value.trim().is_empty() {
                return Some(Token::Open { name, at: start });
            }
            return Some(Token::Leaf { name, value });
        }
    }
}

/// Returns the text up to the next tag, and the position of that tag. A less-than sign that starts no tag belongs to
/// the text.
fn value(text: &str, start: usize) -> (&str, usize) {
    let rest = &text[start..];
    if let Some(inside) = rest.trim_start().strip_prefix("<![CDATA[") {
        let from = text.len() - inside.len();
        let length = inside.find("]]>").unwrap_or(inside.len());
        return (&inside[..length], (from + length + 3).min(text.len()));
    }
    let mut from = 0;
    while let Some(found) = rest[from..].find('<') {
        let at = from + found;
        let next = rest[at + 1..].chars().next();
        if next.is_none_or(|c| c.is_ascii_alphabetic() || c == '/' || c == '!' || c == '?') {
            return (&rest[..at], start + at);
        }
        from = at + 1;
    }
    (rest, text.len())
}

/// Returns the name of a tag in upper case, without attributes and namespace.
fn tag_name(inside: &str) -> String {
    let name = inside.split([' ', '\t', '\r', '\n', '/']).next().unwrap_or_default();
    name.rsplit(':').next().unwrap_or_default().to_ascii_uppercase()
}

/// Replaces the predefined and the numeric entities of SGML and XML. Others stay as written.
pub(super) fn decoded(value: &str) -> Cow<'_, str> {
    if !value.contains('&') {
        return Cow::Borrowed(value);
    }
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        // Entity names are short: a later semicolon belongs to the text.
        let end = rest.bytes().take(10).position(|byte| byte == b';');
        let character = end.and_then(|end| entity(&rest[1..end]));
        match (character, end) {
            (Some(character), Some(end)) => {
                text.push(character);
                rest = &rest[end + 1..];
            }
            _ => {
                text.push('&');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    Cow::Owned(text)
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|c| *c != '\0')
        }
    }
}

/// Returns the byte position of an ASCII text in lower case, without regard to case.
pub(super) fn find_ignoring_case(text: &str, wanted: &str) -> Option<usize> {
    let (text, wanted) = (text.as_bytes(), wanted.as_bytes());
    text.windows(wanted.len()).position(|window| window.eq_ignore_ascii_case(wanted))
}

/// Counts an ASCII text in lower case, without regard to case.
pub(super) fn count_ignoring_case(text: &str, wanted: &str) -> u64 {
    let (text, wanted) = (text.as_bytes(), wanted.as_bytes());
    text.windows(wanted.len()).filter(|window| window.eq_ignore_ascii_case(wanted)).count() as u64
}
