//! The problem that both programs report about their configuration.

use std::fmt;

/// A setting, a settings file, a flag or a database that breaks a rule. The program does not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigurationProblem {
    /// The name of the setting, the path of the file, or the thing that has the problem.
    pub name: String,
    /// The rule that was broken, the value received unless it may be a secret, and the remedy where the rule does not
    /// say it.
    pub message: String,
}

impl ConfigurationProblem {
    /// A problem with `name`.
    pub fn new(name: impl Into<String>, message: impl Into<String>) -> ConfigurationProblem {
        ConfigurationProblem { name: name.into(), message: message.into() }
    }
}

impl fmt::Display for ConfigurationProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.message)
    }
}
