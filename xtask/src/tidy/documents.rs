//! Finds crates and operations that no document names, and paths and links without a target.

use super::Finding;
use super::drawing::MAP;
use super::links;
use crate::rust_text::RustText;
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = crates(tree);
    findings.extend(operations(tree));
    for (path, text) in tree.texts_in("", ".md") {
        if !path.contains('/') || path.starts_with("docs/") {
            findings.extend(links::check_file(tree, path, text));
            findings.extend(paths(tree, path, text));
        }
    }
    findings
}

/// Finds crates and binaries that `docs/architecture.md` names neither as `` `name` `` nor by the path of their folder.
fn crates(tree: &Tree) -> Vec<Finding> {
    let map = tree.text(MAP).unwrap_or_default();
    let manifests = tree.texts_in("", "/Cargo.toml").map(|(path, _)| path.trim_end_matches("/Cargo.toml"));
    let folders = manifests.filter(|folder| folder.starts_with("crates/") || folder.starts_with("bins/"));
    let unnamed = folders.filter(|folder| {
        let name = folder.rsplit('/').next().unwrap_or(folder);
        !map.contains(&format!("`{name}`")) && !names(map, folder) && !names(map, &format!("passbook-{name}"))
    });
    unnamed
        .map(|folder| {
            Finding::new(MAP, 1, "unnamed-crate", format!("describe {folder} in a table of crates"))
        })
        .collect()
}

/// Finds operations whose identifier or path no document names.
fn operations(tree: &Tree) -> Vec<Finding> {
    let documents: Vec<&str> = tree.texts_in("docs/", ".md").map(|(_, text)| text).collect();
    let mut findings = Vec::new();
    for (path, text) in tree.texts_in("crates/operations/src/", ".rs") {
        for (line, field, value) in facts(text) {
            let named = documents.iter().any(|document| match field {
                "id" => document.contains(&format!("`{value}`")),
                _ => names(document, &value),
            });
            if !named {
                let advice = format!("name the operation's {field} `{value}` in a document under docs");
                findings.push(Finding::new(path, line, "unnamed-operation", advice));
            }
        }
    }
    findings
}

/// Returns the line, field and value of each `id` and `path` in the specification of an operation.
fn facts(text: &str) -> Vec<(usize, &'static str, String)> {
    let layers = RustText::of(text);
    let code: Vec<&str> = layers.code.lines().collect();
    let Some(start) = code.iter().position(|line| line.contains("SPEC: Spec = Spec {")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (line, value) in layers.literals.into_iter().filter(|(line, _)| *line > start) {
        let field = code.get(line - 1).and_then(|line| line.split_once(':')).map(|(field, _)| field.trim());
        let field = ["id", "path"].into_iter().find(|known| field == Some(known));
        // Only the first value of each field is used: later literals do not belong to the specification.
        found.extend(
            field
                .filter(|field| !found.iter().any(|(_, known, _)| known == field))
                .map(|field| (line, field, value)),
        );
    }
    found
}

/// Returns true if the text contains the name, and not only as the start of a longer name or path.
fn names(text: &str, name: &str) -> bool {
    let continues = |c: char| c.is_alphanumeric() || "_-".contains(c);
    text.match_indices(name).any(|(at, _)| {
        let after = &text[at + name.len()..];
        let deeper = after.strip_prefix('/').is_some_and(|deeper| deeper.starts_with(continues));
        !after.starts_with(continues) && (!deeper || !name.starts_with('/'))
    })
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
    fn crate_that_the_map_does_not_name_is_found() {
        let manifests = [
            ("crates/domain/Cargo.toml", ""),
            ("crates/store/Cargo.toml", ""),
            ("bins/server/Cargo.toml", ""),
        ];
        let map =
            (MAP, "`domain` holds the types of the restored ledger; passbook-server-like; see bins/server.");
        let tree = Tree::of(&[&manifests[..], &[map]].concat());
        assert_eq!(
            lines(&check(&tree)),
            ["docs/architecture.md:1: unnamed-crate: describe crates/store in a table of crates"]
        );
    }

    #[test]
    fn operation_that_no_document_names_is_found() {
        let operation = "//! Top.\nimpl Operation for Top {\n    const SPEC: Spec = Spec {\n        id: \"top\",\n        path: \"/v1/merchants\",\n    };\n}\nfn other() { Thing {\n id: \"other\",\n } }\n";
        let of = |document| {
            let tree = Tree::of(&[("crates/operations/src/top.rs", operation), ("docs/a.md", document)]);
            lines(&check(&tree))
        };
        assert_eq!(of("`top` answers GET /v1/merchants."), [""; 0]);
        assert_eq!(
            of("stop at /v1/merchants/top"),
            [
                "crates/operations/src/top.rs:4: unnamed-operation: name the operation's id `top` in a document under docs",
                "crates/operations/src/top.rs:5: unnamed-operation: name the operation's path `/v1/merchants` in a document under docs",
            ]
        );
    }

    #[test]
    fn paths_of_missing_files_are_found() {
        let text = "`crates/a/src/b.rs`, `crates/a`, `crates/a/src/gone.rs` and `tests/<name>.rs`\n";
        let history = ("docs/changelog.md", "`crates/gone`");
        let tree = Tree::of(&[("docs/a.md", text), ("crates/a/src/b.rs", ""), history]);
        assert_eq!(
            lines(&check(&tree)),
            ["docs/a.md:1: dead-path: correct the path: crates/a/src/gone.rs does not exist"]
        );
    }
}
