//! The manifest: the entry of a backup that describes all others, with length, hash and number of records of each.

use jiff::Timestamp;
use passbook_input::{Fault, Faults};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::BackupError;

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

/// The name of the format, which every manifest contains.
const FORMAT: &str = "passbook-backup";
/// Version of the format that this program writes and reads.
pub const FORMAT_VERSION: u32 = 1;
/// Maximum number of tables in a backup.
const TABLES_MAX: usize = 1_000;
/// Maximum length of a table as CSV, in bytes: 1 TiB.
const TABLE_BYTES_MAX: u64 = 1 << 40;
/// Maximum length of a table's name, in bytes: the limit of PostgreSQL.
const NAME_BYTES_MAX: usize = 63;

/// The description of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Manifest {
    /// The text `passbook-backup`.
    pub format: String,
    /// Version of the format.
    pub version: u32,
    /// Version of the program that wrote the backup.
    pub program_version: String,
    /// Version of the database schema.
    pub schema_version: i32,
    /// Version of the PostgreSQL server.
    pub postgres_version: String,
    /// The time of the snapshot.
    pub created_at: Timestamp,
    /// The tables in the order of the entries.
    pub tables: Vec<TableEntry>,
}

/// The description of a table in a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TableEntry {
    /// Name in the schema `passbook`.
    pub name: String,
    /// Names of the columns, in the order of the CSV.
    pub columns: Vec<String>,
    /// Number of rows.
    pub rows: u64,
    /// Length of the CSV in bytes.
    pub bytes: u64,
    /// SHA-256 of the CSV in hexadecimal.
    pub sha256: String,
}

impl TableEntry {
    /// Returns the path of the entry in the archive.
    pub(super) fn path(&self) -> String {
        format!("tables/{}.csv", self.name)
    }
}

impl Manifest {
    /// Path of the entry in the archive.
    pub(super) const PATH: &'static str = "manifest.json";
    /// Maximum length of the entry, in bytes: 4 MiB.
    pub(super) const BYTES_MAX: u64 = 4 << 20;

    /// Creates a manifest of this version without tables.
    pub(super) fn new(
        program_version: String,
        schema_version: i32,
        postgres_version: String,
        created_at: Timestamp,
    ) -> Manifest {
        let (format, version, tables) = (FORMAT.to_owned(), FORMAT_VERSION, Vec::new());
        Manifest { format, version, program_version, schema_version, postgres_version, created_at, tables }
    }

    /// Returns the total number of rows.
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }

    /// Parses a manifest and checks it.
    ///
    /// # Errors
    /// All faults.
    pub(super) fn parse(text: &[u8]) -> Result<Manifest, BackupError> {
        // A later version may have other fields, so the version is read on its own first.
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        let malformed = |error: serde_json::Error| {
            let rule = "must be the manifest of a backup made by `backup`";
            BackupError::fault(Fault::new(Manifest::PATH, rule).received(error.to_string()))
        };
        let head: Head = serde_json::from_slice(text).map_err(malformed)?;
        if head.format != FORMAT {
            let fault = Fault::new(format!("{}: format", Manifest::PATH), format!("must be {FORMAT}"));
            return Err(BackupError::fault(fault.received(head.format)));
        }
        if head.version != FORMAT_VERSION {
            let rule = format!("must be {FORMAT_VERSION}, the version that this program reads");
            let fault = Fault::new(format!("{}: version", Manifest::PATH), rule);
            return Err(BackupError::fault(fault.received(head.version.to_string())));
        }
        let manifest: Manifest = serde_json::from_slice(text).map_err(malformed)?;
        manifest.faults().none_or(manifest).map_err(|faults| BackupError::Faults(faults.into_list()))
    }

    fn faults(&self) -> Faults {
        let mut faults = Faults::with_limit(passbook_records::FAULTS_LISTED_MAX);
        let mut push =
            |field: String, rule: String| faults.push(Fault::new(format!("{}: {field}", Self::PATH), rule));
        if self.schema_version < 1 {
            push("schema_version".to_owned(), "must be at least 1".to_owned());
        }
        if self.tables.len() > TABLES_MAX {
            push("tables".to_owned(), format!("must list at most {TABLES_MAX} tables"));
        }
        for (index, table) in self.tables.iter().enumerate() {
            let field = |name: &str| format!("tables[{index}].{name}");
            let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
            if table.name.is_empty()
                || table.name.len() > NAME_BYTES_MAX
                || !table.name.bytes().all(is_letter)
            {
                push(
                    field("name"),
                    format!("must have 1 to {NAME_BYTES_MAX} lower-case letters, digits or _"),
                );
            }
            if self.tables.iter().take(index).any(|earlier| earlier.name == table.name) {
                push(field("name"), "must be listed once".to_owned());
            }
            if table.bytes > TABLE_BYTES_MAX {
                push(field("bytes"), format!("must be at most {TABLE_BYTES_MAX}"));
            }
        }
        faults
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
