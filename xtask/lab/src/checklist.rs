//! `cargo lab checklist`: follows `docs/adding-an-operation.md` in a copy of the repository, and checks the copy.
//!
//! Each block of the document that changes a file has a note with the place: `new file PATH`, `at the end of PATH`,
//! `in PATH after LINE` or `in PATH instead of LINE`. The note `part of PATH` stands above lines of a file that
//! `cargo xtask bless` writes. `cargo lab checklist compile`, which CI runs, only compiles the copy; without `compile`, the
//! command also runs the tests of the catalogue there, which takes minutes.

use std::path::{Path, PathBuf};

use crate::command::{create_folder, print_line, read, run_shown, write};
use crate::repository_copy;

/// The document.
const DOCUMENT: &str = "docs/adding-an-operation.md";
/// Packages that the example changes.
const PACKAGES: [&str; 10] = [
    "--package",
    "passbook-operations",
    "--package",
    "passbook-store",
    "--package",
    "passbook-mcp",
    "--package",
    "passbook-rest",
    "--package",
    "passbook-ledger-kit",
];
/// Modules of the end-to-end tests that call every operation, or compare the documents.
const MODULES: [&str; 10] = [
    "database::schema_versions::",
    "documents::",
    "embedding::own_ledger",
    "isolation::suite::",
    "rest::catalogue::",
    "rest::contract::",
    "rest::extension::",
    "rest::response_headers::",
    "rest::snapshots::",
    "tools::",
];

/// A change of one file.
#[derive(Debug, PartialEq, Eq)]
enum Place<'a> {
    NewFile(&'a str),
    AtTheEnd(&'a str),
    After(&'a str, &'a str),
    InsteadOf(&'a str, &'a str),
}

impl<'a> Place<'a> {
    /// Reads a note; `None` if the block changes no file.
    fn parse(note: &'a str) -> Option<Place<'a>> {
        if let Some(path) = note.strip_prefix("new file ") {
            return Some(Place::NewFile(path));
        }
        if let Some(path) = note.strip_prefix("at the end of ") {
            return Some(Place::AtTheEnd(path));
        }
        let (path, line) = note.strip_prefix("in ")?.split_once(' ')?;
        let after = line.strip_prefix("after ").map(|line| Place::After(path, line));
        after.or_else(|| Some(Place::InsteadOf(path, line.strip_prefix("instead of ")?)))
    }

    /// Changes the file below `root`.
    fn apply(&self, root: &Path, text: &str) -> Result<(), String> {
        match *self {
            Place::NewFile(path) => {
                let path = root.join(path);
                path.parent().map_or(Ok(()), create_folder)?;
                write(&path, text)
            }
            Place::AtTheEnd(path) => {
                let before = read(&root.join(path))?;
                write(&root.join(path), &format!("{before}\n{text}"))
            }
            Place::After(path, line) => change(&root.join(path), line, |found| format!("{found}{text}")),
            Place::InsteadOf(path, line) => change(&root.join(path), line, |_| text.to_owned()),
        }
    }
}

/// Replaces the only line of a file that is `line` without its indentation.
fn change(path: &Path, line: &str, replace: impl Fn(&str) -> String) -> Result<(), String> {
    let before = read(path)?;
    let mut found = 0;
    let after: String = before
        .split_inclusive('\n')
        .map(|candidate| {
            if candidate.trim() != line {
                return candidate.to_owned();
            }
            found += 1;
            replace(candidate)
        })
        .collect();
    if found != 1 {
        return Err(format!("{}: {found} lines are `{line}`, not one", path.display()));
    }
    write(path, &after)
}

/// A fenced block, with the comment directly above it.
struct Block<'a> {
    note: Option<&'a str>,
    text: String,
}

/// Returns the blocks of a document.
fn blocks(document: &str) -> Vec<Block<'_>> {
    let (mut blocks, mut note, mut open) = (Vec::new(), None, None);
    for line in document.split_inclusive('\n') {
        let is_fence = line.starts_with("```");
        open = match (open, is_fence) {
            (None, true) => Some(String::new()),
            (Some(text), true) => {
                blocks.push(Block { note: note.take(), text });
                None
            }
            (Some(text), false) => Some(text + line),
            (None, false) => {
                note = line.trim_end().strip_prefix("<!-- ").and_then(|note| note.strip_suffix(" -->"));
                None
            }
        };
    }
    blocks
}

/// Applies every block of the document below `root` that changes a file. Returns the number of blocks.
///
/// # Errors
/// A file cannot be changed as its note says.
fn apply(document: &str, root: &Path) -> Result<usize, String> {
    let mut applied = 0;
    for block in blocks(document) {
        if let Some(place) = block.note.and_then(Place::parse) {
            place.apply(root, &block.text)?;
            applied += 1;
        }
    }
    Ok(applied)
}

