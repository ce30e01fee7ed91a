//! Collects the passages that people read: comments of the sources and sentences of the documents.

use crate::rust_text::RustText;
use crate::tree::Tree;

/// The kinds of passages. The draw takes passages of each kind in proportion to their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    DocComment,
    Comment,
    Document,
}

impl Kind {
    pub(super) const ALL: [Kind; 3] = [Kind::DocComment, Kind::Comment, Kind::Document];
}

/// A paragraph of a comment, or one sentence of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Passage {
    pub(super) kind: Kind,
    pub(super) path: String,
    /// Number of the paragraph's first line, counted from one.
    pub(super) line: usize,
    pub(super) text: String,
}

/// Folders whose Rust and SQL files are read.
const SOURCES: [&str; 4] = ["crates/", "bins/", "xtask/", "tests/"];
/// Parts of paths of files that contain recorded or generated text, which is not collected.
const FIXTURES: [&str; 5] = ["/fixtures/", "/snapshots/", "tests/vectors/", "docs/contract/", "/testdata/"];
/// Minimum number of words of a passage. A shorter one, such as a heading or a unit, cannot be misread.
const WORDS_MIN: usize = 4;

/// Returns every passage of the repository, in order of path and line.
pub(super) fn passages(tree: &Tree) -> Vec<Passage> {
    let mut found = Vec::new();
    for (path, text) in tree.texts() {
        if FIXTURES.iter().any(|part| path.contains(part)) {
            continue;
        }
        let is_source = SOURCES.iter().any(|folder| path.starts_with(folder));
        if is_source && path.ends_with(".rs") {
            found.extend(comments(path, &RustText::of(text).comments, rust_comment));
        } else if is_source && path.ends_with(".sql") {
            found.extend(comments(path, text, sql_comment));
        } else if path.ends_with(".md") && (path == "README.md" || path.starts_with("docs/")) {
            found.extend(sentences(path, text));
        }
    }
    found.retain(|passage| passage.text.split_whitespace().count() >= WORDS_MIN);
    found
}

/// Returns the kind and the text of the comment in a line of Rust; `None` for a line without comment.
fn rust_comment(line: &str) -> Option<(Kind, &str)> {
    let line = line.trim();
    let doc = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
    match doc {
        Some(text) => Some((Kind::DocComment, text.trim())),
        None => line.strip_prefix("//").map(|text| (Kind::Comment, text.trim())),
    }
}

/// Returns the text of the comment in a line of SQL; `None` for a line without comment.
fn sql_comment(line: &str) -> Option<(Kind, &str)> {
    line.trim().strip_prefix("--").map(|text| (Kind::Comment, text.trim()))
}

/// Returns the paragraphs of a file's comments. Code examples in doc comments are left out.
fn comments(path: &str, text: &str, comment: fn(&str) -> Option<(Kind, &str)>) -> Vec<Passage> {
    let mut paragraphs = Paragraphs::new(path);
    let mut is_example = false;
    let mut indentation = 0;
    for (index, line) in text.lines().enumerate() {
        // A comment behind code does not continue the comment above.
        let start = line.len() - line.trim_start().len();
        if start != indentation {
            paragraphs.end();
            indentation = start;
        }
        match comment(line) {
            Some((_, text)) if text.starts_with("```") => {
                is_example = !is_example;
                paragraphs.end();
            }
            Some((kind, text)) if !is_example => paragraphs.add(kind, index + 1, text),
            _ => paragraphs.end(),
        }
    }
    paragraphs.finish()
}

/// Returns the sentences of a document that are outside code blocks, tables and headings.
fn sentences(path: &str, text: &str) -> Vec<Passage> {
    let mut paragraphs = Paragraphs::new(path);
    let mut is_code = false;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence || line.starts_with(['#', '|', '<']) {
            paragraphs.end();
        } else if line.starts_with(['-', '*']) || line.starts_with(|c: char| c.is_ascii_digit()) {
            paragraphs.end();
            paragraphs.add(Kind::Document, index + 1, line.trim_start_matches(['-', ' ']));
        } else {
            paragraphs.add(Kind::Document, index + 1, line);
        }
    }
    paragraphs.finish().iter().flat_map(split).collect()
}

/// Splits a paragraph into its sentences. All have the line at which the paragraph starts.
fn split(paragraph: &Passage) -> Vec<Passage> {
    let mut rest = paragraph.text.as_str();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let end = rest.match_indices(". ").map(|(at, _)| at + 1).find(|end| {
            rest[*end..].trim_start().starts_with(|next: char| next.is_uppercase() || "[`*".contains(next))
        });
        let (sentence, after) = rest.split_at(end.unwrap_or(rest.len()));
        found.push(Passage { text: sentence.trim().to_owned(), ..paragraph.clone() });
        rest = after.trim_start();
    }
    found
}

/// Joins lines to paragraphs.
struct Paragraphs<'a> {
    path: &'a str,
    found: Vec<Passage>,
    is_open: bool,
}

impl<'a> Paragraphs<'a> {
    fn new(path: &'a str) -> Paragraphs<'a> {
        Paragraphs { path, found: Vec::new(), is_open: false }
    }

    fn add(&mut self, kind: Kind, line: usize, text: &str) {
        if text.is_empty() {
            self.end();
            return;
        }
        match self.found.last_mut().filter(|last| self.is_open && last.kind == kind) {
            Some(last) => {
                last.text.push(' ');
                last.text.push_str(text);
            }
            None => {
                self.found.push(Passage { kind, path: self.path.to_owned(), line, text: text.to_owned() });
            }
        }
        self.is_open = true;
    }

    fn end(&mut self) {
        self.is_open = false;
    }

    fn finish(self) -> Vec<Passage> {
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<(Kind, usize, String)> {
        let passages = passages(&Tree::of(&[(path, text)]));
        passages.into_iter().map(|passage| (passage.kind, passage.line, passage.text)).collect()
    }

    #[test]
    fn comments_are_paragraphs_without_examples_and_literals() {
        let text = "//! A file of two\n//! lines and words.\n//!\n//! ```\n//! let a = b + c + d;\n//! ```\n\
                    fn f() {\n    // Explains the next two calls.\n    g(\"// not a comment at all\"); // short\n}\n";
        let expected = [
            (Kind::DocComment, 1, "A file of two lines and words.".to_owned()),
            (Kind::Comment, 8, "Explains the next two calls.".to_owned()),
        ];
        assert_eq!(found("crates/a/src/lib.rs", text), expected);
        assert_eq!(found("other/a.rs", text), []);
    }

    #[test]
    fn documents_are_sentences_without_tables_and_code() {
        let text = "# A heading of four words\n\nFirst sentence of three. The second one, e.g. this\none, goes on.\n\n\
                    | a | table | of | cells |\n```sh\nrun this command now please\n```\n- An item of a list.\n- Another item of it.\n";
        let expected = [
            (Kind::Document, 3, "First sentence of three.".to_owned()),
            (Kind::Document, 3, "The second one, e.g. this one, goes on.".to_owned()),
            (Kind::Document, 10, "An item of a list.".to_owned()),
            (Kind::Document, 11, "Another item of it.".to_owned()),
        ];
        assert_eq!(found("docs/a.md", text), expected);
        assert_eq!(found("docs/contract/a.md", text), []);
    }

    #[test]
    fn comments_of_sql_are_read() {
        let text = "-- Rows of one user, newest first.\n-- $1 user id\nselect 1\n";
        let expected = [(Kind::Comment, 1, "Rows of one user, newest first. $1 user id".to_owned())];
        assert_eq!(found("crates/store/sql/a.sql", text), expected);
    }
}
