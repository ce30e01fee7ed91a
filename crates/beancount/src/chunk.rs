//! The text of one directive.

use super::ledger::Place;

/// The lines of one directive, with the file and line number of the first line.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) place: Place,
    pub(super) lines: Vec<String>,
}

impl Chunk {
    /// Returns the lines as one text, each with a line feed.
    pub(super) fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}
