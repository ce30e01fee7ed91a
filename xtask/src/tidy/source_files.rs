//! The shape of source files: a header that says what and why, a length that fits a sitting, and no `mod.rs`.

use super::Finding;
use crate::tree::Tree;

/// Beyond this a file holds more than one thing.
const LINES_MAX: usize = 400;
const MEASURED: [&str; 3] = [".rs", ".sql", ".py"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.texts().flat_map(|(path, text)| check_file(path, text)).collect()
}

fn check_file(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    if path.ends_with(".rs") && !text.starts_with("//! ") {
        findings.push(Finding::new(
            path,
            1,
            "header",
            "start with a `//!` line that says what this file is and why",
        ));
    }
    if path.ends_with("/mod.rs") {
        let folder = path.trim_end_matches("/mod.rs");
        findings.push(Finding::new(path, 1, "mod-rs", format!("move it to {folder}.rs")));
    }
    let lines = text.lines().count();
    if MEASURED.iter().any(|ending| path.ends_with(ending)) && lines > LINES_MAX {
        let advice = format!("split it: it has {lines} lines, {LINES_MAX} are the limit");
        findings.push(Finding::new(path, LINES_MAX + 1, "length", advice));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn a_source_file_has_a_header() {
        assert_eq!(check_file("a.rs", "//! What it is.\n"), []);
        assert_eq!(
            lines(&check_file("a.rs", "use std::fmt;\n")),
            ["a.rs:1: header: start with a `//!` line that says what this file is and why"]
        );
    }

    #[test]
    fn a_source_file_is_short() {
        assert_eq!(check_file("a.sql", &"x\n".repeat(400)), []);
        assert_eq!(
            lines(&check_file("a.sql", &"x\n".repeat(401))),
            ["a.sql:401: length: split it: it has 401 lines, 400 are the limit"]
        );
    }

    #[test]
    fn a_module_is_named_by_its_file() {
        assert_eq!(lines(&check_file("a/b/mod.rs", "//! B.\n")), ["a/b/mod.rs:1: mod-rs: move it to a/b.rs"]);
    }
}
