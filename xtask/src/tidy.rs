//! `cargo xtask tidy`: checks the rules of this project that no standard tool knows.
//!
//! A rule reads only the text of the files; `builds` and `drawing` also run cargo. Each rule has a table of its exceptions
//! with their reasons. The other rules are in `deny.toml`, `.clippy.toml` and the lints of `Cargo.toml`; `cargo xtask ci`
//! has the commands.

mod builds;
mod documents;
pub(crate) mod drawing;
mod manifests;
mod queries;
mod sql;
mod text_rules;
mod vocabulary;

use std::path::Path;

use regex::Regex;

use crate::repository::Tree;

/// A line that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    /// The path of the file, relative to the root of the repository.
    path: String,
    /// Number of the line, counted from one.
    line: usize,
    rule: &'static str,
    /// The instruction that removes the finding.
    advice: String,
}

impl Finding {
    fn new(path: &str, line: usize, rule: &'static str, advice: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line, rule, advice: advice.into() }
    }
}

/// Runs every rule and prints the findings on standard error, in order of file and line.
///
/// # Errors
/// The number of findings, if there are any. Or the files cannot be read.
#[expect(clippy::print_stderr, reason = "findings are for the person at the terminal")]
pub(crate) fn report(root: &Path) -> Result<(), String> {
    let tree = Tree::read(root)?;
    let rules = [documents::check, manifests::check, queries::check, text_rules::check, vocabulary::check];
    let mut findings: Vec<Finding> = rules.iter().flat_map(|rule| rule(&tree)).collect();
    findings.extend(drawing::check(root, &tree));
    findings.extend(builds::check(root, &tree));
    findings.sort();
    findings.dedup();
    for Finding { path, line, rule, advice } in &findings {
        eprintln!("{path}:{line}: {rule}: {advice}");
    }
    if findings.is_empty() { Ok(()) } else { Err(format!("tidy: number of findings: {}", findings.len())) }
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is valid")
}

/// Returns the findings as lines of text without the paths, such as `3: length: split the file …`.
#[cfg(test)]
fn lines(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|found| format!("{}: {}: {}", found.line, found.rule, found.advice)).collect()
}
