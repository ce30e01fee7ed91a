//! Finds crates that `docs/architecture.md` does not name, and paths in documents that do not exist. lychee checks links.

use super::Finding;
use super::drawing::MAP;
use crate::repository::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let documents = tree.texts_in("", ".md");
    let documents = documents.filter(|(path, _)| !path.contains('/') || path.starts_with("docs/"));
    crates(tree).into_iter().chain(documents.flat_map(|(path, text)| paths(tree, path, text))).collect()
}

/// Finds crates and binaries that `docs/architecture.md` does not name.
fn crates(tree: &Tree) -> Vec<Finding> {
    let map = tree.text(MAP).unwrap_or_default();
    let folders = tree.texts_in("", "/Cargo.toml").map(|(path, _)| path.trim_end_matches("/Cargo.toml"));
    let folders = folders.filter(|folder| folder.starts_with("crates/") || folder.starts_with("bins/"));
    let unnamed = folders.filter(|folder| !map.contains(&format!("| `{folder}`")));
    let advice = |folder| format!("describe {folder} in a table of crates");
    unnamed.map(|folder| Finding::new(MAP, 1, "unnamed-crate", advice(folder))).collect()
}

/// Folders of the files that documents name in backticks.
const FOLDERS: [&str; 4] = ["crates/", "bins/", "tests/", "xtask/"];
/// Documents in which paths are not checked, each with the reason.
const PATHS_UNCHECKED: [(&str, &str); 2] = [
    ("docs/changelog.md", "names files of earlier versions"),
    ("docs/adding-an-operation.md", "names files of an example that is not part of the repository"),
];

/// Finds paths in backticks that do not exist.
fn paths(tree: &Tree, path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    if PATHS_UNCHECKED.iter().any(|(unchecked, _)| *unchecked == path) {
        return findings;
    }
    for (index, line) in text.lines().enumerate() {
        for named in line.split('`').skip(1).step_by(2) {
            let is_path = FOLDERS.iter().any(|folder| named.starts_with(folder))
                && named.chars().all(|c| c.is_alphanumeric() || "_-./".contains(c));
            if is_path && !tree.contains(named) {
                let advice = format!("correct the path: {named} does not exist");
                findings.push(Finding::new(path, index + 1, "dead-path", advice));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn unnamed_crates_and_paths_of_missing_files_are_found() {
        let text = "`crates/a/src/b.rs`, `crates/a`, `crates/a/src/gone.rs` and `tests/<name>.rs`\n";
        let tree = Tree::of(&[
            ("docs/a.md", text),
            ("docs/changelog.md", "`crates/gone`"),
            (MAP, "| `crates/a` | text |"),
            ("crates/a/src/b.rs", ""),
            ("crates/a/Cargo.toml", ""),
            ("crates/b/Cargo.toml", ""),
        ]);
        let advice = [
            "unnamed-crate: describe crates/b in a table of crates",
            "dead-path: correct the path: crates/a/src/gone.rs does not exist",
        ];
        assert_eq!(lines(&check(&tree)), advice.map(|advice| format!("1: {advice}")));
    }
}
