//! `cargo xtask tidy`: the project's own rules about its files, those that neither the compiler nor clippy knows.
//! The test suite runs it too, so that a document cannot say what the code no longer does.
//!
//! Every rule is a pure function over text. A rule that has to bend carries its exceptions as a table with reasons.

mod attributes;
mod circles;
mod contract;
mod documents;
mod edges;
mod literals;
mod manifest;
mod manifests;
mod questions;
mod rust_files;
mod rust_text;
mod sql;
mod tree;
mod words;

use std::fmt;
use std::path::Path;

use tree::Tree;

/// A place in a file that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file, from the root of the repository.
    pub path: String,
    /// The line, counted from one.
    pub line: usize,
    /// The rule's name.
    pub rule: &'static str,
    /// What to do about it.
    pub advice: String,
}

impl Finding {
    fn new(path: &str, line: usize, rule: &'static str, advice: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line, rule, advice: advice.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.path, self.line, self.rule, self.advice)
    }
}

/// Everything in the repository that breaks a rule, by file and line.
#[must_use]
pub fn run(root: &Path) -> Vec<Finding> {
    let tree = match Tree::read(root) {
        Ok(tree) => tree,
        Err(error) => return vec![Finding::new(".", 1, "tree", format!("make the files readable: {error}"))],
    };
    let mut findings = Vec::new();
    findings.extend(edges::check(&tree));
    findings.extend(manifests::check(&tree));
    findings.extend(rust_files::check(&tree));
    findings.extend(attributes::check(&tree));
    findings.extend(circles::check(&tree));
    findings.extend(questions::check(&tree));
    findings.extend(literals::check(&tree));
    findings.extend(documents::check(&tree));
    findings.extend(words::check(&tree));
    findings.extend(contract::check(&tree));
    findings.sort();
    findings.dedup();
    findings
}

/// Says every finding on standard error; an error says how many there are.
#[expect(clippy::print_stderr, reason = "findings are for the person at the terminal")]
pub fn report(root: &Path) -> Result<(), String> {
    let findings = run(root);
    for finding in &findings {
        eprintln!("{finding}");
    }
    match findings.len() {
        0 => Ok(()),
        1 => Err("tidy: 1 finding".to_owned()),
        count => Err(format!("tidy: {count} findings")),
    }
}

/// The advice of each finding, for tests that are about what is said.
#[cfg(test)]
fn lines(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(ToString::to_string).collect()
}
