//! Checks that every public crate warns about missing documentation, and opens with an example.
//!
//! The tests compile the examples, and CI fails for every warning, so both are checks of the documentation too.

use super::Finding;
use crate::public_crates::PUBLIC_CRATES;
use crate::tree::Tree;

const RULE: &str = "public-crate";
const LINT: &str = "#![warn(missing_docs)]";
/// Setting of a library with which `cargo test` compiles no example.
const NO_EXAMPLES: &str = "doctest = false";
/// Notes of a code block that `cargo test` does not compile.
const NOT_COMPILED: [&str; 2] = ["ignore", "text"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for name in PUBLIC_CRATES {
        let path = format!("crates/{name}/src/lib.rs");
        let Some(text) = tree.text(&path) else {
            findings.push(Finding::new(&path, 1, RULE, "remove the crate from xtask/src/public_crates.rs"));
            continue;
        };
        if !text.lines().any(|line| line == LINT) {
            findings.push(Finding::new(&path, 1, RULE, format!("add {LINT}")));
        }
        let manifest = format!("crates/{name}/Cargo.toml");
        if tree.text(&manifest).is_some_and(|manifest| manifest.contains(NO_EXAMPLES)) {
            findings.push(Finding::new(&manifest, 1, RULE, format!("remove {NO_EXAMPLES}")));
        }
        if !has_example(text) {
            let advice = "open the documentation of the crate with an example that compiles";
            findings.push(Finding::new(&path, 1, RULE, advice));
        }
    }
    findings
}

/// Returns true if the documentation at the start of the file has a code block that `cargo test` compiles.
fn has_example(text: &str) -> bool {
    let documentation = text.lines().map_while(|line| line.strip_prefix("//!"));
    let notes = documentation.filter_map(|line| line.trim().strip_prefix("```"));
    // Every second fence ends a block.
    notes.step_by(2).any(|note| !NOT_COMPILED.iter().any(|word| note.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn missing_lint_and_missing_example_are_found() {
        let whole = |name: &&str| {
            (format!("crates/{name}/src/lib.rs"), "//! ```\n//! ```\n\n#![warn(missing_docs)]\n")
        };
        let mut files: Vec<(String, &str)> = PUBLIC_CRATES.iter().map(whole).collect();
        let found = |files: &[(String, &str)]| {
            let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
            lines(&check(&Tree::of(&files)))
        };
        assert_eq!(found(&files), [""; 0]);
        files[0].1 = "//! ```text\n//! no code\n//! ```\n";
        assert_eq!(
            found(&files),
            [
                "crates/auth/src/lib.rs:1: public-crate: add #![warn(missing_docs)]",
                "crates/auth/src/lib.rs:1: public-crate: open the documentation of the crate with an example that compiles",
            ]
        );
        files[0].1 = "//! ```no_run\n//! ```\n#![warn(missing_docs)]\n";
        assert_eq!(found(&files), [""; 0]);
        files.push(("crates/auth/Cargo.toml".to_owned(), "[lib]\ndoctest = false\n"));
        assert_eq!(found(&files), ["crates/auth/Cargo.toml:1: public-crate: remove doctest = false"]);
        files.pop();
        files.remove(0);
        assert_eq!(found(&files).len(), 1);
    }
}
