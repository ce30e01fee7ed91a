//! Text formatting for Markdown.

use serde_json::Value;

/// Maximum length of a line, in characters.
const LINE_CHARACTERS_MAX: usize = 120;

/// Text for a table cell, on one line.
pub(super) fn cell(text: &Value) -> String {
    let words: Vec<&str> = text.as_str().unwrap_or_default().split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}

/// Paragraphs, wrapped between words.
pub(super) fn wrapped(text: &str) -> String {
    text.split("\n\n").map(paragraph).collect::<Vec<_>>().join("\n\n")
}

fn paragraph(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("at least one line exists");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= LINE_CHARACTERS_MAX {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}

/// The anchor of a heading in rendered Markdown.
pub(super) fn anchor(heading: &str) -> String {
    let letters = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    letters.collect::<String>().to_lowercase().replace(' ', "-")
}
