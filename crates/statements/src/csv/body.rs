//! The rows below the header line.

use ::csv::{Position, ReaderBuilder, StringRecord};

use super::super::text::Lines;
use super::profile::Profile;

/// The rows below the header line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body<'a> {
    pub(super) text: &'a str,
    pub(super) profile: &'a Profile,
    /// Separator of the cells.
    pub(super) delimiter: u8,
    /// Number of lines above the rows.
    pub(super) line: u64,
}

impl Body<'_> {
    /// Calls `use_record` with each record, its line in the file and its text.
    pub(super) fn for_each_record(&self, mut use_record: impl FnMut(&StringRecord, u64, &str)) {
        let mut reader = ReaderBuilder::new()
            .delimiter(self.delimiter)
            .quoting(self.profile.quotes)
            .has_headers(false)
            .flexible(true)
            .from_reader(self.text.as_bytes());
        let mut record = StringRecord::new();
        let mut lines = Lines::of(self.text);
        // Reading from memory fails only for invalid UTF-8, which the text is not.
        while reader.read_record(&mut record).unwrap_or(false) {
            let start = record.position().map_or(0, Position::byte) as usize;
            let end = reader.position().byte() as usize;
            let raw = self.text.get(start..end).unwrap_or_default();
            let blank = raw.len() - raw.trim_start_matches(['\r', '\n']).len();
            let line = self.line + lines.line(start + blank);
            use_record(&record, line, raw[blank..].trim_end_matches(['\r', '\n']));
        }
    }
}
