//! Precedence, defaults, and that every problem is listed without showing a secret.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Settings;
use crate::arguments::Connection;

fn read(flags: &Connection, environment: &[(&str, &str)]) -> Result<Settings, Vec<String>> {
    Settings::read(flags, &|name| {
        environment.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
    })
}

fn folder(settings: Result<Settings, Vec<String>>) -> PathBuf {
    match settings {
        Ok(Settings::Private(config)) => config.data_dir,
        other => panic!("expected the private database, got {other:?}"),
    }
}

fn file(text: &str) -> (tempfile::NamedTempFile, Connection) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("room");
    let flags = Connection { config: Some(file.path().to_owned()), ..Connection::default() };
    (file, flags)
}

#[test]
fn a_flag_beats_the_environment_beats_the_file() {
    let (_file, mut flags) = file("data_dir = \"/from-file\"\nlisten = \"127.0.0.1:1\"");
    assert_eq!(folder(read(&flags, &[])), Path::new("/from-file"));
    let environment = [("PASSBOOK_DATA_DIR", "/from-environment")];
    assert_eq!(folder(read(&flags, &environment)), Path::new("/from-environment"));
    flags.data_dir = Some("/from-flag".into());
    assert_eq!(folder(read(&flags, &environment)), Path::new("/from-flag"));
}

#[test]
fn a_url_names_a_server_of_somebody_elses() {
    let url = "postgresql://operator:secret@db.example.org/books";
    let (_file, flags) = file(&format!("admin_database_url = \"{url}\""));
    let environment = [("PASSBOOK_ADMIN_DATABASE_URL", url), ("PASSBOOK_DATA_DIR", "/x")];
    for settings in [read(&Connection::default(), &environment), read(&flags, &[])] {
        match settings {
            Ok(Settings::External(config)) => assert_eq!(config.get_dbname(), Some("books")),
            other => panic!("the URL was overlooked: {other:?}"),
        }
    }
}

#[test]
fn every_problem_is_listed() {
    let (_file, flags) = file("data_dir = 3\npostgres_bin = false\nno_download = \"perhaps\"");
    let problems = read(&flags, &[]).expect_err("three problems");
    assert_eq!(problems.len(), 3, "{problems:?}");
}

#[test]
fn a_secret_is_not_repeated() {
    let (_file, flags) = file("admin_database_url = \"postgresql://operator:hunter2@db\nother = 1");
    let problems = read(&flags, &[]).expect_err("not TOML").join("\n");
    assert!(!problems.contains("hunter2"), "{problems}");
    let url = [("PASSBOOK_ADMIN_DATABASE_URL", "postgresql://operator:hunter2@db:port/x")];
    let problems = read(&Connection::default(), &url).expect_err("no port").join("\n");
    assert!(problems.contains("PASSBOOK_ADMIN_DATABASE_URL") && !problems.contains("hunter2"), "{problems}");
}

#[test]
fn fetching_can_be_forbidden() {
    for (value, download) in [("true", false), ("0", true), ("", true)] {
        let environment = [("PASSBOOK_DATA_DIR", "/x"), ("PASSBOOK_NO_DOWNLOAD", value)];
        match read(&Connection::default(), &environment) {
            Ok(Settings::Private(config)) => assert_eq!(config.download, download, "{value}"),
            other => panic!("{other:?}"),
        }
    }
}
