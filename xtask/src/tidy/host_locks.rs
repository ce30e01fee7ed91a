//! Compares the lock files of the example hosts with the lock file of the workspace. With the same versions nothing is
//! downloaded or reviewed twice.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::Finding;
use crate::tree::Tree;

const RULE: &str = "host-lock";
/// The lock file of the workspace.
const LOCK: &str = "Cargo.lock";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(own) = tree.text(LOCK).map(packages) else { return Vec::new() };
    let hosts = tree.texts_in("tests/hosts/", "/Cargo.lock");
    hosts.flat_map(|(path, text)| differences(path, &packages(text), &own)).collect()
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

/// Returns a finding for each version that the workspace does not have. A package that the workspace does not use, such as
/// a web framework, has any version.
fn differences(path: &str, host: &Packages, own: &Packages) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, versions) in host {
        let Some(known) = own.get(name) else { continue };
        for version in versions.difference(known) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let known = known.join(" or ");
            let advice = format!(
                "use {name} {known}, as the workspace does, instead of {version}: cargo update --precise"
            );
            findings.push(Finding::new(path, 1, RULE, advice));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn other_version_of_a_shared_package_is_found() {
        let package = |name: &str, version: &str| {
            format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"registry\"\n")
        };
        let own = format!("{}{}", package("bytes", "1.2.0"), package("syn", "2.0.0"));
        let host = format!("{}{}", package("bytes", "1.3.0"), package("axum", "0.8.0"));
        let tree = Tree::of(&[("Cargo.lock", &own), ("tests/hosts/a/Cargo.lock", &host)]);
        assert_eq!(
            lines(&check(&tree)),
            [
                "tests/hosts/a/Cargo.lock:1: host-lock: use bytes 1.2.0, as the workspace does, instead of 1.3.0: cargo update --precise"
            ]
        );
        let same = Tree::of(&[("Cargo.lock", &own), ("tests/hosts/a/Cargo.lock", &package("syn", "2.0.0"))]);
        assert_eq!(check(&same), []);
    }
}
