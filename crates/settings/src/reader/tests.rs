//! Tests of the reader: the precedence of the sources, and that every problem is reported without showing a secret.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use clap::Command;

use super::*;
use crate::{Deployment, DeploymentRules, EmbeddedDatabase, Program, SETTINGS, flag_values, flags};

/// A password that no message may show.
const SECRET: &str = "hunter2";

/// Creates the sources of a program: command line, environment and the text of a settings file.
fn sources(program: Program, arguments: &[&str], environment: &[(&str, &str)], file: &str) -> Sources {
    let path = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(path.path(), file).expect("writing succeeds");
    let command = Command::new("program").args(flags(program));
    let matches = command.get_matches_from(std::iter::once(&"program").chain(arguments));
    Sources::from_environment(environment.iter().copied())
        .with_flags(flag_values(program, &matches))
        .with_file(Some(path.path()))
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

fn deployment(reader: &mut Reader<'_>) -> Deployment<String> {
    let text = |text: &str| Ok(text.to_owned());
    Deployment::read(reader, DeploymentRules { issuer: text, mode: text })
}

#[test]
fn flag_beats_environment_beats_file_beats_default() {
    let file = "data_dir = \"/file\"\nconnections = 3\nno_download = true";
    let environment =
        [("PASSBOOK_DATA_DIR", "/environment"), ("PASSBOOK_CONNECTIONS", "2"), ("PASSBOOK_NO_DOWNLOAD", "0")];
    let flags = ["--data-dir", "/flag", "--connections", "1", "--no-download"];
    for (flags, environment, file, expected) in [
        (&flags[..], &environment[..], file, (Some("/flag"), 1, true)),
        (&[], &environment, file, (Some("/environment"), 2, false)),
        (&[], &[], file, (Some("/file"), 3, true)),
        (&[], &[], "", (None, 1024, false)),
    ] {
        let sources = sources(Program::Server, flags, environment, file);
        let mut reader = Reader::new(&sources);
        let path = reader.path("PASSBOOK_DATA_DIR");
        let found = (path, reader.number("PASSBOOK_CONNECTIONS"), reader.boolean("PASSBOOK_NO_DOWNLOAD"));
        assert_eq!(found, (expected.0.map(PathBuf::from), expected.1, expected.2));
        assert_eq!(reader.finish(()), Ok(()));
    }
}

#[test]
fn both_programs_read_shared_settings_alike() {
    for value in ["true", "1", "false", "0", "yes", ""] {
        let read = |program| {
            let environment = [("PASSBOOK_DATA_DIR", "data"), ("PASSBOOK_NO_DOWNLOAD", value)];
            let sources = sources(program, &["--postgres-bin", "bin"], &environment, "");
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
            let sources = sources(program, &[flag], &[("PASSBOOK_NO_DOWNLOAD", "true")], "");
            assert_eq!(Reader::new(&sources).boolean("PASSBOOK_NO_DOWNLOAD"), expected, "{flag}");
        }
    }
}

#[test]
fn empty_variable_counts_as_absent() {
    let sources = Sources::from_environment([("PASSBOOK_DATA_DIR", ""), ("PASSBOOK_UNKNOWN", "")]);
    let mut reader = Reader::new(&sources);
    assert!(!reader.is_given("PASSBOOK_DATA_DIR"));
    assert_eq!(reader.path("PASSBOOK_DATA_DIR"), None);
    assert_eq!(reader.finish(()), Ok(()));
}

#[test]
fn unknown_names_are_problems() {
    let environment = [
        ("PASSBOOK_DATA_DIRECTORY", "/x"),
        ("PASSBOOK_ADMIN_URL", "/x"),
        ("PASSBOOK_TEST_CASES", "1"),
        ("OTHER", "x"),
    ];
    let sources =
        sources(Program::Admin, &[], &environment, "data_directory = \"/x\"\nadmin_database_url = \"u\"");
    let found = problems(&sources, |_| {});
    assert_eq!(names(&found), ["data_directory", "PASSBOOK_ADMIN_URL", "PASSBOOK_DATA_DIRECTORY"]);
    assert!(found.iter().all(|problem| problem.rule.starts_with("is not a setting")));
}

#[test]
fn token_variable_of_client_programs_is_ignored() {
    for program in [Program::Server, Program::Admin] {
        let environment = [("PASSBOOK_TOKEN", SECRET), ("PASSBOOK_TOKENS", SECRET)];
        let found = problems(&sources(program, &[], &environment, ""), |_| {});
        assert_eq!(names(&found), ["PASSBOOK_TOKENS"], "{program:?}");
        assert!(!format!("{found:?}").contains(SECRET), "{found:?}");
    }
}

#[test]
fn all_problems_are_reported_at_once() {
    let environment = [("PASSBOOK_LISTEN", "here"), ("PASSBOOK_X", "x"), ("PASSBOOK_NO_DOWNLOAD", "perhaps")];
    let sources =
        sources(Program::Server, &["--data-dir", "data"], &environment, "postgres_bin = 3\nlog = [1]")
            .with_problems([Fault::verbatim("command line", "unexpected argument")]);
    let found = problems(&sources, |reader| {
        EmbeddedDatabase::read(reader, true);
        deployment(reader);
    });
    let expected = [
        "log",
        "command line",
        "PASSBOOK_X",
        "PASSBOOK_DATA_DIR",
        "PASSBOOK_POSTGRES_BIN",
        "PASSBOOK_NO_DOWNLOAD",
        "PASSBOOK_LISTEN",
    ];
    assert_eq!(names(&found), expected, "{found:#?}");
}

#[test]
fn problem_shows_the_value_unless_it_may_be_a_secret() {
    let url = format!("postgresql://x:{SECRET}@h:port/d");
    let environment = [
        ("PASSBOOK_DATABASE_URL", url.as_str()),
        ("PASSBOOK_ADMIN_DATABASE_URL", url.as_str()),
        ("PASSBOOK_LISTEN", "here"),
    ];
    let found = problems(&Sources::from_environment(environment), |reader| {
        deployment(reader);
        reader.optional("PASSBOOK_ADMIN_DATABASE_URL", rules::database_url);
    });
    assert_eq!(names(&found), ["PASSBOOK_LISTEN", "PASSBOOK_DATABASE_URL", "PASSBOOK_ADMIN_DATABASE_URL"]);
    assert!(found[0].to_string().ends_with("received \"here\""), "{found:?}");
    assert!(!format!("{found:?}").contains(SECRET), "{found:?}");
}

#[test]
fn file_problem_names_the_line_without_its_content() {
    let text = format!("listen = \"127.0.0.1:1\"\ndatabase_url = \"postgresql://x:{SECRET}@db\nother = 1");
    let found = problems(&sources(Program::Server, &[], &[], &text), |_| {});
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].rule.starts_with("is not TOML at line 2: "), "{found:?}");
    assert!(!found[0].to_string().contains(SECRET), "{found:?}");
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
    assert_eq!(Reader::new(&sources).path("PASSBOOK_DATA_DIR").as_deref(), Some(Path::new("/file")));
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
fn number_outside_its_range_is_a_problem() {
    for text in ["0", "100001", "-1", "1.5", "ten", ""] {
        let file = format!("connections = \"{text}\"");
        let found = problems(&sources(Program::Server, &[], &[], &file), |reader| {
            assert_eq!(reader.number::<usize>("PASSBOOK_CONNECTIONS"), 1);
        });
        let expected = format!("must be a whole number from 1 to 100000; received {text:?}");
        let lines: Vec<String> = found.iter().map(Fault::to_string).collect();
        assert_eq!(lines, [format!("PASSBOOK_CONNECTIONS: {expected}")]);
    }
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
fn provider_settings_require_the_issuer() {
    let sources = Sources::from_environment([("PASSBOOK_OIDC_AUDIENCE", "a"), ("PASSBOOK_OIDC_HOSTS", "b")]);
    let found = problems(&sources, |reader| drop(deployment(reader)));
    assert_eq!(names(&found), ["PASSBOOK_OIDC_AUDIENCE", "PASSBOOK_OIDC_HOSTS"]);
    assert!(found.iter().all(|problem| problem.rule.contains("without PASSBOOK_OIDC_ISSUER")));
}

#[test]
fn listening_on_all_addresses_requires_the_origin() {
    for address in ["0.0.0.0:80", "[::]:80"] {
        let listen = ("PASSBOOK_LISTEN", address);
        let alone = Sources::from_environment([listen]);
        assert_eq!(names(&problems(&alone, |reader| drop(deployment(reader)))), ["PASSBOOK_ORIGIN"]);
        let both = Sources::from_environment([listen, ("PASSBOOK_ORIGIN", "https://money.example/")]);
        let mut reader = Reader::new(&both);
        assert_eq!(deployment(&mut reader).public_origin(), "https://money.example");
        assert_eq!(reader.finish(()), Ok(()));
    }
    let nothing = Sources::default();
    assert_eq!(deployment(&mut Reader::new(&nothing)).public_origin(), "http://127.0.0.1:8080");
}

#[test]
fn every_default_follows_the_rule_of_its_kind() {
    let nothing = Sources::default();
    let mut reader = Reader::new(&nothing);
    for setting in SETTINGS {
        match setting.kind {
            Kind::Boolean => drop(reader.optional(setting.name, rules::boolean)),
            Kind::Number(..) => drop(reader.number::<u64>(setting.name)),
            Kind::Path => drop(reader.path(setting.name)),
            Kind::Address => drop(reader.address(setting.name)),
            Kind::Origin => drop(reader.origin(setting.name)),
            Kind::Origins => drop(reader.origins(setting.name)),
            Kind::List => drop(reader.list(setting.name)),
            Kind::Word(words) => assert!(words.contains(&setting.default), "{}", setting.name),
            Kind::DatabaseUrl => assert!(setting.default.is_empty(), "{}", setting.name),
            Kind::Text => {}
        }
    }
    assert_eq!(reader.finish(()), Ok(()));
}
