//! A finding: the place where a file breaks a rule of `tidy`.

use std::fmt;

/// A line that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// The path of the file, relative to the root of the repository.
    pub(crate) path: String,
    /// Number of the line, counted from one.
    pub(crate) line: usize,
    /// Name of the broken rule.
    pub(crate) rule: &'static str,
    /// The instruction that removes the finding.
    pub(crate) advice: String,
}

impl Finding {
    pub(super) fn new(path: &str, line: usize, rule: &'static str, advice: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line, rule, advice: advice.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.path, self.line, self.rule, self.advice)
    }
}

/// Returns the findings as lines of text, as `tidy` prints them.
#[cfg(test)]
pub(super) fn lines(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(ToString::to_string).collect()
}
