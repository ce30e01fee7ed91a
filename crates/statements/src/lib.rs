//! Readers of the files that banks and other apps export: from bytes to [`Statement`]s, without a database.
//!
//! [`read`] detects the format by content.
//!
//! A file is read completely or not at all. Every reader counts the records that are visible in the text without
//! parsing them. Records that became entries, records that the reader leaves out for a stated reason and faulty records
//! must add up to that count, otherwise the file is rejected.
//!
//! A new format is one more module: a function from text to statements, and a line of [`Format`] and of [`detect`].
//!
//! ```
//! use passbook_statements::{ReadOptions, read};
//!
//! let file = b"!Type:Bank\nD25/11/2026\nT-12.50\nPBakery\n^\n";
//! let statements = read(file, &ReadOptions::default()).expect("a QIF file");
//! assert_eq!(statements[0].entries.len(), 1);
//! ```

mod amount;
mod camt;
mod collector;
pub mod csv;
mod day;
mod encoding;
mod gnucash;
mod json_text;
mod mt940;
mod ofx;
mod own_words;
mod plaid;
mod qif;
mod reader;
mod simplefin;
mod sure;
mod text;
mod unreadable;
mod xml;

pub use encoding::TextEncoding;
pub use passbook_records::statement::{
    AccountKind, AccountReference, Balance, BalanceKind, Entry, EntryId, Fee, Format, IdTrust, LineState,
    Original, Skipped, Statement, StatementKind, masked,
};
pub use reader::{ENCODING_GUESSED, detect, read, read_each, unreadable_statements};
pub use unreadable::{Choice, DateOrder, ReadOptions, Unreadable};

/// Maximum size of a file, in bytes. Also the maximum size of a compressed file after decompression.
pub const FILE_BYTES_MAX: usize = 256 * 1024 * 1024;
/// Maximum number of entries of one file.
pub const ENTRIES_MAX: u64 = 1_000_000;
/// Maximum number of statements of one file.
pub const STATEMENTS_MAX: usize = 10_000;
/// Maximum size of one cell or one text of a file, in bytes.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;
/// Maximum depth of nested XML elements and JSON values.
pub const DEPTH_MAX: usize = 64;
/// Maximum number of faults of a file that are listed. Further faults are counted.
pub const FAULTS_MAX: usize = 20;
