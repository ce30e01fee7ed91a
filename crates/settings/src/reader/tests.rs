//! Tests of the reader: the precedence of the sources, and that every problem is reported without showing a secret.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use clap::Command;
use passbook_test_cases::Case;

use super::*;
use crate::setting::Kind;
use crate::{Deployment, EmbeddedDatabase, Program, flag_values, flags, keys, table};

/// A password that no message may show.
const SECRET: &str = "hunter2";

/// Creates the sources of a program: command line, environment and settings file.
fn sources(program: Program, arguments: &[&str], environment: &[(&str, &str)], file: &Path) -> Sources {
    let command = Command::new("program").args(flags(program));
    let matches = command.get_matches_from(std::iter::once(&"program").chain(arguments));
    Sources::from_environment(environment.iter().copied())
        .with_flags(flag_values(program, &matches))
        .with_file(Some(file))
}

/// Returns the problems that a reader has collected after `read`.
fn problems(sources: &Sources, read: impl FnOnce(&mut Reader<'_>)) -> Vec<Fault> {
    let mut reader = Reader::new(sources);
    read(&mut reader);
    reader.finish(()).err().unwrap_or_default()
}

fn names(problems: &[Fault]) -> Vec<&str> {
    problems.iter().map(|problem| problem.place.as_str()).collect()
}

/// Returns the lines about the faults of a case.
fn fault_lines(case: &Case) -> String {
    let environment = case.text();
    let environment = environment.lines().filter_map(|line| line.split_once('='));
    let environment: Vec<_> = environment.chain([("HOME", "/home/ada")]).collect();
    let flags: Vec<&str> = case.value("flags").unwrap_or_default().split_whitespace().collect();
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), case.section("file").unwrap_or_default()).expect("writing succeeds");
    let sources = sources(Program::Server, &flags, &environment, file.path());
    let command_line = case.value("problem").map(|text| Fault::verbatim("command line", text));
    let found = problems(&sources.with_problems(command_line), |reader| {
        EmbeddedDatabase::read(reader, true);
        Deployment::read(reader);
        reader.optional(keys::ADMIN_DATABASE_URL);
        reader.value(keys::MCP_ORIGINS);
        reader.value(keys::CONNECTIONS);
    });
    assert!(!format!("{found:?}").contains(SECRET), "{found:?}");
    let lines: String = found.iter().map(|fault| format!("{fault}\n")).collect();
    lines.replace(&file.path().display().to_string(), "config.toml")
}

#[test]
fn flag_beats_environment_beats_file_beats_default() {
    let [file, empty] = [(); 2].map(|()| tempfile::NamedTempFile::new().expect("a file"));
    std::fs::write(file.path(), "data_dir = \"/file\"\nconnections = 3\nno_download = true")
        .expect("writing succeeds");
    let (file, empty) = (file.path(), empty.path());
    let environment =
        [("PASSBOOK_DATA_DIR", "/environment"), ("PASSBOOK_CONNECTIONS", "2"), ("PASSBOOK_NO_DOWNLOAD", "0")];
    let flags = ["--data-dir", "/flag", "--connections", "1", "--no-download"];
    for (flags, environment, file, expected) in [
        (&flags[..], &environment[..], file, (Some("/flag"), 1, true)),
        (&[], &environment, file, (Some("/environment"), 2, false)),
        (&[], &[], file, (Some("/file"), 3, true)),
        (&[], &[], empty, (None, 1024, false)),
    ] {
        let sources = sources(Program::Server, flags, environment, file);
        let mut reader = Reader::new(&sources);
        let path = reader.optional(keys::DATA_DIR);
        let found = (path, reader.value(keys::CONNECTIONS), reader.value(keys::NO_DOWNLOAD));
        assert_eq!(found, (expected.0.map(PathBuf::from), expected.1, expected.2));
        assert_eq!(reader.finish(()), Ok(()));
    }
}

#[test]
fn both_programs_read_shared_settings_alike() {
    for value in ["true", "1", "false", "0", "yes", ""] {
        let read = |program| {
            let environment = [("PASSBOOK_DATA_DIR", "data"), ("PASSBOOK_NO_DOWNLOAD", value)];
            let sources = sources(program, &["--postgres-bin", "bin"], &environment, Path::new("/dev/null"));
            let mut reader = Reader::new(&sources);
            let database = EmbeddedDatabase::read(&mut reader, true);
            (database, reader.finish(()))
        };
        let (server, admin) = (read(Program::Server), read(Program::Admin));
        assert_eq!(server, admin, "{value:?}");
        let problems = admin.1.expect_err("two folders are relative");
        assert!(problems.iter().filter(|problem| problem.rule.contains("absolute path")).count() == 2);
        assert_eq!(names(&problems).contains(&"PASSBOOK_NO_DOWNLOAD"), value == "yes", "{problems:?}");
        assert_eq!(admin.0.download, !matches!(value, "true" | "1"), "{value:?}");
    }
}

