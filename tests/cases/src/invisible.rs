//! Characters without a visible form, and repeated characters, as case files write them.

use std::fmt::Write as _;

/// Replaces `⟨U+000D⟩` and `⟨x×300⟩` by the characters. In a repeated text, `⏎` is a line feed.
pub(crate) fn decoded(text: &str) -> String {
    let mut parts = text.split('⟨');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('⟩').unwrap_or_else(|| panic!("⟨{part} must end with ⟩"));
        decoded += &characters(name).unwrap_or_else(|| panic!("⟨{name}⟩ must be ⟨U+000D⟩ or ⟨x×300⟩"));
        decoded += rest;
    }
    decoded
}

fn characters(name: &str) -> Option<String> {
    if let Some(code) = name.strip_prefix("U+") {
        return Some(char::from_u32(u32::from_str_radix(code, 16).ok()?)?.to_string());
    }
    let (repeated, count) = name.split_once('×')?;
    Some(repeated.replace('⏎', "\n").repeat(count.parse().ok()?))
}

/// Replaces control characters other than line feeds, and byte order marks, by their codes.
pub(crate) fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for character in text.chars() {
        if (character.is_control() && character != '\n') || character == '\u{feff}' {
            let _ = write!(encoded, "⟨U+{:04X}⟩", u32::from(character));
        } else {
            encoded.push(character);
        }
    }
    encoded
}
