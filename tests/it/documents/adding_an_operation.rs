//! `docs/adding-an-operation.md`: the example, applied to a copy of the workspace as the checklist says, compiles and
//! obeys the formatter and the rules of `tidy`. `cargo xtask checklist` also runs tests in the copy.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::snapshots::{LIST_TOKENS_MAX, READ_TOKENS_MAX};

/// The folders and files that the copy needs.
const COPIED: [&str; 17] = [
    ".cargo",
    ".clippy.toml",
    ".rustfmt.toml",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    ".ci",
    "bins",
    "crates",
    "deny.toml",
    "docs",
    "tests",
    "xtask",
];

const DOCUMENT: &str = xtask::checklist::DOCUMENT;

/// The file of the example operation.
const EXAMPLE: &str = "crates/operations/src/spending_weekdays.rs";

/// Number of blocks of the document that change a file.
const CHANGES: usize = 19;

#[test]
fn checklist_followed_in_a_copy_gives_an_operation_that_compiles() {
    let documents = super::documents();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    for name in COPIED {
        copy(&xtask::root().join(name), &root.join(name));
    }
    // The copy in which `cargo xtask checklist` runs this test has the example already.
    if !root.join(EXAMPLE).exists() {
        assert_eq!(xtask::checklist::apply(&documents[DOCUMENT], root), Ok(CHANGES));
    }

    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--quiet", "--locked", "--offline"]).current_dir(root);
    for package in ["passbook-store", "passbook-mcp", "passbook-rest", "passbook-test-support"] {
        cargo.args(["--package", package]);
    }
    let target = xtask::root().join("target/hosts");
    let output = cargo.arg("--target-dir").arg(&target).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut rustfmt = Command::new(env!("CARGO"));
    let output = rustfmt.args(["fmt", "--all", "--check"]).current_dir(root).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let findings: Vec<String> = xtask::tidy::run(root).iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[test]
fn blocks_of_adding_an_operation_are_applied_or_compared() {
    let documents = super::documents();
    let (mut changes, mut of_snapshots) = (0, 0);
    for block in super::blocks::read(DOCUMENT, &documents[DOCUMENT]) {
        let note = block.note.unwrap_or_else(|| panic!("{}: the block has no note", block.place()));
        if let Some(path) = note.strip_prefix("from ") {
            block.assert_from(path);
        } else if note.starts_with("part of tests/it/snapshots/") {
            // The snapshot of the example exists only in a copy: `cargo xtask checklist` compares the block.
            of_snapshots += 1;
        } else {
            changes += 1;
        }
    }
    assert_eq!((changes, of_snapshots), (CHANGES, 1));
}

#[test]
fn limits_of_the_list_of_tools_are_stated() {
    let documents = super::documents();
    let text = documents[DOCUMENT].split_whitespace().collect::<Vec<_>>().join(" ");
    for limit in [READ_TOKENS_MAX, LIST_TOKENS_MAX] {
        let stated = format!("at most {},{:03} tokens", limit / 1_000, limit % 1_000);
        assert!(text.contains(&stated), "{DOCUMENT} does not state `{stated}`");
    }
}

/// Copies a file or a folder, without the folders of builds.
fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        fs::copy(from, to).expect("the file is copied");
        return;
    }
    fs::create_dir_all(to).expect("the folder is created");
    for entry in from.read_dir().expect("the folder is readable").flatten() {
        if entry.file_name() != "target" {
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    }
}
