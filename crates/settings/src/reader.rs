//! The reader of settings, which collects every problem.

use passbook_input::{Fault, Faults};

use crate::Sources;
use crate::key::Key;
use crate::setting::Setting;
use crate::table::SETTINGS;

/// Text at the start of the environment name of every setting.
const PREFIX: &str = "PASSBOOK_";
/// Text at the start of the environment variables that only the project's tests read.
const TEST_PREFIX: &str = "PASSBOOK_TEST_";
/// Variables of client programs, such as an assistant that sends a token to the tool server. Both programs ignore them,
/// so that a shell that exports them can also run the programs.
const CLIENT_VARIABLES: &[&str] = &["PASSBOOK_TOKEN"];

/// Reads typed values from [`Sources`] and collects the problems. [`Reader::finish`] returns all of them.
#[derive(Debug)]
pub struct Reader<'a> {
    sources: &'a Sources,
    problems: Faults,
}

impl<'a> Reader<'a> {
    /// Creates a reader. Its first problems are those of the sources, and one for each unknown environment variable.
    pub fn new(sources: &'a Sources) -> Reader<'a> {
        let unknown = sources.variable_names().filter(|name| is_unknown(name));
        let message = "is not a setting of this version: remove the variable, or correct its name \
                       (docs/config.toml lists every setting)";
        let mut problems = sources.problems().clone();
        problems.extend(unknown.map(|name| Fault::verbatim(name, message)));
        Reader { sources, problems }
    }

    /// Returns the sources, for values that are not settings, such as `PATH`.
    pub(crate) fn sources(&self) -> &'a Sources {
        self.sources
    }

    /// Adds a problem that concerns several settings.
    pub fn problem(&mut self, name: &str, message: impl Into<String>) {
        self.problems.push(Fault::verbatim(name, message));
    }

    /// Adds a problem if a setting is given without the setting that it needs.
    pub fn needs<T, U>(&mut self, key: Key<T>, needed: Key<U>) {
        if self.is_given(key) && !self.is_given(needed) {
            let needed = needed.name();
            self.problem(
                key.name(),
                format!("has no effect without {needed}: set that too, or remove this setting"),
            );
        }
    }

    /// Returns true if a value was given for the setting, valid or not.
    pub fn is_given<T>(&self, key: Key<T>) -> bool {
        self.sources.value(&key.setting).is_some()
    }

    /// Reads a setting. Returns `None` if the setting has neither a value nor a default, and after a problem.
    pub fn optional<T>(&mut self, key: Key<T>) -> Option<T> {
        self.read(&key.setting, |text| (key.rule.parse)(text, key.setting.kind))
    }

    /// Reads a setting that has a default, or a list. Returns the default of the type after a problem.
    pub fn value<T: Default>(&mut self, key: Key<T>) -> T {
        self.optional(key).unwrap_or_default()
    }

    /// Reads a text with a further rule: a function that returns the typed value, or the broken rule as a clause that
    /// follows the name of the setting. Returns `None` as [`Reader::optional`] does.
    pub fn checked<T>(
        &mut self,
        key: Key<String>,
        rule: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        self.read(&key.setting, |text| rule(&(key.rule.parse)(text, key.setting.kind)?))
    }

    fn read<T>(&mut self, setting: &Setting, parse: impl FnOnce(&str) -> Result<T, String>) -> Option<T> {
        let default = Some(setting.default).filter(|default| !default.is_empty());
        let problem = match self.sources.value(setting).or(default.map(Ok))? {
            Ok(text) => match parse(text) {
                Ok(value) => return Some(value),
                Err(rule) if setting.secret => Fault::verbatim(setting.name, rule),
                Err(rule) => Fault::verbatim(setting.name, rule).received_verbatim(format!("{text:?}")),
            },
            Err(rule) => Fault::verbatim(setting.name, rule),
        };
        self.problems.push(problem);
        None
    }

    /// Returns `settings` if there is no problem.
    ///
    /// # Errors
    /// Every problem.
    pub fn finish<T>(self, settings: T) -> Result<T, Vec<Fault>> {
        self.problems.none_or(settings).map_err(Faults::into_list)
    }
}

/// Returns true if an environment variable has the prefix of the settings, but no program of the project reads it.
fn is_unknown(variable: &str) -> bool {
    let is_ignored = variable.starts_with(TEST_PREFIX) || CLIENT_VARIABLES.contains(&variable);
    variable.starts_with(PREFIX) && !is_ignored && SETTINGS.iter().all(|setting| setting.name != variable)
}

#[cfg(test)]
mod tests;
