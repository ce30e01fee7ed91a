//! Reads the dependencies of a `Cargo.toml`, each with its line.

use toml::{Table, Value};

use super::Finding;
use crate::tree::Tree;

/// A parsed `Cargo.toml`.
#[derive(Debug)]
pub(super) struct Manifest {
    pub(super) path: String,
    pub(super) table: Table,
    text: String,
}

/// One dependency in a manifest, from any section.
#[derive(Debug)]
pub(super) struct Dependency {
    pub(super) name: String,
    pub(super) line: usize,
    /// True if the dependency is in `dev-dependencies`.
    pub(super) development: bool,
    pub(super) optional: bool,
    /// True if version and source come from the workspace's manifest.
    pub(super) inherited: bool,
    /// Name of the package's folder, from the last segment of `path`; `None` for a package of a registry.
    pub(super) folder: Option<String>,
}

impl Manifest {
    /// Returns the manifest of every workspace member, and a finding for each that cannot be read.
    pub(super) fn members(tree: &Tree) -> (Vec<Manifest>, Vec<Finding>) {
        let mut members = Vec::new();
        let mut findings = Vec::new();
        for (path, text) in tree.texts_in("", "/Cargo.toml") {
            match Manifest::parse(path, text) {
                Ok(manifest) => members.push(manifest),
                Err(finding) => findings.push(finding),
            }
        }
        (members, findings)
    }

    pub(super) fn parse(path: &str, text: &str) -> Result<Manifest, Finding> {
        match text.parse() {
            Ok(table) => Ok(Manifest { path: path.to_owned(), table, text: text.to_owned() }),
            Err(error) => {
                Err(Finding::new(path, 1, "manifest", format!("make it valid TOML: {}", error.message())))
            }
        }
    }

    /// Returns the name of the manifest's folder, which is the name that other packages import.
    pub(super) fn folder(&self) -> &str {
        last_segment(self.path.trim_end_matches("/Cargo.toml"))
    }

    /// Returns the dependencies of every section: normal, development and build dependencies, and those of single
    /// targets.
    pub(super) fn dependencies(&self) -> Vec<Dependency> {
        let targets = self.table.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
        let tables = std::iter::once(&self.table).chain(targets.filter_map(Value::as_table));
        let mut found = Vec::new();
        for table in tables {
            for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
                let Some(entries) = table.get(section).and_then(Value::as_table) else { continue };
                found.extend(entries.iter().map(|(name, value)| self.dependency(section, name, value)));
            }
        }
        found
    }

    fn dependency(&self, section: &str, name: &str, value: &Value) -> Dependency {
        let flag = |key: &str| value.get(key).and_then(Value::as_bool).unwrap_or(false);
        Dependency {
            name: name.to_owned(),
            line: self.line_of(section, name),
            development: section == "dev-dependencies",
            optional: flag("optional"),
            inherited: flag("workspace"),
            folder: value.get("path").and_then(Value::as_str).map(|path| last_segment(path).to_owned()),
        }
    }

    /// Returns the line number of a key in the section whose header ends with `section`; 1 if the key is not found.
    pub(super) fn line_of(&self, section: &str, key: &str) -> usize {
        let mut in_section = false;
        for (index, line) in self.text.lines().enumerate() {
            if let Some(header) = line.trim().strip_prefix('[') {
                let header = header.trim_end_matches(']');
                in_section = header.ends_with(section);
                if header.ends_with(&format!("{section}.{key}")) {
                    return index + 1;
                }
            } else if in_section && line.split(['.', '=', ' ']).next() == Some(key) {
                return index + 1;
            }
        }
        1
    }

    /// Returns the text of a line, counted from one; empty for line 0.
    pub(super) fn line(&self, number: usize) -> &str {
        number.checked_sub(1).and_then(|index| self.text.lines().nth(index)).unwrap_or_default()
    }
}

fn last_segment(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
