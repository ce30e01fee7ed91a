//! A file that is not a complete and valid backup is rejected, and nothing is stored. The cases of archives are in files:
//! each line changes the archive, which is JSON with `manifest` and `entries`, or, as `table: pattern -> text`, the content
//! of a table together with its length and its hash in the manifest. `{table}` stands for the position of a table, `{end}`
//! for the position after the last one.

use std::io::Read as _;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use passbook_test_cases::change;
use regex::Regex;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tar::EntryType;
use tests::admin::{admin, run};
use tests::database::Database;
use tests::temporary::Folder;

use super::{as_superuser, filled_database, schemas};

/// Reads a backup: the manifest, and path, type and content of the entries after it.
fn unpacked(path: &str) -> Value {
    let file = std::fs::File::open(path).expect("the backup exists");
    let mut archive = tar::Archive::new(GzDecoder::new(file));
    let mut entries = Vec::new();
    for entry in archive.entries().expect("an archive") {
        let mut entry = entry.expect("an entry");
        assert_eq!(entry.header().mode().expect("a mode"), 0o600);
        let path = String::from_utf8(entry.path_bytes().into_owned()).expect("UTF-8");
        let mut text = String::new();
        entry.read_to_string(&mut text).expect("UTF-8");
        entries.push(json!({ "path": path, "type": "0", "text": text }));
    }
    let manifest = entries.remove(0);
    assert_eq!(manifest["path"], "manifest.json");
    let manifest: Value = serde_json::from_str(text(&manifest["text"])).expect("JSON");
    json!({ "manifest": manifest, "entries": entries })
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

/// Writes the entries as they are, with paths that `tar` would refuse too.
fn pack(backup: &Value, path: &str) {
    let file = std::fs::File::create(path).expect("the file is created");
    let mut builder = tar::Builder::new(GzEncoder::new(file, Compression::fast()));
    let manifest = json!({ "path": "manifest.json", "type": "0", "text": backup["manifest"].to_string() });
    for entry in std::iter::once(&manifest).chain(backup["entries"].as_array().expect("a list")) {
        let [path, kind, content] = ["path", "type", "text"].map(|member| text(&entry[member]).as_bytes());
        let mut header = tar::Header::new_ustar();
        header.as_old_mut().name[..path.len()].copy_from_slice(path);
        header.set_entry_type(EntryType::new(kind[0]));
        header.set_size(content.len() as u64);
        header.set_mode(0o600);
        header.set_cksum();
        builder.append(&header, content).expect("the entry is written");
    }
    builder.into_inner().expect("the archive ends").finish().expect("the file is written");
}

/// Applies a line of a case.
fn damage(backup: &mut Value, line: &str) {
    let Some((table, (from, to))) =
        line.split_once(": ").and_then(|(table, edit)| Some((table, edit.split_once(" -> ")?)))
    else {
        return change(backup, line);
    };
    let position: usize = table.parse().expect("a position");
    let content = text(&backup["entries"][position]["text"]).to_owned();
    let changed = Regex::new(from).expect("a pattern").replace(&content, to).into_owned();
    assert_ne!(changed, content, "{line}");
    let hash: String = Sha256::digest(&changed).iter().map(|byte| format!("{byte:02x}")).collect();
    let entry = &mut backup["manifest"]["tables"][position];
    (entry["bytes"], entry["sha256"]) = (changed.len().into(), hash.into());
    backup["entries"][position]["text"] = changed.into();
}

/// A valid backup in a folder, and its path.
async fn backup(folder: &Folder) -> String {
    let (database, _) = filled_database().await;
    let path = folder.file("valid.passbook");
    admin(&database, &["backup", &path]).done();
    path
}

#[tokio::test]
async fn truncated_or_changed_file_is_rejected_at_every_place() {
    let folder = Folder::create();
    let valid = std::fs::read(backup(&folder).await).expect("a file");
    let path = folder.file("damaged.passbook");
    // Without a database: a dry run for an absent embedded database reads the file only.
    let data_dir = folder.file("data");
    let rejected = |content: &[u8], place: String| {
        std::fs::write(&path, content).expect("the file is written");
        let words = ["restore", path.as_str(), "--dry-run", "--data-dir", &data_dir];
        let ended = run(&[], &words, "");
        assert!(ended.code == 65 && ended.stderr.contains("must"), "{place}: {ended:?}");
    };
    let length = valid.len();
    for end in [0, 1, 9, 10, 100, length / 3, length / 2, length - 9, length - 8, length - 4, length - 1] {
        rejected(&valid[..end], format!("truncated to {end} of {length} bytes"));
    }
    for position in [0, 20, 500, length / 3, length / 2, length - 20, length - 8, length - 1] {
        let mut changed = valid.clone();
        changed[position] ^= 0x10;
        rejected(&changed, format!("changed at {position} of {length}"));
    }
    rejected(&[valid.as_slice(), b"x"].concat(), "one byte more".to_owned());
    rejected(&[valid.as_slice(), valid.as_slice()].concat(), "two backups".to_owned());
    rejected(b"-- PostgreSQL database dump", "a plain dump".to_owned());
}

#[test]
fn cases_of_damaged_archives() {
    let runtime = tests::runtime();
    let folder = Folder::create();
    let path = folder.file("changed.passbook");
    let (valid, bare, migrated) = runtime.block_on(async {
        let valid = unpacked(&backup(&folder).await);
        (valid, Database::bare().await, Database::fresh().await)
    });
    let names: Vec<&str> = valid["manifest"]["tables"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|table| text(&table["name"]))
        .collect();
    let latest = passbook_schema::latest_version();
    // Numbers and hashes that depend on the rows of the backup.
    let varying =
        Regex::new("[0-9a-f]{64}|[0-9]+ bytes|received [0-9]{7}|restored_[0-9]+").expect("a pattern");
    passbook_test_cases::check(&tests::root().join("tests/it/admin/backup/damaged"), &[], |case| {
        let mut changed = valid.clone();
        let lines = case
            .text()
            .replace("{end}", &names.len().to_string())
            .replace("{newer}", &(latest + 1).to_string());
        let lines = names.iter().enumerate().fold(lines, |lines, (position, name)| {
            lines.replace(&format!("{{{name}}}"), &position.to_string())
        });
        lines.lines().for_each(|line| damage(&mut changed, line));
        pack(&changed, &path);
        let message = as_superuser(&bare, &["restore", &path]).failed(65);
        assert_eq!(runtime.block_on(schemas(&bare)), 0, "no schema may be left: {message}");
        assert_eq!(admin(&migrated, &["restore", &path, "--dry-run"]).failed(65), message);
        let message =
            message.replace(&path, "FILE").replace(&format!("version {}", latest + 1), "version {newer}");
        let message = message.replace(&format!("version {latest}"), "version {latest}");
        varying.replace_all(&message, "[..]").into_owned()
    });
    pack(&valid, &path);
    as_superuser(&bare, &["restore", &path]).done();
}
