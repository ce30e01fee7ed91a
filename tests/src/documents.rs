//! The documents of the repository, their blocks, and a shell that runs their commands.

pub mod cluster;
pub mod runner;
pub mod shell;

use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;

/// Returns the text of every document by its path from the root of the repository.
pub fn documents() -> BTreeMap<String, String> {
    let mut paths = ["CONTRIBUTING.md", "README.md", "SECURITY.md"].map(str::to_owned).to_vec();
    for entry in crate::root().join("docs").read_dir().expect("the documents").flatten() {
        let name = entry.file_name().into_string().expect("UTF-8");
        if name.ends_with(".md") {
            paths.push(format!("docs/{name}"));
        }
    }
    paths.into_iter().map(|path| (path.clone(), crate::text_of(&path))).collect()
}

/// Returns the text of a document.
pub fn text(path: &str) -> &'static str {
    static DOCUMENTS: LazyLock<BTreeMap<String, String>> = LazyLock::new(documents);
    DOCUMENTS.get(path).unwrap_or_else(|| panic!("there is no {path}"))
}

/// Returns the blocks of a document, in order.
pub fn blocks_of(path: &'static str) -> Vec<Block<'static>> {
    blocks_in(path, text(path))
}

/// A fenced block, with the comment directly above it as note, for example `<!-- from PATH -->`.
#[derive(Clone, Copy, Debug)]
pub struct Block<'d> {
    document: &'d str,
    line: usize,
    pub language: &'d str,
    pub note: Option<&'d str>,
    pub text: &'d str,
}

/// Returns the blocks of a text of a document, in order.
pub fn blocks_in<'d>(document: &'d str, text: &'d str) -> Vec<Block<'d>> {
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
        let file = crate::text_of(path);
        let follows_a_line = |at: usize| at == 0 || file[..at].ends_with('\n');
        let stands = file.match_indices(self.text).any(|(at, _)| follows_a_line(at));
        assert!(stands && !self.text.is_empty(), "{}: the block differs from {path}", self.place());
    }

    /// Checks that the block shows exactly `text`. Rewrites the block instead if `PASSBOOK_TEST_BLESS` is set.
    #[track_caller]
    pub fn assert_shows(&self, text: &str) {
        let text = format!("{}\n", text.trim_end());
        if std::env::var_os("PASSBOOK_TEST_BLESS").is_some() && self.text != text {
            let page = crate::text_of(self.document);
            // The note above the block tells equal blocks apart.
            let opened = |text: &str| match self.note {
                Some(note) => format!("<!-- {note} -->\n```{}\n{text}```\n", self.language),
                None => format!("```{}\n{text}```\n", self.language),
            };
            let written = page.replacen(&opened(self.text), &opened(&text), 1);
            return fs::write(crate::root().join(self.document), written).expect("the document is written");
        }
        assert_eq!(self.text, text, "{}: run cargo xtask bless", self.place());
    }
}
