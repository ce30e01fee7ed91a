//! The reader of settings, which collects every problem.

use std::net::SocketAddr;
use std::path::PathBuf;

use passbook_input::{Fault, Faults};

use crate::setting::{Kind, Setting};
use crate::table;
use crate::{Sources, rules};

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

    /// Adds a problem if `name` is given without the setting that it needs.
    pub fn needs(&mut self, name: &'static str, needed: &'static str) {
        if self.is_given(name) && !self.is_given(needed) {
            self.problem(
                name,
                format!("has no effect without {needed}: set that too, or remove this setting"),
            );
        }
    }

    /// Returns true if a value was given for the setting, valid or not.
    pub fn is_given(&self, name: &'static str) -> bool {
        self.sources.value(setting(name)).is_some()
    }

    /// Reads a setting with `rule`, a function that returns the typed value, or the broken rule as a clause that
    /// follows the name of the setting. Returns `None` if the setting has neither a value nor a default, and after a
    /// problem.
    pub fn optional<T>(
        &mut self,
        name: &'static str,
        rule: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let setting = setting(name);
        let default = Some(setting.default).filter(|default| !default.is_empty());
        let text = match self.sources.value(setting).or(default.map(Ok))? {
            Ok(text) => text,
            Err(rule) => {
                self.problem(name, rule);
                return None;
            }
        };
        match rule(text) {
            Ok(value) => return Some(value),
            Err(rule) if setting.secret => self.problem(name, rule),
            Err(rule) => {
                self.problems.push(Fault::verbatim(name, rule).received_verbatim(format!("{text:?}")))
            }
        }
        None
    }

    /// Reads a boolean setting. Returns `false` after a problem.
    pub fn boolean(&mut self, name: &'static str) -> bool {
        self.optional(name, rules::boolean).unwrap_or_default()
    }

    /// Reads a whole number within the range that the table states. Returns the lowest number of the range after a
    /// problem.
    pub fn number<T: TryFrom<u64>>(&mut self, name: &'static str) -> T {
        let Kind::Number(low, high) = setting(name).kind else {
            panic!("{name} is not a number in the table")
        };
        let number = self.optional(name, |text| {
            let number = text.parse().ok().filter(|number| (low..=high).contains(number));
            number.ok_or_else(|| format!("must be a whole number from {low} to {high}"))
        });
        let number = T::try_from(number.unwrap_or(low)).ok();
        number.expect("the type holds every number of the range in the table")
    }

    /// Reads a setting that is an absolute path.
    pub fn path(&mut self, name: &'static str) -> Option<PathBuf> {
        self.optional(name, rules::absolute_path)
    }

    /// Reads a setting that is an IP address with a port.
    pub fn address(&mut self, name: &'static str) -> Option<SocketAddr> {
        self.optional(name, rules::socket_address)
    }

    /// Reads a setting that is an origin.
    pub fn origin(&mut self, name: &'static str) -> Option<String> {
        self.optional(name, rules::origin)
    }

    /// Reads a setting that is a list of origins. Returns an empty list after a problem.
    pub fn origins(&mut self, name: &'static str) -> Vec<String> {
        self.optional(name, rules::origins).unwrap_or_default()
    }

    /// Reads a setting that is a list separated by commas. Returns an empty list without a value and after a problem.
    pub fn list(&mut self, name: &'static str) -> Vec<String> {
        self.optional(name, rules::list).unwrap_or_default()
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
    variable.starts_with(PREFIX) && !is_ignored && table::named(variable).is_none()
}

/// Returns the table entry of the setting `name`. Panics if the table has no such setting.
fn setting(name: &'static str) -> &'static Setting {
    table::named(name).unwrap_or_else(|| panic!("{name} is not in the table of settings"))
}

#[cfg(test)]
mod tests;
