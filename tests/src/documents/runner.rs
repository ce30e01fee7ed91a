//! Runs the blocks of a page in order, by the notes above them.
//!
//! | note | effect |
//! |---|---|
//! | `file NAME` | The block is a file, which exists before the first command. |
//! | `run` | A shell runs the block, which must succeed. |
//! | `prints`, `prints on standard error` | The last command printed exactly the block. |
//! | `from PATH` | The block is a sequence of lines of a file of the repository. |
//! | `settings` | The block is a settings file, with which the server can start. |

use std::process::Output;

use passbook_server::settings::{CommandLine, Settings};

use super::Block;
use crate::temporary::Folder;

/// Runs blocks in a folder.
#[derive(Debug)]
pub struct Runner<'f> {
    folder: &'f Folder,
    programs: &'f [&'f str],
    /// Commands before each block, such as the export of a database URL.
    environment: String,
    /// A text of this run, and the documented text in its place.
    replaced: (String, String),
    last: Option<Output>,
}

impl<'f> Runner<'f> {
    /// Creates a runner. The shell runs `environment` before each block.
    pub fn new(folder: &'f Folder, programs: &'f [&'f str], environment: &str) -> Runner<'f> {
        let environment = environment.to_owned();
        Runner { folder, programs, environment, replaced: Default::default(), last: None }
    }

    /// Compares the output of commands with `documented` in place of `actual`.
    pub fn replacing(self, actual: &str, documented: &str) -> Runner<'f> {
        Runner { replaced: (actual.to_owned(), documented.to_owned()), ..self }
    }

    /// Runs the blocks. Returns those with another note.
    #[track_caller]
    pub fn run<'d>(&mut self, blocks: &[Block<'d>]) -> Vec<Block<'d>> {
        for block in blocks {
            if let Some(name) = block.note.and_then(|note| note.strip_prefix("file ")) {
                self.folder.write(name, block.text);
            }
        }
        let mut others = Vec::new();
        for block in blocks {
            match (block.note.unwrap_or_default(), &self.last) {
                ("run", _) => self.last = Some(self.output(block)),
                ("prints", Some(output)) => self.assert_printed(block, &output.stdout),
                ("prints on standard error", Some(output)) => self.assert_printed(block, &output.stderr),
                ("settings", _) => drop(read_settings(self.folder, block.text, &block.place())),
                (note, _) => match note.split_once(' ') {
                    Some(("file", _)) => {}
                    Some(("from", path)) => block.assert_from(path),
                    _ => others.push(*block),
                },
            }
        }
        others
    }

    #[track_caller]
    fn output(&self, block: &Block<'_>) -> Output {
        let output = self.folder.run(&format!("{}\n{}", self.environment, block.text), self.programs);
        assert!(output.status.success(), "{}: {}", block.place(), String::from_utf8_lossy(&output.stderr));
        output
    }

    #[track_caller]
    fn assert_printed(&self, block: &Block<'_>, printed: &[u8]) {
        let mut printed = String::from_utf8_lossy(printed).into_owned();
        if !self.replaced.0.is_empty() {
            printed = printed.replace(&self.replaced.0, &self.replaced.1);
        }
        assert_eq!(printed, block.text, "{}", block.place());
    }
}

/// Writes the settings file of the document `place` into a folder. Returns the settings of a server with this file.
///
/// # Panics
/// If the server cannot start with the file.
#[track_caller]
pub fn read_settings(folder: &Folder, text: &str, place: &str) -> Settings {
    folder.write("settings.toml", text);
    let file = folder.path().join("settings.toml").into_os_string();
    let words = ["passbook-server".into(), "--config".into(), file];
    let command_line = CommandLine::parse(words).expect("the words are valid");
    let settings = Settings::resolve(&command_line.sources([]), false);
    settings.unwrap_or_else(|problems| panic!("{place}: {problems:?}"))
}
