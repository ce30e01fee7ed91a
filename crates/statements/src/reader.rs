//! Reads a file: decodes it, detects its format by the content and calls the reader of the format.

use std::borrow::Cow;
use std::io::Read;

use passbook_input::Fault;

use super::collector::Collector;
use super::{
    Entry, FILE_BYTES_MAX, Format, ReadOptions, Statement, Unreadable, camt, csv, encoding, gnucash, mt940,
    ofx, plaid, qif, simplefin, sure,
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
    read_into(bytes, options, receive, &mut Vec::new())
}

/// Returns the statements of a file that cannot be read, without entries, as far as they are known before the first
/// fault. Empty if the file can be read.
pub fn unreadable_statements(bytes: &[u8], options: &ReadOptions) -> Vec<Statement> {
    let mut statements = Vec::new();
    // The caller knows the faults.
    drop(read_into(bytes, options, &mut |_, _| {}, &mut statements));
    statements
}

/// Reads the statements of a file. They stay in `statements` if it cannot be read.
fn read_into(
    bytes: &[u8],
    options: &ReadOptions,
    receive: &mut dyn FnMut(usize, Entry),
    statements: &mut Vec<Statement>,
) -> Result<Vec<Statement>, Unreadable> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(too_large().into());
    }
    let bytes = decompressed(bytes)?;
    if let Some(fault) = other_kind(&bytes) {
        return Err(fault.into());
    }
    let (text, weak) = encoding::decode(&bytes, options)?;
    let text = with_line_feeds(text);
    if text.trim().is_empty() {
        return Err(Fault::new("file", "must not be empty").into());
    }
    let format = detect(&text)?;
    if let (Format::Csv, None) = (format, &options.profile)
        && let Some((profile, notice)) = recognised_profile(&text, options)?
    {
        // The profile may name an encoding.
        let with_profile = ReadOptions { profile: Some(profile.clone()), ..options.clone() };
        let mut read = read_into(&bytes, &with_profile, receive, statements)?;
        read.iter_mut().take(1).for_each(|statement| statement.notices.push(notice.clone()));
        return Ok(read);
    }
    let collector = Collector::new(receive, statements);
    let mut statements = match format {
        Format::Csv => csv::read(&text, options, collector),
        Format::Ofx => ofx::read(&text, collector),
        Format::Camt => camt::read(&text, collector),
        Format::Mt940 => mt940::read(&text, collector),
        Format::Qif => qif::read(&text, options, collector),
        Format::Plaid => plaid::read(&text, options, collector),
        Format::SimpleFin => simplefin::read(&text, collector),
        Format::Sure => sure::read(&text, collector),
        Format::GnuCash => gnucash::read(&text, collector),
    }?;
    if let (Some(encoding), Some(first)) = (weak, statements.first_mut()) {
        first
            .notices
            .push(format!("{ENCODING_GUESSED} {}, so names may have wrong letters", encoding.name()));
    }
    Ok(statements)
}

/// Returns the profile of a CSV file that no header line of the profiles that come with Passbook decides, with the notice
/// about it.
fn recognised_profile<'a>(
    text: &str,
    options: &'a ReadOptions,
) -> Result<Option<(&'a csv::Profile, String)>, Unreadable> {
    if let Some(own) = csv::own_profile(text, &options.own_profiles)? {
        return Ok(Some((own, format!("read with the own profile {}", own.name))));
    }
    let found = csv::profile_without_header(text, options);
    Ok(found.map(|one| (one, format!("read with the profile {}, which all rows prove", one.name))))
}

/// Start of the notice about a file whose bytes fit several encodings, or none.
pub const ENCODING_GUESSED: &str = "the file states no encoding and is read as";

fn too_large() -> Fault {
    Fault::new("file", format!("must be at most {} MiB", FILE_BYTES_MAX / (1024 * 1024)))
}

/// Decompresses a gzip file, up to [`FILE_BYTES_MAX`].
fn decompressed(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Fault> {
    if !bytes.starts_with(GZIP) {
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

/// Number of bytes at the start of a file that decide its format.
const START_BYTES_MAX: usize = 64 * 1024;

/// Files that people mistake for a statement: the first bytes, and the advice.
const OTHERS: [(&[u8], &str); 7] = [
    (b"PK\x03\x04", "is an archive or a spreadsheet: unpack it, or export the statement as CSV"),
    (b"%PDF", "is a PDF document: export the statement as CSV, OFX or CAMT instead"),
    (b"\xd0\xcf\x11\xe0", "is a spreadsheet: save it as CSV"),
    (b"SQLite format 3\0", "is a database: export its transactions as CSV or XML"),
    (b"{\\rtf", "is a text document: export the statement as CSV"),
    (b"BZh", "is compressed: decompress it"),
    (b"\xfd7zXZ", "is compressed: decompress it"),
];

/// The first bytes of a gzip file.
pub(super) const GZIP: &[u8] = b"\x1f\x8b";

/// Returns the advice for a file of another kind.
pub(super) fn other_kind(bytes: &[u8]) -> Option<Fault> {
    let known = OTHERS.iter().find(|(start, _)| bytes.starts_with(start));
    known.map(|(_, advice)| Fault::new("file", *advice))
}

/// Returns the format of a decoded text. A text without the marks of another format is [`Format::Csv`].
///
/// # Errors
/// The text is a web page.
pub fn detect(text: &str) -> Result<Format, Fault> {
    let mut end = text.len().min(START_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let start = text[..end].trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let lower = start.to_ascii_lowercase();
    if lower.starts_with("ofxheader") || lower.contains("<ofx>") || lower.contains("<ofx ") {
        return Ok(Format::Ofx);
    }
    if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
        return Err(Fault::new("file", "is a web page: download the statement itself"));
    }
    if lower.starts_with('<') {
        return Ok(xml(&lower));
    }
    // The header blocks of the network, which JSON never begins with.
    let is_enveloped = ["{1:", "{2:", "{4:"].into_iter().any(|block| start.starts_with(block));
    if (start.starts_with('{') || start.starts_with('[')) && !is_enveloped {
        return Ok(json(start));
    }
    let is_mt940 = |line: &str| line.starts_with(":20:") || is_enveloped || line.starts_with(":25:");
    if start.lines().take(40).any(is_mt940) && start.contains(":61:")
        || start.lines().take(40).any(is_mt940) && (start.contains(":60F:") || start.contains(":60M:"))
    {
        return Ok(Format::Mt940);
    }
    let is_qif = |line: &str| {
        line.starts_with("!Type:") || line.starts_with("!Account") || line.starts_with("!Option")
    };
    if start.lines().take(40).any(|line| is_qif(line.trim_start())) {
        return Ok(Format::Qif);
    }
    Ok(Format::Csv)
}

fn xml(lower: &str) -> Format {
    if lower.contains("<gnc-v2") || lower.contains("<gnc:") { Format::GnuCash } else { Format::Camt }
}

fn json(start: &str) -> Format {
    let has = |key: &str| start.contains(key);
    let first_line = start.lines().next().unwrap_or_default();
    if first_line.contains("\"type\"") && first_line.contains("\"data\"") {
        Format::Sure
    } else if has("\"next_cursor\"") || has("\"added\"") || has("\"personal_finance_category\"") {
        Format::Plaid
    } else {
        Format::SimpleFin
    }
}
