//! Lines and parts of a text.

use super::TEXT_BYTES_MAX;

pub(super) fn newlines(bytes: &[u8]) -> usize {
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
