//! Finds the fenced blocks of a document.

use std::fs;

/// A fenced block, with the comment directly above it as note, for example `<!-- from PATH -->`.
#[derive(Clone, Copy, Debug)]
pub struct Block<'d> {
    document: &'d str,
    line: usize,
    pub language: &'d str,
    pub note: Option<&'d str>,
    pub text: &'d str,
}

/// The blocks of a document, in order.
pub fn read<'d>(document: &'d str, text: &'d str) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    let (mut at, mut previous, mut open) = (0, "", None);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let end = at + line.len();
        match (line.trim_end().strip_prefix("```"), open.take()) {
            (Some(language), None) => open = Some((language, note(previous), index + 1, end)),
            (Some(""), Some((language, note, line, start))) => {
                blocks.push(Block { document, line, language, note, text: &text[start..at] });
            }
            (Some(other), Some(_)) => panic!("{document}:{}: a block within a block: {other}", index + 1),
            (None, still) => open = still,
        }
        assert!(
            open.is_some() || !line.trim_start().starts_with("```") || line.starts_with("```"),
            "{document}:{}: an indented block",
            index + 1
        );
        (at, previous) = (end, line);
    }
    assert!(open.is_none(), "{document}: a block without an end");
    // A drawing shows nothing that could be run or compared.
    blocks.retain(|block| block.note != Some("a drawing"));
    blocks
}

/// Returns the block with a note, which must occur once.
#[track_caller]
pub fn noted<'d>(blocks: &[Block<'d>], note: &str) -> Block<'d> {
    let found: Vec<&Block<'d>> = blocks.iter().filter(|block| block.note == Some(note)).collect();
    let [block] = found[..] else { panic!("{} blocks have the note `{note}`", found.len()) };
    *block
}

fn note(line: &str) -> Option<&str> {
    line.trim().strip_prefix("<!-- ")?.strip_suffix(" -->")
}

impl Block<'_> {
    /// Document and line of the block, for messages.
    pub fn place(&self) -> String {
        format!("{}:{}", self.document, self.line)
    }

    /// Checks that the block is a sequence of lines of the file `path`.
    #[track_caller]
    pub fn assert_from(&self, path: &str) {
        let file =
            fs::read_to_string(crate::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let follows_a_line = |at: usize| at == 0 || file[..at].ends_with('\n');
        let stands = file.match_indices(self.text).any(|(at, _)| follows_a_line(at));
        assert!(stands && !self.text.is_empty(), "{}: the block differs from {path}", self.place());
    }

    /// Checks that the block shows exactly `text`. Rewrites the block instead if `PASSBOOK_TEST_BLESS` is set.
    #[track_caller]
    pub fn assert_shows(&self, text: &str) {
        let text = format!("{}\n", text.trim_end());
        if std::env::var_os("PASSBOOK_TEST_BLESS").is_some() && self.text != text {
            let path = crate::root().join(self.document);
            let page = fs::read_to_string(&path).expect("the document is read");
            // The note above the block tells equal blocks apart.
            let opened = |text: &str| match self.note {
                Some(note) => format!("<!-- {note} -->\n```{}\n{text}```\n", self.language),
                None => format!("```{}\n{text}```\n", self.language),
            };
            let written = page.replacen(&opened(self.text), &opened(&text), 1);
            return fs::write(path, written).expect("the document is written");
        }
        assert_eq!(self.text, text, "{}: run cargo xtask bless", self.place());
    }
}

#[test]
fn blocks_are_found_with_language_note_and_line() {
    let text = "a\n<!-- from x -->\n```rust\nlet a;\n\n```\n```sh\n```\n";
    let found = read("d.md", text);
    let parts: Vec<_> =
        found.iter().map(|block| (block.language, block.note, block.text, block.line)).collect();
    assert_eq!(parts, [("rust", Some("from x"), "let a;\n\n", 3), ("sh", None, "", 7)]);
    assert!(std::panic::catch_unwind(|| read("d.md", "```\na\n")).is_err(), "a block without an end");
}
