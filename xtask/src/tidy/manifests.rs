//! Finds packages that do not inherit the lints of the workspace, packages that can be published but lack a key, and
//! dependencies without a comment that gives the reason.

use super::Finding;
use crate::repository::Tree;

/// Manifests without the lints, each with the reason.
const WITHOUT_LINTS: [(&str, &str); 3] = [
    ("Cargo.toml", "it is the workspace"),
    ("tests/hosts/", "documents quote the code, and it shows no attributes for the lints of this project"),
    ("xtask/lab/", "it is a workspace of its own"),
];
/// The keys of a package that can be published. `cargo xtask ci` packages it.
const PUBLISHED: [&str; 4] =
    ["description = \"", "version.workspace = true", "license.workspace = true", "readme.workspace = true"];
/// Names of dependencies that need no comment: every Rust engineer knows their purpose.
const KNOWN: &str = "deadpool-postgres http-body-util hyper hyper-util jsonwebtoken reqwest schemars serde serde_json \
                     thiserror tokio tokio-postgres tracing uuid";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts_in("", "Cargo.toml") {
        let is_exempt = WITHOUT_LINTS.iter().any(|(start, _)| path.starts_with(start));
        if !is_exempt && !text.contains("\n[lints]\nworkspace = true\n") {
            findings.push(Finding::new(path, 1, "lints", "add `[lints]` with `workspace = true`"));
        }
        let is_private = !text.contains("[package]") || text.contains("\npublish = false\n");
        for key in PUBLISHED.iter().filter(|key| !is_private && !text.contains(&format!("\n{key}"))) {
            findings.push(Finding::new(path, 1, "published", format!("add `{key}`, or `publish = false`")));
        }
    }
    findings.extend(reasons(tree.text("Cargo.toml").unwrap_or_default()));
    findings
}

/// Finds the dependencies of the workspace that have no comment above them.
fn reasons(workspace: &str) -> Vec<Finding> {
    let lines =
        (1..).zip(workspace.lines()).skip_while(|(_, line)| *line != "[workspace.dependencies]").skip(1);
    let mut findings = Vec::new();
    let mut has_comment = false;
    for (number, line) in lines.take_while(|(_, line)| !line.starts_with('[')) {
        let name = line.split(['.', '=', ' ']).next().unwrap_or_default();
        let is_known = has_comment || line.contains("path = ") || KNOWN.split(' ').any(|known| known == name);
        if !name.is_empty() && name != "#" && !is_known {
            let advice = format!("give the purpose of `{name}` in a comment above it");
            findings.push(Finding::new("Cargo.toml", number, "dependency-reason", advice));
        }
        has_comment = line.starts_with("# ");
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn missing_lints_keys_and_reasons_are_found() {
        let workspace = "[workspace.dependencies]\nown = { path = \"crates/own\" }\n# Exact decimals.\nrust_decimal = \"1\"\nserde = \"1\"\ncsv = \"1\"\n";
        let inherits = "[package]\npublish = false\n\n[lints]\nworkspace = true\n";
        let keys = "[package]\ndescription = \"A\"\nversion.workspace = true\nlicense.workspace = true\n";
        let tree = Tree::of(&[
            ("Cargo.toml", workspace),
            ("crates/a/Cargo.toml", "[dependencies]\n"),
            ("crates/b/Cargo.toml", inherits),
            ("tests/hosts/c/Cargo.toml", ""),
            ("tests/hosts/d/Cargo.toml", keys),
        ]);
        let reason = "6: dependency-reason: give the purpose of `csv` in a comment above it";
        let lints = "1: lints: add `[lints]` with `workspace = true`";
        let key = "1: published: add `readme.workspace = true`, or `publish = false`";
        assert_eq!(lines(&check(&tree)), [lints, key, reason]);
    }
}
