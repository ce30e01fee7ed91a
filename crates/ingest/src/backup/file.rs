//! Reads the file of a backup, and checks it before anything is stored.
//!
//! The file may come from anywhere. Nothing is unpacked to the file system, entries are accepted only under the paths
//! and with the lengths that the manifest states, and only the manifest is held in memory.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Error, Read, Seek as _, SeekFrom};

use flate2::bufread::GzDecoder;
use passbook_input::{Fault, Faults};

use super::BackupError;
use super::manifest::{Manifest, Meter, TableEntry};

/// Length of a piece that is read at once, in bytes: 64 KiB.
pub(super) const PIECE_BYTES: usize = 64 << 10;
/// Maximum length of the padding after the last entry, in bytes: the block size of tar.
const PADDING_BYTES_MAX: u64 = 10 << 10;
/// The place of a fault of the whole file.
const WHOLE: &str = "backup";

type Archive<'f> = tar::Archive<GzDecoder<BufReader<&'f File>>>;

/// The content of an entry of the archive.
pub(super) type Content<'a, 'f> = tar::Entry<'a, GzDecoder<BufReader<&'f File>>>;

/// An open backup with a valid manifest.
#[derive(Debug)]
pub struct BackupFile {
    file: File,
    manifest: Manifest,
}

impl BackupFile {
    /// Reads the manifest of a backup. The tables are read by [`BackupFile::verify`].
    ///
    /// # Errors
    /// [`BackupError::Faults`] if the file is not a backup of this format version.
    pub fn open(file: File) -> Result<BackupFile, BackupError> {
        let mut archive = archive(&file)?;
        let mut entries = archive.entries().map_err(unreadable)?.raw(true);
        let mut entry = next(&mut entries, Manifest::PATH)?;
        let mut text = Vec::new();
        if entry.size() > Manifest::BYTES_MAX {
            let rule = format!("must have at most {} bytes", Manifest::BYTES_MAX);
            let fault = Fault::new(Manifest::PATH, rule).received(entry.size().to_string());
            return Err(BackupError::fault(fault));
        }
        entry.read_to_end(&mut text).map_err(unreadable)?;
        let manifest = Manifest::parse(&text)?;
        Ok(BackupFile { file, manifest })
    }

    /// The manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Reads the whole file, and compares it with the manifest.
    ///
    /// # Errors
    /// [`BackupError::Faults`] for a table that is missing, unknown or changed, and for an incomplete file.
    pub fn verify(&self) -> Result<(), BackupError> {
        let mut faults = Faults::with_limit(passbook_records::FAULTS_LISTED_MAX);
        let mut archive = archive(&self.file)?;
        let mut entries = archive.entries().map_err(unreadable)?.raw(true);
        next(&mut entries, Manifest::PATH)?;
        for table in &self.manifest.tables {
            let mut content = next_table(&mut entries, table)?;
            let mut meter = Meter::default();
            read_pieces(&mut content, |piece| meter.add(piece))?;
            let found = meter.finish();
            if found.sha256 != table.sha256 {
                let rule = format!("must have the SHA-256 of the manifest, {}", table.sha256);
                faults.push(Fault::new(table.path(), rule).received(found.sha256));
            } else if found.rows != table.rows {
                let rule = format!("must have {} rows, as the manifest states", table.rows);
                faults.push(Fault::new(table.path(), rule).received(found.rows.to_string()));
            }
        }
        if let Some(further) = entries.next() {
            let path = path(&further.map_err(unreadable)?);
            let rule = "must end after the last table of the manifest";
            return Err(BackupError::fault(Fault::new(WHOLE, rule).received(path)));
        }
        check_end(archive)?;
        faults.none_or(()).map_err(|faults| BackupError::Faults(faults.into_list()))
    }

    /// Opens the archive at its first table.
    pub(super) fn archive(&self) -> Result<Archive<'_>, BackupError> {
        archive(&self.file)
    }
}

fn archive(mut file: &File) -> Result<Archive<'_>, BackupError> {
    file.seek(SeekFrom::Start(0)).map_err(|error| BackupError::File("read", error))?;
    Ok(tar::Archive::new(GzDecoder::new(BufReader::new(file))))
}

/// Returns the next entry, which must be a file with the path `expected`.
pub(super) fn next<'a, 'f>(
    entries: &mut tar::Entries<'a, GzDecoder<BufReader<&'f File>>>,
    expected: &str,
) -> Result<Content<'a, 'f>, BackupError> {
    let rule = || format!("must continue with the file {expected}");
    let Some(entry) = entries.next() else {
        return Err(BackupError::fault(Fault::new(WHOLE, rule()).received("the end of the archive")));
    };
    let entry = entry.map_err(unreadable)?;
    let found = path(&entry);
    if found != expected || entry.header().entry_type() != tar::EntryType::Regular {
        return Err(BackupError::fault(Fault::new(WHOLE, rule()).received(found)));
    }
    Ok(entry)
}

/// Returns the next entry, which must have the path and the length of `table`.
pub(super) fn next_table<'a, 'f>(
    entries: &mut tar::Entries<'a, GzDecoder<BufReader<&'f File>>>,
    table: &TableEntry,
) -> Result<Content<'a, 'f>, BackupError> {
    let entry = next(entries, &table.path())?;
    if entry.size() != table.bytes {
        let rule = format!("must have {} bytes, as the manifest states", table.bytes);
        return Err(BackupError::fault(Fault::new(table.path(), rule).received(entry.size().to_string())));
    }
    Ok(entry)
}

fn path(entry: &Content<'_, '_>) -> String {
    String::from_utf8_lossy(&entry.path_bytes()).into_owned()
}

/// Reads a text to its end in bounded pieces.
fn read_pieces(content: &mut impl Read, mut receive: impl FnMut(&[u8])) -> Result<(), BackupError> {
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        match content.read(&mut piece).map_err(unreadable)? {
            0 => return Ok(()),
            length => receive(&piece[..length]),
        }
    }
}

/// Checks that only padding follows the last entry. Reading to the end also checks the checksum of gzip, which an
/// incomplete file lacks.
fn check_end(archive: Archive<'_>) -> Result<(), BackupError> {
    let mut decoder = archive.into_inner();
    let mut padding = Vec::new();
    (&mut decoder).take(PADDING_BYTES_MAX + 1).read_to_end(&mut padding).map_err(unreadable)?;
    let is_padding = padding.len() as u64 <= PADDING_BYTES_MAX && padding.iter().all(|byte| *byte == 0);
    let at_end = decoder.into_inner().fill_buf().map_err(unreadable)?.is_empty();
    if is_padding && at_end {
        return Ok(());
    }
    let rule = "must end after the last table of the manifest";
    Err(BackupError::fault(Fault::new(WHOLE, rule).received("further bytes")))
}

/// Converts an error of reading. An error that the operating system did not report is a fault of the content.
fn unreadable(error: Error) -> BackupError {
    if error.raw_os_error().is_some() {
        return BackupError::File("read", error);
    }
    let rule = "must be a complete backup: a gzip-compressed tar archive";
    BackupError::fault(Fault::new(WHOLE, rule).received(error.to_string()))
}