#[test]
fn boolean_flag_has_an_optional_value() {
    for (flag, expected) in
        [("--no-download", true), ("--no-download=false", false), ("--no-download=1", true)]
    {
        for program in [Program::Server, Program::Admin] {
            let sources =
                sources(program, &[flag], &[("PASSBOOK_NO_DOWNLOAD", "true")], Path::new("/dev/null"));
            assert_eq!(Reader::new(&sources).value(keys::NO_DOWNLOAD), expected, "{flag}");
        }
    }
}

#[test]
fn named_file_must_exist_and_be_small() {
    let folder = tempfile::tempdir().expect("a folder");
    let large = folder.path().join("large.toml");
    std::fs::write(&large, "#".repeat(65 * 1024)).expect("writing succeeds");
    for (path, message) in [
        (folder.path().join("absent.toml"), "cannot be read: "),
        (folder.path().to_owned(), "cannot be read: "),
        (large, "is larger than 65536 bytes"),
    ] {
        let sources = Sources::default().with_file(Some(&path));
        let found = problems(&sources, |_| {});
        assert_eq!(names(&found), [path.to_str().expect("UTF-8")]);
        assert!(found[0].rule.starts_with(message), "{found:?}");
    }
}

#[test]
fn default_file_may_be_absent() {
    let home = tempfile::tempdir().expect("a folder");
    let environment = [("HOME", home.path())];
    let read = || Sources::from_environment(environment).with_file(None);
    assert!(problems(&read(), |_| {}).is_empty());
    std::fs::create_dir_all(home.path().join(".config/passbook")).expect("a folder");
    std::fs::write(home.path().join(".config/passbook/config.toml"), "data_dir = \"/file\"")
        .expect("writing succeeds");
    let sources = read();
    assert_eq!(Reader::new(&sources).optional(keys::DATA_DIR).as_deref(), Some(Path::new("/file")));
}

#[test]
fn value_that_is_not_utf8_is_a_problem() {
    let value = OsString::from_vec(b"/data/\xff".to_vec());
    let sources = Sources::from_environment([("PASSBOOK_DATA_DIR", value)]);
    let found = problems(&sources, |reader| {
        EmbeddedDatabase::read(reader, true);
    });
    assert_eq!(found, [Fault::verbatim("PASSBOOK_DATA_DIR", "must be UTF-8 text")]);
}

#[test]
fn data_folder_is_required_only_where_it_is_used() {
    let nothing = Sources::default();
    let read = |is_used| problems(&nothing, |reader| drop(EmbeddedDatabase::read(reader, is_used)));
    assert_eq!(read(false), []);
    // For root the data folder does not depend on the home folder.
    if !crate::folders::is_root() {
        assert_eq!(names(&read(true)), ["PASSBOOK_DATA_DIR"]);
    }
}

#[test]
fn every_fault_is_reported_at_once_without_a_secret() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    passbook_test_cases::check(&folder, &["flags", "file", "problem"], fault_lines);
}

#[test]
fn public_origin_is_the_setting_or_the_listening_address() {
    for (environment, expected) in [
        (&[][..], "http://127.0.0.1:8080"),
        (
            &[("PASSBOOK_LISTEN", "[::]:80"), ("PASSBOOK_ORIGIN", "https://money.example/")],
            "https://money.example",
        ),
    ] {
        let sources = Sources::from_environment(environment.iter().copied());
        let mut reader = Reader::new(&sources);
        assert_eq!(Deployment::read(&mut reader).public_origin(), expected);
        assert_eq!(reader.finish(()), Ok(()));
    }
}

#[test]
fn every_default_follows_the_rule_of_its_kind() {
    assert_eq!(problems(&Sources::default(), table::read_all), []);
    for setting in SETTINGS {
        if let Kind::Word(words) = setting.kind {
            assert!(words.contains(&setting.default), "{}", setting.name);
        }
        assert!(setting.kind != Kind::DatabaseUrl || setting.default.is_empty(), "{}", setting.name);
    }
}
