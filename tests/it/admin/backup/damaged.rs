//! A file that is not a complete and valid backup is rejected, and nothing is stored.

use std::io::Read as _;
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tar::EntryType;
use tests::admin::{admin, run};
use tests::database::Database;

use super::{as_superuser, filled_database, path_in, schemas};

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

/// A valid backup in a folder, and its path.
async fn backup(folder: &Path) -> String {
    let (database, _) = filled_database().await;
    let path = path_in(folder, "valid.passbook");
    admin(&database, &["backup", &path]).done();
    path
}

#[tokio::test]
async fn truncated_or_changed_file_is_rejected_at_every_place() {
    let folder = tests::temporary::folder();
    let valid = std::fs::read(backup(folder.path()).await).expect("a file");
    let path = path_in(folder.path(), "damaged.passbook");
    // Without a database: a dry run for an absent embedded database reads the file only.
    let data_dir = path_in(folder.path(), "data");
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

#[tokio::test]
async fn archive_that_differs_from_its_manifest_is_rejected_with_the_difference() {
    type Change = fn(&mut Unpacked);
    let folder = tests::temporary::folder();
    let valid = Unpacked::read(&backup(folder.path()).await);
    let newer = passbook_schema::latest_version() + 1;
    let newest = passbook_schema::latest_version();
    let cases: [(&str, Change, &str); 19] = [
        ("changed value", |backup| backup.entries[0].2.reverse(), "must have the SHA-256 of the manifest"),
        ("longer table", |backup| backup.entries[1].2.push(b'\n'), "bytes, as the manifest states"),
        ("missing table", |backup| drop(backup.entries.remove(2)), "must continue with the file tables/"),
        ("no tables", |backup| backup.entries.clear(), "received the end of the archive"),
        (
            "exchanged tables",
            |backup| backup.entries.swap(0, 1),
            "must continue with the file tables/account_reconciliations",
        ),
        (
            "further entry",
            |backup| backup.entries.push(("tables/more.csv".to_owned(), EntryType::Regular, b"a\n".to_vec())),
            "must end after the last table of the manifest; received tables/more.csv",
        ),
        (
            "path that leaves the folder",
            |backup| backup.entries[0].0 = "../../etc/passwd".to_owned(),
            "must continue with the file tables/account_reconciliations.csv; received ../../etc/passwd",
        ),
        (
            "symbolic link",
            |backup| backup.entries[0].1 = EntryType::Symlink,
            "must continue with the file tables/account_reconciliations.csv",
        ),
        (
            "long name of GNU tar",
            |backup| backup.entries[0].1 = EntryType::GNULongName,
            "must continue with the file tables/account_reconciliations.csv",
        ),
        (
            "wrong number of rows",
            |backup| backup.manifest["tables"][0]["rows"] = json!(7),
            "must have 7 rows, as the manifest states",
        ),
        (
            "path in the manifest",
            |backup| backup.manifest["tables"][0]["name"] = json!("../accounts"),
            "must have 1 to 63 lower-case letters, digits or _",
        ),
        (
            "table listed twice",
            |backup| backup.manifest["tables"][1]["name"] = json!("account_reconciliations"),
            "must be listed once",
        ),
        (
            "enormous table",
            |backup| backup.manifest["tables"][0]["bytes"] = json!(u64::MAX),
            "tables[0].bytes: must be at most",
        ),
        (
            "other format",
            |backup| backup.manifest["format"] = json!("zip"),
            "manifest.json: format: must be passbook-backup; received zip",
        ),
        (
            "newer format",
            |backup| backup.manifest["version"] = json!(2),
            "manifest.json: version: must be 1, the version that this program reads; received 2",
        ),
        (
            "no schema version",
            |backup| backup.manifest["schema_version"] = json!(0),
            "schema_version: must be at least 1",
        ),
        (
            "text in the manifest",
            |backup| backup.manifest = json!("manifest"),
            "must be the manifest of a backup",
        ),
        (
            "long manifest",
            |backup| backup.manifest["format"] = json!("x".repeat(5 << 20)),
            "manifest.json: must have at most",
        ),
        (
            "newer schema",
            |backup| {
                backup.manifest["schema_version"] = json!(passbook_schema::latest_version() + 1);
                backup.manifest["program_version"] = json!("9.8.7");
            },
            "use passbook-admin 9.8.7 or newer",
        ),
    ];
    let database = Database::bare().await;
    let path = path_in(folder.path(), "changed.passbook");
    for (name, change, expected) in cases {
        let mut changed = valid.clone();
        change(&mut changed);
        changed.write(&path);
        let message = as_superuser(&database, &["restore", &path]).failed(65);
        assert!(message.contains(expected), "{name}: {message}");
        if name == "newer schema" {
            let versions =
                [format!("must have schema version {newest} or older"), format!("version {newer}")];
            assert!(versions.iter().all(|version| message.contains(version)), "{message}");
        }
        assert_eq!(schemas(&database).await, 0, "{name}");
    }
}

#[tokio::test]
async fn valid_archive_with_rows_that_do_not_fit_the_schema_stores_nothing() {
    type Change = fn(&mut Unpacked);
    let folder = tests::temporary::folder();
    let valid = Unpacked::read(&backup(folder.path()).await);
    let cases: [(&str, Change, &str); 7] = [
        (
            "unknown table",
            |backup| {
                let position = backup.position("budgets");
                backup.entries[position].0 = "tables/budgets_of_1999.csv".to_owned();
                backup.manifest["tables"][position]["name"] = json!("budgets_of_1999");
            },
            "must be a table of schema version",
        ),
        (
            "missing table",
            |backup| {
                let position = backup.position("budgets");
                backup.entries.remove(position);
                backup.manifest["tables"].as_array_mut().expect("a list").remove(position);
            },
            "must list the table budgets of schema version",
        ),
        (
            "unknown column",
            |backup| {
                let position = backup.position("budgets");
                backup.manifest["tables"][position]["columns"][2] = json!("colour");
            },
            "must list the columns of budgets",
        ),
        (
            "other header",
            |backup| backup.edit("budgets", "budget_id", "budget_it"),
            "table budgets: must be storable: column name mismatch",
        ),
        (
            "broken constraint",
            |backup| backup.edit("users", ",EUR,", ",euro,"),
            "must satisfy the constraint currency_code_check",
        ),
        (
            "broken link",
            |backup| {
                let position = backup.position("transactions");
                let text = String::from_utf8(backup.entries[position].2.clone()).expect("UTF-8");
                let link = text.lines().skip(1).find_map(|line| {
                    let (rest, imported) = line.rsplit_once(',')?;
                    let linked = rest.rsplit(',').next().filter(|cell| cell.len() == 36)?;
                    Some(format!(",{linked},{imported}\n"))
                });
                let link = link.expect("a linked transaction");
                backup.edit("transactions", &link, ",00000000-0000-0000-0000-000000000001,f\n");
            },
            "linked_transaction_id",
        ),
        (
            "value in another notation",
            |backup| backup.edit("transactions", ",f,", ",false,"),
            "must be the same after it is stored",
        ),
    ];
    let (database, migrated) = (Database::bare().await, Database::fresh().await);
    let path = path_in(folder.path(), "changed.passbook");
    for (name, change, expected) in cases {
        let mut changed = valid.clone();
        change(&mut changed);
        changed.write(&path);
        let message = as_superuser(&database, &["restore", &path]).failed(65);
        assert!(message.contains(expected), "{name}: {message}");
        assert_eq!(schemas(&database).await, 0, "{name}: the schema must be undone too");
        let message = admin(&migrated, &["restore", &path, "--dry-run"]).failed(65);
        assert!(message.contains(expected), "{name}: {message}");
    }
    valid.write(&path);
    as_superuser(&database, &["restore", &path]).done();
}
