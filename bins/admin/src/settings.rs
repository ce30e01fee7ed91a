//! Which database: from flags, the environment and the settings file, in this order. Read once; every problem is
//! listed.

mod served;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use auth::personal_access_token::{DEFAULT_PREFIX, check_prefix};
use toml::Table;

use crate::arguments::Connection;
pub(crate) use served::Served;

const CONNECT_SECONDS_MAX: u64 = 10;

/// The environment, so that tests may bring their own.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// Where the data is.
#[derive(Debug)]
pub(crate) enum Settings {
    /// A server that somebody else runs.
    External(Box<tokio_postgres::Config>),
    /// The private server in a folder.
    Private(embedded::Config),
}

/// What new tokens start with: as the server that will read them is told.
pub(crate) fn token_prefix(flags: &Connection, environment: Environment<'_>) -> Result<String, Vec<String>> {
    let mut reading = Reading { environment, file: Table::new(), problems: Vec::new() };
    reading.read_file(flags.config.as_deref());
    let prefix = reading.text("PASSBOOK_TOKEN_PREFIX", "token_prefix");
    let prefix = prefix.unwrap_or_else(|| DEFAULT_PREFIX.to_owned());
    if let Err(invalid) = check_prefix(&prefix) {
        reading.problem(format!("PASSBOOK_TOKEN_PREFIX: {invalid}; received {prefix:?}"));
    }
    if reading.problems.is_empty() { Ok(prefix) } else { Err(reading.problems) }
}

impl Settings {
    /// Reads all of it.
    pub(crate) fn read(flags: &Connection, environment: Environment<'_>) -> Result<Settings, Vec<String>> {
        let mut reading = Reading { environment, file: Table::new(), problems: Vec::new() };
        reading.read_file(flags.config.as_deref());
        let url = reading.text("PASSBOOK_ADMIN_DATABASE_URL", "admin_database_url");
        let settings = match url {
            Some(url) => reading.external(&url),
            None => reading.private(flags),
        };
        match settings {
            Some(settings) if reading.problems.is_empty() => Ok(settings),
            _ => Err(reading.problems),
        }
    }
}

struct Reading<'a> {
    environment: Environment<'a>,
    file: Table,
    problems: Vec<String>,
}

impl Reading<'_> {
    fn problem(&mut self, problem: String) {
        self.problems.push(problem);
    }

    /// An empty variable is as good as none: that is how many tools pass "not set".
    fn variable(&self, name: &str) -> Option<OsString> {
        (self.environment)(name).filter(|value| !value.is_empty())
    }

    /// Reads the file that was named, or the usual one if it exists. It serves the server too, so keys that mean
    /// nothing here are nobody's mistake.
    fn read_file(&mut self, named: Option<&Path>) {
        let Some(path) = named.map(Path::to_owned).or_else(|| self.usual_file()) else { return };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                return self.problem(format!("--config: {} cannot be read: {error}", path.display()));
            }
        };
        match text.parse() {
            Ok(table) => self.file = table,
            // The message of the parser would show the line, and the line may hold a secret.
            Err(error) => {
                let error: toml::de::Error = error;
                let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
                let line = before.matches('\n').count() + 1;
                self.problem(format!("{}:{line}: must be TOML: {}", path.display(), error.message()));
            }
        }
    }

    fn usual_file(&self) -> Option<PathBuf> {
        let folder = self.user_folder("XDG_CONFIG_HOME", ".config")?;
        Some(folder.join("passbook/config.toml")).filter(|path| path.exists())
    }

    fn user_folder(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        // The base directory specification: a relative path is to be ignored.
        let named = self.variable(variable).map(PathBuf::from).filter(|path| path.is_absolute());
        named.or_else(|| self.variable("HOME").map(|home| Path::new(&home).join(below_home)))
    }

    fn text(&mut self, variable: &str, key: &str) -> Option<String> {
        match (self.variable(variable), self.file.get(key)) {
            (Some(value), _) => value.into_string().map_err(|_| format!("{variable}: must be UTF-8 text")),
            (None, Some(toml::Value::String(text))) => Ok(text.clone()),
            (None, Some(_)) => Err(format!("{key} in the settings file: must be text")),
            (None, None) => return None,
        }
        .map_err(|problem| self.problem(problem))
        .ok()
    }

    fn folder(&mut self, flag: Option<&Path>, variable: &str, key: &str) -> Option<PathBuf> {
        match flag.map(Path::to_owned).or_else(|| self.variable(variable).map(PathBuf::from)) {
            Some(folder) => Some(folder),
            None => self.text(variable, key).map(PathBuf::from),
        }
    }

    fn external(&mut self, url: &str) -> Option<Settings> {
        // Never with the URL itself, which may hold a password.
        let Ok(mut configuration) = url.parse::<tokio_postgres::Config>() else {
            let example = "postgresql://operator@db.example.org/passbook";
            self.problem(format!("PASSBOOK_ADMIN_DATABASE_URL: must be a PostgreSQL URL, such as {example}"));
            return None;
        };
        if configuration.get_connect_timeout().is_none() {
            configuration.connect_timeout(Duration::from_secs(CONNECT_SECONDS_MAX));
        }
        configuration.application_name("passbook-admin");
        Some(Settings::External(Box::new(configuration)))
    }

    fn private(&mut self, flags: &Connection) -> Option<Settings> {
        let named = self.folder(flags.data_dir.as_deref(), "PASSBOOK_DATA_DIR", "data_dir");
        let postgres_bin =
            self.folder(flags.postgres_bin.as_deref(), "PASSBOOK_POSTGRES_BIN", "postgres_bin");
        let no_download = flags.no_download || self.no_download();
        let search_path = self.variable("PATH");
        let Some(data_dir) = named.or_else(|| embedded::usual_data_dir(|name| self.variable(name))) else {
            self.problem("PASSBOOK_DATA_DIR: must name a folder, as there is no home folder".to_owned());
            return None;
        };
        Some(Settings::Private(embedded::Config {
            data_dir,
            postgres_bin,
            search_path,
            download: !no_download,
            durable: true,
        }))
    }

    fn no_download(&mut self) -> bool {
        let refused = match (self.variable("PASSBOOK_NO_DOWNLOAD"), self.file.get("no_download")) {
            (Some(value), _) => match value.to_str() {
                Some("true" | "1") => Ok(true),
                Some("false" | "0") => Ok(false),
                _ => Err("PASSBOOK_NO_DOWNLOAD: must be true or false"),
            },
            (None, Some(toml::Value::Boolean(refused))) => Ok(*refused),
            (None, Some(_)) => Err("no_download in the settings file: must be true or false"),
            (None, None) => Ok(false),
        };
        refused.unwrap_or_else(|problem| {
            self.problem(problem.to_owned());
            false
        })
    }
}

#[cfg(test)]
mod tests;