/// Checks that every block with the note `part of PATH` consists of lines of that file below `root`. Returns the number
/// of blocks.
fn compare(document: &str, root: &Path) -> Result<usize, String> {
    let mut compared = 0;
    for block in blocks(document) {
        if let Some(path) = block.note.and_then(|note| note.strip_prefix("part of ")) {
            let file = format!("\n{}", read(&root.join(path))?);
            if !file.contains(&format!("\n{}", block.text)) {
                return Err(format!("{path} has no such lines:\n{}", block.text));
            }
            compared += 1;
        }
    }
    Ok(compared)
}

/// Follows the document in a copy, and compiles, formats and lints the copy, as CI does.
///
/// # Errors
/// A block cannot be applied, or a check fails.
pub(crate) fn compile(root: &Path) -> Result<(), String> {
    let copy = Copy::create(root)?;
    copy.cargo(&["fmt", "--all", "--check"])?;
    copy.cargo(&["xtask", "tidy"])?;
    copy.cargo(&[&["check"], &PACKAGES[..], &["--all-targets"]].concat())
}

/// Follows the document in a copy, and runs the checks of its last steps.
///
/// # Errors
/// A block cannot be applied, or a check fails.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let copy = Copy::create(root)?;
    copy.cargo(&["fmt", "--all"])?;
    copy.cargo(&["xtask", "bless"])?;
    let compared = compare(&read(&copy.folder.join(DOCUMENT))?, &copy.folder)?;
    print_line(&format!("{compared} blocks of {DOCUMENT} compared with snapshots"));
    copy.cargo(&["fmt", "--all", "--check"])?;
    copy.cargo(&["xtask", "tidy"])?;
    copy.cargo(&[&["clippy"], &PACKAGES[..], &["--all-targets", "--", "-D", "warnings"]].concat())?;
    copy.cargo(&["test", "--package", "passbook-operations", "--package", "passbook-domain"])?;
    copy.cargo(&[&["test", "--workspace", "--test", "it", "--test", "programs", "--"], &MODULES[..]].concat())
}

/// A copy of the repository in which the document was followed.
struct Copy {
    folder: PathBuf,
    /// Folder of the build. It is outside the copy, so that the next run finds the compiled dependencies. Cargo gives the
    /// packages of the copy the same file names as those of the repository: in a shared folder, it would take the
    /// programs with the example for those of the repository.
    build: PathBuf,
}

impl Copy {
    fn create(root: &Path) -> Result<Copy, String> {
        let folder = repository_copy::create(root, "checklist")?;
        let applied = apply(&read(&folder.join(DOCUMENT))?, &folder)?;
        print_line(&format!("{applied} blocks of {DOCUMENT} applied in {}", folder.display()));
        Ok(Copy { folder, build: root.join("target/copies") })
    }

    fn cargo(&self, arguments: &[&str]) -> Result<(), String> {
        print_line(&format!("== cargo {}", arguments.join(" ")));
        let build = format!("CARGO_TARGET_DIR={}", self.build.display());
        let cargo = crate::repository::cargo();
        let cargo = cargo.to_string_lossy();
        let words = [&[build.as_str(), &cargo], arguments].concat();
        run_shown("env", &words, &self.folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_name_the_places_of_blocks() {
        for (note, place) in [
            ("new file a/b.rs", Some(Place::NewFile("a/b.rs"))),
            ("at the end of a.rs", Some(Place::AtTheEnd("a.rs"))),
            ("in a.rs after pub trait A {", Some(Place::After("a.rs", "pub trait A {"))),
            ("in a.rs instead of tool: None,", Some(Place::InsteadOf("a.rs", "tool: None,"))),
            ("from a.rs", None),
        ] {
            assert_eq!(Place::parse(note), place);
        }
    }

    #[test]
    fn blocks_change_the_files_of_a_folder() {
        let folder = std::env::temp_dir().join(format!("passbook-checklist-{}", std::process::id()));
        create_folder(&folder).expect("a folder");
        write(&folder.join("a.txt"), "one\n    two\n").expect("a file");
        let document = "Text.\n\n<!-- in a.txt after two -->\n```text\nthree\n```\n\n```text\nno note\n```\n\
                        <!-- new file b/c.txt -->\n```text\nnew\n```\n<!-- at the end of a.txt -->\n```text\nend\n```\n\
                        <!-- in a.txt instead of one -->\n```text\n1\n```\n";
        assert_eq!(apply(document, &folder), Ok(4));
        assert_eq!(read(&folder.join("a.txt")).expect("a file"), "1\n    two\nthree\n\nend\n");
        assert_eq!(read(&folder.join("b/c.txt")).expect("a file"), "new\n");
        let missing = apply("<!-- in a.txt after nothing -->\n```text\n```\n", &folder);
        assert!(missing.is_err_and(|error| error.ends_with("0 lines are `nothing`, not one")));
        assert_eq!(compare("<!-- part of a.txt -->\n```text\nthree\n\nend\n```\n", &folder), Ok(1));
        let other = compare("<!-- part of a.txt -->\n```text\nhree\n```\n", &folder);
        assert_eq!(other, Err("a.txt has no such lines:\nhree\n".to_owned()));
        std::fs::remove_dir_all(&folder).expect("the folder is removed");
    }
}
