//! A case: its text and its sections, and the notation for characters without a visible form and for repeated characters.

use std::fmt::Write as _;

/// A part of a file or of a case.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) body: String,
}

impl Section {
    /// Reads a section: the words after `--- `, and the lines below.
    pub(crate) fn parse(header: &str, lines: &[&str]) -> Section {
        let (name, value) = header.split_once(' ').unwrap_or((header, ""));
        Section { name: name.to_owned(), value: decoded(value), body: decoded(&joined(lines)) }
    }
}

/// Returns lines as text that ends with a line feed, without blank lines at the end.
pub(crate) fn joined(lines: &[&str]) -> String {
    let text = lines.join("\n");
    let text = text.trim_end_matches('\n');
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}

/// One case of a file.
#[derive(Clone, Debug)]
pub struct Case {
    pub(crate) text: String,
    /// The sections of the case, then those of the file.
    pub(crate) sections: Vec<Section>,
}

impl Case {
    /// Returns the text of the case, inserted into the template of the file if there is one.
    pub fn text(&self) -> String {
        let Some(template) = self.section("text") else { return self.text.clone() };
        if template.contains("{text}\n") {
            template.replace("{text}\n", &self.text)
        } else {
            template.replace("{text}", self.text.trim_end_matches('\n'))
        }
    }

    /// Returns the lines of a section.
    pub fn section(&self, name: &str) -> Option<&str> {
        self.sections(name).next().map(|(_, body)| body)
    }

    /// Returns the value in the first line of a section.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.sections(name).next().map(|(value, _)| value)
    }

    /// Returns value and lines of every section of a name.
    pub fn sections(&self, name: &str) -> impl Iterator<Item = (&str, &str)> {
        let sections = self.sections.iter().filter(move |section| section.name == name);
        sections.map(|section| (section.value.as_str(), section.body.as_str()))
    }
}

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
