//! Which of several values of a setting holds: flag, then environment, then file, then default.

use std::ffi::OsString;

use server::settings::{Invocation, LogFormat, Settings, Sources};

use super::program::Place;

/// The settings that flags, environment and file give.
fn settings(flags: &[&str], environment: &[(&str, &str)], file: &str) -> Settings {
    let place = Place::new();
    let path = place.file("settings.toml", file);
    let arguments =
        ["passbook-server", "--config", &path].into_iter().chain(flags.iter().copied()).map(OsString::from);
    let invocation = Invocation::parse(arguments).expect("no help is asked for");
    let environment = environment.iter().chain(&[("HOME", "/home/ada")]);
    let sources = Sources::gather(&invocation, environment.map(|(name, value)| (name.into(), value.into())));
    Settings::resolve(sources).expect("the settings are good")
}

/// A setting in each place with another value, and how to read the one that holds.
type Case = (
    [&'static str; 2],
    (&'static str, &'static str),
    &'static str,
    fn(&Settings) -> String,
    [&'static str; 4],
);

const CASES: &[Case] = &[
    (
        ["--listen", "127.0.0.1:1"],
        ("PASSBOOK_LISTEN", "127.0.0.1:2"),
        "listen = \"127.0.0.1:3\"",
        |settings| settings.listen.to_string(),
        ["127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3", "127.0.0.1:8080"],
    ),
    (
        ["--origin", "https://flag.example"],
        ("PASSBOOK_ORIGIN", "https://environment.example/"),
        "origin = \"https://file.example\"",
        |settings| settings.origin.clone().unwrap_or_default(),
        ["https://flag.example", "https://environment.example", "https://file.example", ""],
    ),
    (
        ["--request-seconds", "1"],
        ("PASSBOOK_REQUEST_SECONDS", "2"),
        "request_seconds = 3",
        |settings| settings.limits.request_seconds.to_string(),
        ["1", "2", "3", "10"],
    ),
    (
        ["--database-connections", "1"],
        ("PASSBOOK_DATABASE_CONNECTIONS", "2"),
        "database_connections = \"3\"",
        |settings| settings.database_connections.to_string(),
        ["1", "2", "3", "8"],
    ),
    (
        ["--database-prepared-statements=false", "--demo"],
        ("PASSBOOK_DATABASE_PREPARED_STATEMENTS", "true"),
        "database_prepared_statements = false",
        |settings| settings.prepared_statements.to_string(),
        ["false", "true", "false", "true"],
    ),
    (
        ["--data-dir", "/flag"],
        ("PASSBOOK_DATA_DIR", "/environment"),
        "data_dir = \"/file\"",
        |settings| {
            let folder = settings.data_dir.to_string_lossy().into_owned();
            // The usual folder depends on who runs the test.
            if folder.ends_with("/passbook") { "usual".to_owned() } else { folder }
        },
        ["/flag", "/environment", "/file", "usual"],
    ),
    (
        ["--no-download=false", "--demo"],
        ("PASSBOOK_NO_DOWNLOAD", "true"),
        "no_download = true",
        |settings| settings.download.to_string(),
        ["true", "false", "false", "true"],
    ),
    (
        ["--oidc-issuer", "https://flag.example"],
        ("PASSBOOK_OIDC_ISSUER", "https://environment.example/"),
        "oidc_issuer = \"https://file.example/auth/v1\"",
        |settings| settings.provider.as_ref().map_or_else(String::new, |provider| provider.issuer.clone()),
        ["https://flag.example", "https://environment.example/", "https://file.example/auth/v1", ""],
    ),
    (
        ["--log-format", "json"],
        ("PASSBOOK_LOG_FORMAT", "text"),
        "log_format = \"json\"",
        |settings| (settings.log_format == LogFormat::Json).to_string(),
        ["true", "false", "true", "false"],
    ),
];

#[test]
fn the_first_place_that_has_a_value_wins() {
    for (flags, variable, file, read, expected) in CASES {
        let found = [
            settings(flags, &[*variable], file),
            settings(&[], &[*variable], file),
            settings(&[], &[(variable.0, "")], file),
            settings(&[], &[], ""),
        ];
        assert_eq!(found.each_ref().map(read), expected.map(str::to_owned), "{}", variable.0);
    }
}

#[test]
fn a_database_url_is_read_from_environment_or_file() {
    let file = "database_url = \"postgresql://passbook_reader:hunter2@file/money\"";
    let given = settings(&[], &[], file).database.expect("the file names it");
    assert_eq!(given.get_hosts(), [tokio_postgres::config::Host::Tcp("file".to_owned())]);
    let variable = ("PASSBOOK_DATABASE_URL", "postgresql://passbook_reader@environment/money");
    let given = settings(&[], &[variable], file).database.expect("the environment names it");
    assert_eq!(given.get_hosts(), [tokio_postgres::config::Host::Tcp("environment".to_owned())]);
    assert!(settings(&[], &[], "").database.is_none());
}
