//! Compares the table of build sizes in `docs/embedding.md` with `cargo tree`, which resolves each package alone, as a
//! program outside of this repository does.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Finding, builds};
use crate::public_crates::PUBLIC_CRATES;
use crate::tree::Tree;

const RULE: &str = "build-size";
const DOCUMENT: &str = "docs/embedding.md";
/// The first cells of the table's head.
const HEAD: &str = "| package | features | crates |";
/// Folder of the example hosts.
const HOSTS: &str = "tests/hosts";
/// The counts are those of one platform, because some crates are built on some platforms only.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";
/// A host with sessions of its own, and the maximum number of crates in its build.
const SESSION_HOST: (&str, usize) = ("passbook-session-host", 100);
/// The crate that a host needs for TLS and identity providers only: its C code takes longer to compile than the rest.
const CRYPTOGRAPHY: &str = "aws-lc-sys";

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    line: usize,
    package: String,
    features: String,
    crates: usize,
}

pub(super) fn check(root: &Path, tree: &Tree) -> Vec<Finding> {
    let (rows, mut findings) = rows(tree.text(DOCUMENT).unwrap_or_default());
    for row in &rows {
        match crates(root, row) {
            Ok(crates) => findings.extend(row.compare(&crates)),
            Err(error) => findings.push(Finding::new(DOCUMENT, row.line, RULE, error)),
        }
    }
    findings.extend(missing(&rows, &packages(tree)));
    findings
}

/// Returns the packages that the table must have: every example host and every public crate.
fn packages(tree: &Tree) -> Vec<String> {
    let hosts = tree.texts_in(HOSTS, "/Cargo.toml").filter_map(|(_, manifest)| {
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = \""))?;
        Some(name.trim_end_matches('"').to_owned())
    });
    hosts.chain(PUBLIC_CRATES.iter().map(|name| format!("passbook-{name}"))).collect()
}

fn missing(rows: &[Row], packages: &[String]) -> Vec<Finding> {
    let absent = packages.iter().filter(|package| !rows.iter().any(|row| row.package == **package));
    let advice = |package| format!("add a row of {package} to the table that starts with `{HEAD}`");
    absent.map(|package| Finding::new(DOCUMENT, 1, RULE, advice(package))).collect()
}

/// Returns the rows of the table, and a finding for each that cannot be read.
fn rows(document: &str) -> (Vec<Row>, Vec<Finding>) {
    let (mut rows, mut findings) = (Vec::new(), Vec::new());
    let lines = (1..).zip(document.lines()).skip_while(|(_, line)| !line.starts_with(HEAD)).skip(2);
    for (number, line) in lines.take_while(|(_, line)| line.starts_with('|')) {
        let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        match cells[..] {
            [_, package, features, crates, ..] if crates.parse::<usize>().is_ok() => rows.push(Row {
                line: number,
                package: package.to_owned(),
                features: features.to_owned(),
                crates: crates.parse().unwrap_or_default(),
            }),
            _ => {
                let advice = "write package, features and number of crates in this row";
                findings.push(Finding::new(DOCUMENT, number, RULE, advice));
            }
        }
    }
    (rows, findings)
}

impl Row {
    /// Compares the row with the crates in the build.
    fn compare(&self, crates: &BTreeSet<String>) -> Vec<Finding> {
        let mut advice = Vec::new();
        if crates.len() != self.crates {
            advice.push(format!("write {} as the number of crates of {}", crates.len(), self.package));
        }
        let (host, crates_max) = SESSION_HOST;
        if self.package == host && crates.len() > crates_max {
            advice.push(format!("remove dependencies: {host} has more than {crates_max} crates"));
        }
        if self.package == host && crates.iter().any(|name| name.starts_with(CRYPTOGRAPHY)) {
            advice.push(format!("remove {CRYPTOGRAPHY} from {}", self.package));
        }
        advice.into_iter().map(|advice| Finding::new(DOCUMENT, self.line, RULE, advice)).collect()
    }
}

/// Returns the crates in the build of a row, with their versions.
fn crates(root: &Path, row: &Row) -> Result<BTreeSet<String>, String> {
    let features = if row.features.is_empty() { vec![] } else { vec!["--features", &row.features] };
    let options = [&["--locked", "--edges", "normal,build", "--target", PLATFORM], &features[..]].concat();
    builds::crates(root, &row.package, &options)
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    const TABLE: &str = "# Sizes\n\n| package | features | crates | seconds |\n|---|---|---|---|\n\
                         | `passbook-session-host` | | 2 | 1 |\n| `a` | `provider` | 1 | 1 |\n\nText.\n";

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn rows_of_the_table_are_read() {
        let (rows, findings) = rows(TABLE);
        assert_eq!((rows.len(), findings.len()), (2, 0));
        let last = Row { line: 6, package: "a".to_owned(), features: "provider".to_owned(), crates: 1 };
        assert_eq!(rows[1], last);
        assert_eq!(lines(&super::rows(&TABLE.replace("| 2 |", "| two |")).1).len(), 1);
    }

    #[test]
    fn host_or_public_crate_without_a_row_is_found() {
        let manifest = "[package]\nname = \"a\"\n\n[[bin]]\nname = \"b\"\n";
        let packages = packages(&Tree::of(&[("tests/hosts/a/Cargo.toml", manifest)]));
        assert!(packages.contains(&"a".to_owned()) && packages.contains(&"passbook-domain".to_owned()));
        let (rows, _) = rows(TABLE);
        let missing = lines(&missing(&rows, &["a".to_owned(), "c".to_owned()]));
        let advice = "add a row of c to the table that starts with `| package | features | crates |`";
        assert_eq!(missing, [format!("docs/embedding.md:1: build-size: {advice}")]);
    }

    #[test]
    fn wrong_number_and_heavy_crate_are_found() {
        let (rows, _) = rows(TABLE);
        assert_eq!(rows[0].compare(&set(&["a v1", "b v1"])), []);
        let found = lines(&rows[0].compare(&set(&["a v1", "aws-lc-sys v1", "c v1"])));
        assert_eq!(
            found,
            [
                "docs/embedding.md:5: build-size: write 3 as the number of crates of passbook-session-host",
                "docs/embedding.md:5: build-size: remove aws-lc-sys from passbook-session-host",
            ]
        );
        assert_eq!(rows[1].compare(&set(&["aws-lc-sys v1"])), []);
        let many: Vec<String> = (0..101).map(|number| format!("a{number} v1")).collect();
        assert_eq!(rows[0].compare(&many.into_iter().collect()).len(), 2);
    }
}
