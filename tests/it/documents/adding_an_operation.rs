//! `docs/adding-an-operation.md`: the example, applied to a copy of the workspace as the checklist says, compiles, is a
//! tool, and obeys the rules of `tidy`.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::blocks::{self, Block};

/// The folders and files that the copy needs.
const COPIED: [&str; 16] = [
    ".cargo",
    ".clippy.toml",
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

const DOCUMENT: &str = "docs/adding-an-operation.md";

#[test]
fn checklist_followed_in_a_copy_gives_an_operation_that_compiles() {
    let documents = super::documents();
    let blocks = blocks::read(DOCUMENT, &documents[DOCUMENT]);
    let [result, query, listed, rows, port, ledger, operation, catalogue, tool, _, _, _] = blocks[..] else {
        panic!("{} blocks", blocks.len())
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    for name in COPIED {
        copy(&xtask::root().join(name), &root.join(name));
    }
    let file = |path: &str| root.join(path);
    append(&file("crates/domain/src/spending.rs"), &format!("\n{}", result.text));
    fs::write(file("crates/store/sql/spending_weekdays.sql"), query.text).expect("the file is written");
    insert_after(&file("crates/store/src/query.rs"), "    TOP_MERCHANTS = \"top_merchants\";\n", &listed);
    fs::write(file("crates/store/src/queries/spending_weekdays.rs"), rows.text).expect("the file is written");
    append(&file("crates/store/src/queries.rs"), "pub(crate) mod spending_weekdays;\n");
    insert_after(&file("crates/domain/src/ports.rs"), "pub trait Ledger: Send + Sync {\n", &port);
    insert_after(&file("crates/store/src/ledger.rs"), "impl Ledger for Store {\n", &ledger);
    let with_tool = operation.text.replace("        tool: None,\n", tool.text);
    assert_ne!(with_tool, operation.text, "{}", tool.place());
    fs::write(file("crates/operations/src/spending_weekdays.rs"), with_tool).expect("the file is written");
    append(&file("crates/operations/src/lib.rs"), "pub mod spending_weekdays;\n");
    let last = "    visitor.visit::<crate::preferences::Preferences>();\n";
    insert_after(&file("crates/operations/src/catalogue.rs"), last, &catalogue);
    append(&file("docs/schema.md"), "\n`spending_weekdays` is served at `/v1/spending/weekdays`.\n");

    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["check", "--quiet", "--locked", "--offline", "--package", "passbook-store"])
        .current_dir(root);
    cargo.args(["--package", "passbook-mcp", "--package", "passbook-rest", "--target-dir"]);
    let output = cargo.arg(xtask::root().join("target/hosts")).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let findings: Vec<String> = xtask::tidy::run(root).iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

fn append(path: &Path, text: &str) {
    let before = fs::read_to_string(path).expect("the file is readable");
    fs::write(path, before + text).expect("the file is written");
}

/// Inserts a block after a line that the file has once.
#[track_caller]
fn insert_after(path: &Path, line: &str, block: &Block<'_>) {
    let before = fs::read_to_string(path).expect("the file is readable");
    assert_eq!(before.matches(line).count(), 1, "{}: {line}", path.display());
    let after = before.replace(line, &format!("{line}{}\n", block.text.trim_end()));
    fs::write(path, after).expect("the file is written");
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
