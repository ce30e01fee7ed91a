//! The entries of a backup, to be changed and written again.

use std::io::Read as _;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tar::EntryType;

/// An unpacked backup.
#[derive(Clone)]
pub(super) struct Unpacked {
    pub(super) manifest: Value,
    /// Path, type and content of the entries after the manifest.
    pub(super) entries: Vec<(String, EntryType, Vec<u8>)>,
}

impl Unpacked {
    pub(super) fn read(path: &str) -> Unpacked {
        let file = std::fs::File::open(path).expect("the backup exists");
        let mut archive = tar::Archive::new(GzDecoder::new(file));
        let mut entries = Vec::new();
        for entry in archive.entries().expect("an archive") {
            let mut entry = entry.expect("an entry");
            assert_eq!(entry.header().mode().expect("a mode"), 0o600);
            let path = String::from_utf8(entry.path_bytes().into_owned()).expect("UTF-8");
            let mut content = Vec::new();
            entry.read_to_end(&mut content).expect("the content");
            entries.push((path, EntryType::Regular, content));
        }
        let (path, _, manifest) = entries.remove(0);
        assert_eq!(path, "manifest.json");
        Unpacked { manifest: serde_json::from_slice(&manifest).expect("JSON"), entries }
    }

    /// Writes the entries as they are, with paths that `tar` would refuse too.
    pub(super) fn write(&self, path: &str) {
        let file = std::fs::File::create(path).expect("the file is created");
        let mut builder = tar::Builder::new(GzEncoder::new(file, Compression::fast()));
        let manifest =
            ("manifest.json".to_owned(), EntryType::Regular, self.manifest.to_string().into_bytes());
        for (path, kind, content) in std::iter::once(&manifest).chain(&self.entries) {
            let mut header = tar::Header::new_ustar();
            let name = &mut header.as_old_mut().name;
            name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_entry_type(*kind);
            header.set_size(content.len() as u64);
            header.set_mode(0o600);
            header.set_cksum();
            builder.append(&header, content.as_slice()).expect("the entry is written");
        }
        builder.into_inner().expect("the archive ends").finish().expect("the file is written");
    }

    /// The position of a table.
    pub(super) fn position(&self, table: &str) -> usize {
        let path = format!("tables/{table}.csv");
        self.entries.iter().position(|(found, ..)| *found == path).expect("the table is in the backup")
    }

    /// Replaces a text in a table, and updates the manifest.
    pub(super) fn edit(&mut self, table: &str, from: &str, to: &str) {
        let position = self.position(table);
        let content = &mut self.entries[position].2;
        let text = String::from_utf8(content.clone()).expect("UTF-8");
        assert!(text.contains(from), "{from} is not in {table}");
        *content = text.replacen(from, to, 1).into_bytes();
        let (length, hash) = (content.len(), Sha256::digest(content.as_slice()));
        let entry = &mut self.manifest["tables"][position];
        entry["bytes"] = length.into();
        entry["sha256"] = hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into();
    }
}
