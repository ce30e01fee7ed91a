//! Writes the archive: the manifest, then the tables.

use std::io::{Error, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::Timestamp;

use super::manifest::Manifest;

/// Permission bits of the unpacked files: only their owner can read them.
const MODE: u32 = 0o600;

/// Writes a backup. `tables` has the CSV texts of all tables of the manifest, one after the other.
pub(super) fn write(manifest: &Manifest, mut tables: impl Read, output: impl Write) -> Result<(), Error> {
    let mut builder = tar::Builder::new(GzEncoder::new(output, Compression::default()));
    let time = manifest.created_at;
    let mut text = serde_json::to_vec_pretty(manifest)?;
    text.push(b'\n');
    append(&mut builder, Manifest::PATH, text.len() as u64, time, text.as_slice())?;
    for table in &manifest.tables {
        append(&mut builder, &table.path(), table.bytes, time, (&mut tables).take(table.bytes))?;
    }
    builder.into_inner()?.finish()?.flush()
}

fn append(
    builder: &mut tar::Builder<impl Write>,
    path: &str,
    bytes: u64,
    time: Timestamp,
    content: impl Read,
) -> Result<(), Error> {
    let mut header = tar::Header::new_ustar();
    header.set_path(path)?;
    header.set_size(bytes);
    header.set_mode(MODE);
    header.set_mtime(u64::try_from(time.as_second()).unwrap_or(0));
    header.set_cksum();
    builder.append(&header, content)
}
