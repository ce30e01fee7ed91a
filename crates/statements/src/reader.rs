//! Reads a file: decodes, detects the format and calls its reader.

use std::borrow::Cow;
use std::io::Read;

use passbook_input::Fault;

use super::collector::Collector;
use super::csv;
use super::options::ReadOptions;
use super::{
    Entry, FILE_BYTES_MAX, Format, Statement, Unreadable, camt, detection, gnucash, mt940, ofx, plaid, qif,
    simplefin, sure, text,
};

/// Reads the statements of a file with their entries.
///
/// # Errors
/// The faults of the file, or a choice of the person. Then nothing of the file may be stored.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Vec<Statement>, Unreadable> {
    let mut entries: Vec<Vec<Entry>> = Vec::new();
    let mut statements = read_each(bytes, options, &mut |statement, entry| {
        if entries.len() <= statement {
            entries.resize_with(statement + 1, Vec::new);
        }
        entries[statement].push(entry);
    })?;
    for (statement, entries) in statements.iter_mut().zip(entries) {
        statement.entries = entries;
    }
    Ok(statements)
}

/// Reads the statements of a file, and hands each entry with the index of its statement to `receive`. The memory used
/// does not depend on the number of entries.
///
/// Entries arrive before the end of the file is checked: after an error, all of them must be discarded.
///
/// # Errors
/// As [`read`].
pub fn read_each(
    bytes: &[u8],
    options: &ReadOptions,
    receive: &mut dyn FnMut(usize, Entry),
) -> Result<Vec<Statement>, Unreadable> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(too_large().into());
    }
    let bytes = decompressed(bytes)?;
    if let Some(fault) = detection::other_kind(&bytes) {
        return Err(fault.into());
    }
    let text = with_line_feeds(text::decode(&bytes)?);
    if text.trim().is_empty() {
        return Err(Fault::new("file", "must not be empty").into());
    }
    let collector = Collector::new(receive);
    match detection::detect(&text)? {
        Format::Csv => csv::read(&text, options, collector),
        Format::Ofx => ofx::read(&text, collector),
        Format::Camt => camt::read(&text, collector),
        Format::Mt940 => mt940::read(&text, collector),
        Format::Qif => qif::read(&text, options, collector),
        Format::Plaid => plaid::read(&text, options, collector),
        Format::SimpleFin => simplefin::read(&text, collector),
        Format::Sure => sure::read(&text, collector),
        Format::GnuCash => gnucash::read(&text, collector),
    }
}

fn too_large() -> Fault {
    Fault::new("file", format!("must be at most {} MiB", FILE_BYTES_MAX / (1024 * 1024)))
}

/// Decompresses a gzip file, up to [`FILE_BYTES_MAX`].
fn decompressed(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Fault> {
    if !bytes.starts_with(detection::GZIP) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut plain = Vec::new();
    let limit = FILE_BYTES_MAX as u64 + 1;
    let read = flate2::read::MultiGzDecoder::new(bytes).take(limit).read_to_end(&mut plain);
    read.map_err(|error| Fault::new("file", format!("must be a complete gzip file: {error}")))?;
    if plain.len() > FILE_BYTES_MAX { Err(too_large()) } else { Ok(Cow::Owned(plain)) }
}

/// Replaces the carriage returns of old programs, which end lines with nothing else.
fn with_line_feeds(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains('\n') || !text.contains('\r') { text } else { Cow::Owned(text.replace('\r', "\n")) }
}
