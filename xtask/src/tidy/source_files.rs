//! Finds source files without a `//!` header, with too many lines, or named `mod.rs`.

use super::Finding;
use crate::tree::Tree;

/// Maximum number of lines of a source file.
const LINES_MAX: usize = 400;
/// Maximum number of lines of a file of the schema, which has all objects of one subject.
const SCHEMA_LINES_MAX: usize = 600;
const SCHEMA: &str = "crates/schema/sql/";
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
            "start with a `//!` line that describes the content of the file",
        ));
    }
    if path.ends_with("/mod.rs") {
        let folder = path.trim_end_matches("/mod.rs");
        findings.push(Finding::new(path, 1, "mod-rs", format!("move it to {folder}.rs")));
    }
    let lines = text.lines().count();
    let limit = if path.starts_with(SCHEMA) { SCHEMA_LINES_MAX } else { LINES_MAX };
    if MEASURED.iter().any(|ending| path.ends_with(ending)) && lines > limit {
        let advice = format!("split the file: it has {lines} lines; the limit is {limit}");
        findings.push(Finding::new(path, limit + 1, "length", advice));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn source_file_without_a_header_is_found() {
        assert_eq!(check_file("a.rs", "//! Reads a file.\n"), []);
        assert_eq!(
            lines(&check_file("a.rs", "use std::fmt;\n")),
            ["a.rs:1: header: start with a `//!` line that describes the content of the file"]
        );
    }

    #[test]
    fn long_source_file_is_found() {
        assert_eq!(check_file("a.sql", &"x\n".repeat(400)), []);
        assert_eq!(check_file("crates/schema/sql/80_functions.sql", &"x\n".repeat(600)), []);
        assert_eq!(
            lines(&check_file("a.sql", &"x\n".repeat(401))),
            ["a.sql:401: length: split the file: it has 401 lines; the limit is 400"]
        );
    }

    #[test]
    fn mod_rs_is_found() {
        assert_eq!(lines(&check_file("a/b/mod.rs", "//! B.\n")), ["a/b/mod.rs:1: mod-rs: move it to a/b.rs"]);
    }
}
