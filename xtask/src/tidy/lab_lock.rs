//! Compares the lock file of the lab with that of the workspace. With the same versions nothing is downloaded, reviewed or
//! compiled twice.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::Finding;
use crate::tree::Tree;

const RULE: &str = "lab-lock";
/// The lock file of the workspace.
const LOCK: &str = "Cargo.lock";
/// The lock file of the lab.
const LAB_LOCK: &str = "xtask/lab/Cargo.lock";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(own) = tree.text(LOCK).map(packages) else { return Vec::new() };
    tree.text(LAB_LOCK).map(|lab| differences(&packages(lab), &own)).unwrap_or_default()
}

/// The versions of each package that comes from a registry.
type Packages = BTreeMap<String, BTreeSet<String>>;

fn packages(lock: &str) -> Packages {
    let table: Table = lock.parse().unwrap_or_default();
    let mut packages = Packages::new();
    for package in table.get("package").and_then(Value::as_array).into_iter().flatten() {
        let text = |key: &str| package.get(key).and_then(Value::as_str).map(str::to_owned);
        if let (Some(name), Some(version), Some(_)) = (text("name"), text("version"), text("source")) {
            packages.entry(name).or_default().insert(version);
        }
    }
    packages
}

/// Returns a finding for each package and version that the workspace does not have, because cargo-deny examines only those
/// of the workspace.
fn differences(lab: &Packages, own: &Packages) -> Vec<Finding> {
    let mut findings = Vec::new();
    let none = BTreeSet::new();
    for (name, versions) in lab {
        let known = own.get(name).unwrap_or(&none);
        for version in versions.difference(known) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let advice = match known[..] {
                [] => format!("remove {name} {version}: the workspace does not use it"),
                _ => {
                    format!("use {name} {}, as the workspace does, instead of {version}", known.join(" or "))
                }
            };
            findings.push(Finding::new(LAB_LOCK, 1, RULE, advice));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn other_version_and_unknown_package_are_found() {
        let package = |name: &str, version: &str| {
            format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"registry\"\n")
        };
        let own = format!("{}{}", package("bytes", "1.2.0"), package("syn", "2.0.0"));
        let lab = format!("{}{}", package("bytes", "1.3.0"), package("axum", "0.8.0"));
        assert_eq!(
            lines(&check(&Tree::of(&[(LOCK, &own), (LAB_LOCK, &lab)]))),
            [
                "xtask/lab/Cargo.lock:1: lab-lock: remove axum 0.8.0: the workspace does not use it",
                "xtask/lab/Cargo.lock:1: lab-lock: use bytes 1.2.0, as the workspace does, instead of 1.3.0",
            ]
        );
        assert_eq!(check(&Tree::of(&[(LOCK, &own), (LAB_LOCK, &package("syn", "2.0.0"))])), []);
    }
}
