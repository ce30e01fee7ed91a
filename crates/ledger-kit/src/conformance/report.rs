//! The result of a check: the rules that a ledger breaks.

use std::fmt;

/// The result of [`check`](crate::check()).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Checks that failed, in the order in which they ran.
    pub failures: Vec<Failure>,
    /// Names of the rules that were not checked, because the ledger does not offer what they are about.
    pub skipped: Vec<String>,
    /// Number of checks that ran.
    pub checks_count: usize,
}

impl Report {
    /// Returns true if every check that ran passed, and at least one ran.
    pub fn is_conforming(&self) -> bool {
        self.failures.is_empty() && self.checks_count > 0
    }

    /// Returns the names of the broken rules, each once, in the order of the checks.
    pub fn broken_rules(&self) -> Vec<&str> {
        let mut rules: Vec<&str> = self.failures.iter().map(|failure| failure.rule.as_str()).collect();
        rules.dedup();
        rules
    }

    /// Counts a check, and adds its failure.
    pub(crate) fn record(&mut self, rule: Rule<'_>, call: impl Into<String>, result: Result<(), String>) {
        self.checks_count += 1;
        if let Err(difference) = result {
            let (name, sentence) = (rule.name.to_owned(), rule.sentence.to_owned());
            self.failures.push(Failure { rule: name, sentence, call: call.into(), difference });
        }
    }

    /// Notes that a rule was not checked.
    pub(crate) fn skip(&mut self, rule: &Rule<'_>) {
        if !self.skipped.iter().any(|skipped| skipped == rule.name) {
            self.skipped.push(rule.name.to_owned());
        }
    }
}

/// A rule that a ledger must obey.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule<'a> {
    pub(crate) name: &'a str,
    pub(crate) sentence: &'a str,
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// Name of the rule, such as `transfers-never-count`.
    pub rule: String,
    /// The rule as a sentence.
    pub sentence: String,
    /// The call: person, operation and parameters.
    pub call: String,
    /// The difference between the expected and the received answer.
    pub difference: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { rule, sentence, call, difference } = self;
        write!(f, "The ledger breaks the rule `{rule}`: {sentence}\n  call: {call}\n  {difference}")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(f, "{failure}")?;
        }
        writeln!(f, "{} of {} checks failed.", self.failures.len(), self.checks_count)?;
        if !self.skipped.is_empty() {
            writeln!(f, "Not checked, because the ledger does not offer it: {}.", self.skipped.join(", "))?;
        }
        Ok(())
    }
}
