//! Finds packages that do not inherit lints and dependencies from the workspace, and dependencies without a comment
//! that gives the reason.

use toml::Value;

use super::Finding;
use super::manifest::Manifest;
use crate::tree::Tree;

/// Names of dependencies that need no comment: every Rust engineer knows their purpose.
const KNOWN: [&str; 14] = [
    "deadpool-postgres",
    "http-body-util",
    "hyper",
    "hyper-util",
    "jsonwebtoken",
    "reqwest",
    "schemars",
    "serde",
    "serde_json",
    "thiserror",
    "tokio",
    "tokio-postgres",
    "tracing",
    "uuid",
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let (members, _) = Manifest::members(tree);
    // The lab is a workspace of its own, so it inherits nothing.
    let is_member = |manifest: &&Manifest| !manifest.table.contains_key("workspace");
    let mut findings: Vec<Finding> = members.iter().filter(is_member).flat_map(inherits).collect();
    match tree.text("Cargo.toml").map(|text| Manifest::parse("Cargo.toml", text)) {
        Some(Ok(workspace)) => findings.extend(reasons(&workspace)),
        Some(Err(finding)) => findings.push(finding),
        None => {}
    }
    findings
}

fn inherits(member: &Manifest) -> Vec<Finding> {
    let mut findings = Vec::new();
    let lints = member.table.get("lints").and_then(|lints| lints.get("workspace")).and_then(Value::as_bool);
    // The code of an example host is quoted in documents, and shows no attributes for the lints of this project.
    if lints != Some(true) && !member.path.starts_with("tests/hosts/") {
        findings.push(Finding::new(&member.path, 1, "lints", "add `[lints]` with `workspace = true`"));
    }
    for dependency in member.dependencies().into_iter().filter(|dependency| !dependency.inherited) {
        let advice = format!("name `{}` in the workspace and write `{0}.workspace = true`", dependency.name);
        findings.push(Finding::new(&member.path, dependency.line, "workspace-dependency", advice));
    }
    findings
}

fn reasons(workspace: &Manifest) -> Vec<Finding> {
    let dependencies = workspace.table.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let mut findings = Vec::new();
    for (name, value) in dependencies.and_then(Value::as_table).into_iter().flatten() {
        let ours = value.get("path").is_some();
        let line = workspace.line_of("workspace.dependencies", name);
        if !ours && !KNOWN.contains(&name.as_str()) && !workspace.line(line - 1).starts_with("# ") {
            let advice = format!("give the purpose of `{name}` in a comment above it");
            findings.push(Finding::new(&workspace.path, line, "dependency-reason", advice));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn lints_and_dependencies_must_come_from_the_workspace() {
        let manifest = "[dependencies]\nserde.workspace = true\ncsv = \"1\"\n[target.'cfg(unix)'.dev-dependencies]\nlibc = { version = \"0.2\" }\n";
        assert_eq!(
            lines(&check(&Tree::of(&[("crates/a/Cargo.toml", manifest)]))),
            [
                "crates/a/Cargo.toml:1: lints: add `[lints]` with `workspace = true`",
                "crates/a/Cargo.toml:3: workspace-dependency: name `csv` in the workspace and write `csv.workspace = true`",
                "crates/a/Cargo.toml:5: workspace-dependency: name `libc` in the workspace and write `libc.workspace = true`",
            ]
        );
    }

    #[test]
    fn dependency_without_a_reason_is_found() {
        let manifest = "[workspace.dependencies]\ndomain = { path = \"crates/domain\" }\n# Exact decimals.\nrust_decimal = \"1\"\nserde = \"1\"\ncsv = \"1\"\n";
        assert_eq!(
            lines(&check(&Tree::of(&[("Cargo.toml", manifest)]))),
            ["Cargo.toml:6: dependency-reason: give the purpose of `csv` in a comment above it"]
        );
    }
}
