//! `docs/adding-an-operation.md`: the example, applied to a copy of the workspace as the checklist says, compiles, is a
//! tool, and obeys the formatter and the rules of `tidy`. `cargo xtask checklist` also runs tests in the copy.

use std::fs;
use std::path::Path;
use std::process::Command;

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
    assert_eq!(xtask::checklist::apply(&documents[DOCUMENT], root), Ok(CHANGES));

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
