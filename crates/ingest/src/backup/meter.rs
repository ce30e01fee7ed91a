//! Length, SHA-256 and number of records of a CSV text that arrives in pieces.

use sha2::{Digest as _, Sha256};

/// Measures the pieces of a CSV text.
#[derive(Default)]
pub(super) struct Meter {
    hash: Sha256,
    bytes: u64,
    lines: u64,
    quoted: bool,
}

/// The measures of a whole CSV text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Measures {
    pub(super) bytes: u64,
    /// Number of records, without the header.
    pub(super) rows: u64,
    /// SHA-256 in hexadecimal.
    pub(super) sha256: String,
}

impl Meter {
    /// Adds a piece.
    pub(super) fn add(&mut self, piece: &[u8]) {
        self.hash.update(piece);
        self.bytes += piece.len() as u64;
        for byte in piece {
            match byte {
                // A quote inside a quoted value is written twice, so it changes the state back.
                b'"' => self.quoted = !self.quoted,
                b'\n' if !self.quoted => self.lines += 1,
                _ => {}
            }
        }
    }

    /// Returns the measures of all pieces.
    pub(super) fn finish(self) -> Measures {
        let sha256 = self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Measures { bytes: self.bytes, rows: self.lines.saturating_sub(1), sha256 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_in_quoted_values_do_not_end_a_record() {
        for (text, rows) in
            [("a,b\n", 0), ("a\n1\n2\n", 2), ("a\n\"x\ny\"\n", 1), ("a\n\"x\"\"\n\"\n\"\"\n", 2)]
        {
            for split in 0..=text.len() {
                let (first, second) = text.as_bytes().split_at(split);
                let mut meter = Meter::default();
                meter.add(first);
                meter.add(second);
                let found = meter.finish();
                assert_eq!((found.rows, found.bytes), (rows, text.len() as u64), "{text:?} at {split}");
            }
        }
    }
}
