//! The lines of one directive as they stand in a file.

use super::ledger::Place;

/// The lines of one directive.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) place: Place,
    pub(super) lines: Vec<String>,
}

impl Chunk {
    /// The directive's text.
    pub(super) fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}
