//! The sources of settings: flags, environment and settings file, each with its values.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use passbook_input::{Fault, Faults};

use crate::setting::Setting;
use crate::{file, folders};

/// The values that an operator gave, before any rule is applied.
#[derive(Clone, Debug)]
pub struct Sources {
    flags: BTreeMap<String, String>,
    environment: BTreeMap<OsString, OsString>,
    file: BTreeMap<String, String>,
    problems: Faults,
}

/// Sources without values.
impl Default for Sources {
    fn default() -> Sources {
        Sources {
            flags: BTreeMap::new(),
            environment: BTreeMap::new(),
            file: BTreeMap::new(),
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
        match file::read(&path, named.is_some()) {
            Ok(text) => self.file = file::values(&path, &text, &mut self.problems),
            Err(problem) => self.problems.push(problem),
        }
        self
    }

    /// Returns the value of an environment variable; `None` if it is absent or empty.
    pub(crate) fn variable(&self, name: &str) -> Option<&OsStr> {
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
