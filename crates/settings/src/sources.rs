//! The sources of settings: flags, environment and settings file, which is TOML with one key for each setting.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind::{NotADirectory, NotFound};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use passbook_input::{Fault, Faults};
use toml::{Table, Value};

use crate::folders;
use crate::setting::Setting;
use crate::table::SETTINGS;

/// Maximum size of a settings file, in bytes.
const FILE_BYTES_MAX: u64 = 64 * 1024;

/// The permission bit of a file that every account may read.
const OTHERS_MAY_READ: u32 = 0o004;

/// The values that an operator gave, before any rule is applied.
#[derive(Clone, Debug)]
pub struct Sources {
    flags: BTreeMap<String, String>,
    environment: BTreeMap<OsString, OsString>,
    file: BTreeMap<String, String>,
    /// The path of the settings file, if there is one.
    path: Option<PathBuf>,
    problems: Faults,
}

/// Sources without values.
impl Default for Sources {
    fn default() -> Sources {
        Sources {
            flags: BTreeMap::new(),
            environment: BTreeMap::new(),
            file: BTreeMap::new(),
            path: None,
            // The size of a command line and of a settings file bounds the number of problems.
            problems: Faults::unlimited(),
        }
    }
}

impl Sources {
    /// Creates sources that contain environment variables only. An empty variable counts as absent: many tools pass an
    /// unset variable as an empty one.
    pub fn from_environment<N, V>(environment: impl IntoIterator<Item = (N, V)>) -> Sources
    where
        N: Into<OsString>,
        V: Into<OsString>,
    {
        let variables = environment.into_iter().map(|(name, value)| (name.into(), value.into()));
        let environment = variables.filter(|(_, value)| !value.is_empty()).collect();
        Sources { environment, ..Sources::default() }
    }

    /// Adds the values of flags, each with the environment name of its setting.
    #[must_use]
    pub fn with_flags(mut self, flags: impl IntoIterator<Item = (&'static str, String)>) -> Sources {
        self.flags.extend(flags.into_iter().map(|(name, value)| (name.to_owned(), value)));
        self
    }

    /// Adds problems that were found before the settings are read, such as an unknown flag.
    #[must_use]
    pub fn with_problems(mut self, problems: impl IntoIterator<Item = Fault>) -> Sources {
        self.problems.extend(problems);
        self
    }

    /// Adds the values of a settings file. `named` is the file that a flag names, which must exist. Without it the
    /// default file is used if it exists.
    #[must_use]
    pub fn with_file(mut self, named: Option<&Path>) -> Sources {
        let Some(path) =
            named.map(Path::to_owned).or_else(|| folders::default_file(|name| self.variable(name)))
        else {
            return self;
        };
        match read_file(&path, named.is_some()) {
            Ok(text) => self.file = file_values(&path, &text, &mut self.problems),
            Err(problem) => self.problems.push(problem),
        }
        self.path = Some(path);
        self
    }

    /// Returns the settings file if it has a setting that may hold a secret, and every account of the machine may read it.
    pub fn exposed_file(&self) -> Option<&Path> {
        let has_secret =
            SETTINGS.iter().any(|setting| setting.secret && self.file.contains_key(setting.name));
        let path = self.path.as_deref().filter(|_| has_secret)?;
        let mode = std::fs::metadata(path).ok()?.permissions().mode();
        (mode & OTHERS_MAY_READ != 0).then_some(path)
    }

    /// Returns the value of an environment variable; `None` if it is absent or empty.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.environment.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// Returns the names of all environment variables. A name that is not UTF-8 cannot be a setting and is left out.
    pub(crate) fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.environment.keys().filter_map(|name| name.to_str())
    }

    /// Returns the problems that were found in the sources themselves.
    pub(crate) fn problems(&self) -> &Faults {
        &self.problems
    }

    /// Returns the value of a setting from the first source that has one: flag, then environment, then file.
    ///
    /// # Errors
    /// The rule, if the value is not UTF-8.
    pub(crate) fn value(&self, setting: &Setting) -> Option<Result<&str, &'static str>> {
        if let Some(flag) = self.flags.get(setting.name) {
            return Some(Ok(flag));
        }
        if let Some(variable) = self.variable(setting.name) {
            return Some(variable.to_str().ok_or("must be UTF-8 text"));
        }
        self.file.get(setting.name).map(|value| Ok(value.as_str()))
    }
}

/// Reads a settings file. A file that does not exist is empty unless `must_exist` is true.
fn read_file(path: &Path, must_exist: bool) -> Result<String, Fault> {
    let problem = |message: String| Fault::verbatim(path.display().to_string(), message);
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.len() > FILE_BYTES_MAX => {
            return Err(problem(format!(
                "is larger than {FILE_BYTES_MAX} bytes, the maximum for a settings file"
            )));
        }
        Err(error) if !must_exist && matches!(error.kind(), NotFound | NotADirectory) => {
            return Ok(String::new());
        }
        Ok(_) | Err(_) => {}
    }
    std::fs::read_to_string(path).map_err(|source| problem(format!("cannot be read: {source}")))
}

/// Returns the values in the text of a settings file, each with the environment name of its setting. Adds a problem for
/// each key that is no setting, and for each value of a wrong type.
fn file_values(path: &Path, text: &str, problems: &mut Faults) -> BTreeMap<String, String> {
    let table = text.parse().unwrap_or_else(|source: toml::de::Error| {
        problems.push(not_toml(path, text, &source));
        Table::new()
    });
    let mut values = BTreeMap::new();
    for (key, value) in table {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.key() == key) else {
            problems.push(unknown(&key, path));
            continue;
        };
        let value = match value {
            Value::String(text) => text,
            Value::Integer(number) => number.to_string(),
            Value::Boolean(boolean) => boolean.to_string(),
            Value::Float(_) | Value::Datetime(_) | Value::Array(_) | Value::Table(_) => {
                let message = format!("must be text, a whole number, true or false in {}", path.display());
                problems.push(Fault::verbatim(key, message));
                continue;
            }
        };
        values.insert(setting.name.to_owned(), value);
    }
    values
}

/// Returns the problem of a file that is not TOML. The message names the line but does not show it, because the line
/// may hold a secret.
fn not_toml(path: &Path, text: &str, source: &toml::de::Error) -> Fault {
    let before = source.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let message = format!("is not TOML at line {line}: {}", source.message());
    Fault::verbatim(path.display().to_string(), message)
}

fn unknown(key: &str, path: &Path) -> Fault {
    let message = format!(
        "is not a setting of this version: remove the key from {}, or correct it (docs/config.toml lists every \
         setting)",
        path.display()
    );
    Fault::verbatim(key, message)
}
