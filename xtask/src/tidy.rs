//! `cargo xtask tidy`: checks the rules of this project that neither the compiler nor clippy knows.
//!
//! Every rule is a function that only reads the text of the files; `build_sizes` and `builds` also run `cargo tree`. Each
//! rule has a table of its exceptions with their reasons.

mod attributes;
mod build_sizes;
mod builds;
mod circles;
mod documents;
mod drawing;
mod edges;
mod finding;
mod forbidden_text;
mod identifiers;
mod joins;
mod lab_lock;
mod library_text;
mod links;
mod manifest;
mod manifests;
mod openings;
mod public_crates;
mod queries;
mod source_files;
mod sql;
mod sql_literals;

use std::path::Path;

use crate::tree::Tree;
use finding::Finding;
#[cfg(test)]
use finding::lines;

/// Returns every finding, sorted by file and line.
fn run(root: &Path) -> Vec<Finding> {
    let tree = match Tree::read(root) {
        Ok(tree) => tree,
        Err(error) => return vec![Finding::new(".", 1, "tree", format!("make the files readable: {error}"))],
    };
    let mut findings = Vec::new();
    findings.extend(edges::check(&tree));
    findings.extend(manifests::check(&tree));
    findings.extend(source_files::check(&tree));
    findings.extend(attributes::check(&tree));
    findings.extend(circles::check(&tree));
    findings.extend(queries::check(&tree));
    findings.extend(joins::check(&tree));
    findings.extend(sql_literals::check(&tree));
    findings.extend(documents::check(&tree));
    findings.extend(forbidden_text::check(&tree));
    findings.extend(openings::check(&tree));
    findings.extend(public_crates::check(&tree));
    findings.extend(identifiers::check(&tree));
    findings.extend(library_text::check(&tree));
    findings.extend(lab_lock::check(&tree));
    findings.extend(build_sizes::check(root, &tree));
    findings.extend(builds::check(root, &tree));
    findings.sort();
    findings.dedup();
    findings
}

/// Runs every rule and prints the findings on standard error.
///
/// # Errors
/// The number of findings, if there are any.
#[expect(clippy::print_stderr, reason = "findings are for the person at the terminal")]
pub(crate) fn report(root: &Path) -> Result<(), String> {
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
