//! Precedence of settings: flag, environment, file, default.

use std::ffi::OsString;

use passbook_server::settings::{CommandLine, LogFormat, Settings};

use tests::server_process::TestFolder;

/// The settings from flags, environment and file.
fn settings(flags: &[&str], environment: &[(&str, &str)], file: &str) -> Settings {
    let folder = TestFolder::create();
    let path = folder.file("settings.toml", file);
    let arguments =
        ["passbook-server", "--config", &path].into_iter().chain(flags.iter().copied()).map(OsString::from);
    let command_line = CommandLine::parse(arguments).expect("the arguments are valid");
    let environment = environment.iter().chain(&[("HOME", "/home/ada")]);
    let sources = command_line.sources(environment.map(|(name, value)| (name.into(), value.into())));
    Settings::resolve(&sources, command_line.demo()).expect("the settings are valid")
}

/// A setting by flag, environment and file, a function that reads it, and the values expected in order of precedence.
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
        |settings| settings.request_seconds.to_string(),
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
            // The default folder depends on the user who runs the test.
            if folder.ends_with("/passbook") { "default".to_owned() } else { folder }
        },
        ["/flag", "/environment", "/file", "default"],
    ),
    (
        ["--no-download=false", "--demo"],
        ("PASSBOOK_NO_DOWNLOAD", "1"),
        "no_download = 1",
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
fn flag_precedes_environment_file_and_default() {
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
fn database_url_is_read_from_environment_or_file() {
    let file = "database_url = \"postgresql://passbook_reader:hunter2@file/money\"";
    let given = settings(&[], &[], file).database.expect("the file sets the URL");
    assert_eq!(given.config().get_hosts(), [tokio_postgres::config::Host::Tcp("file".to_owned())]);
    let variable = ("PASSBOOK_DATABASE_URL", "postgresql://passbook_reader@environment/money");
    let given = settings(&[], &[variable], file).database.expect("the environment sets the URL");
    assert_eq!(given.config().get_hosts(), [tokio_postgres::config::Host::Tcp("environment".to_owned())]);
    assert!(settings(&[], &[], "").database.is_none());
}
