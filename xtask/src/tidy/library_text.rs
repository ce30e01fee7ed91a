//! Finds names of settings, flags and binaries in the string literals of library crates.
//!
//! A host that embeds a library has other settings and another program name. A library returns an error; the binary
//! translates it into its own words.

use super::Finding;
use crate::rust_text::RustText;
use crate::tree::Tree;

const RULE: &str = "library-text";
/// Folder of the crate that may name settings, because it reads them for both binaries.
const SETTINGS: &str = "crates/settings/";
const NAMES: [&str; 3] = ["PASSBOOK_", "passbook-server", "passbook-admin"];

/// Folders and files whose literals may contain flags or names, each with the reason.
const EXCEPTIONS: [(&str, &str); 1] =
    [("crates/embedded/src/", "calls the programs of PostgreSQL and npm with their flags")];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let files = tree.texts_in("crates/", ".rs").filter(|(path, _)| {
        let is_test = path.contains("/tests/") || path.ends_with("/tests.rs");
        !is_test && !path.starts_with(SETTINGS)
    });
    files.flat_map(|(path, text)| check_file(path, text)).collect()
}

fn check_file(path: &str, text: &str) -> Vec<Finding> {
    let calls_programs = EXCEPTIONS.iter().any(|(folder, _)| path.starts_with(folder));
    let mut findings = Vec::new();
    for (line, literal) in RustText::of(text).literals {
        let name = NAMES.into_iter().find(|name| literal.contains(name)).map(str::to_owned);
        let found = name.or_else(|| flag(&literal).filter(|_| !calls_programs));
        if let Some(found) = found {
            let advice = format!("remove `{found}`: let the binary name its settings, flags and programs");
            findings.push(Finding::new(path, line, RULE, advice));
        }
    }
    findings
}

/// Returns the first command-line flag in a literal, such as `--config`.
fn flag(literal: &str) -> Option<String> {
    let words = literal.split(|c: char| c.is_whitespace() || "`'\"(),;:=".contains(c));
    let is_flag = |word: &&str| {
        word.strip_prefix("--").is_some_and(|name| {
            name.len() > 1
                && name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        })
    };
    words.into_iter().find(is_flag).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn settings_flags_and_binaries_in_literals_are_found() {
        let text = "//! `PASSBOOK_LOG`\nconst A: &str = \"set PASSBOOK_LOG\";\nconst B: &str = \"run `x --replace`\";\n\
                    const C: &str = \"passbook-admin\";\nconst D: &str = \"a -- b, --, ---\";\n";
        let advice = |name: &str| {
            format!("library-text: remove `{name}`: let the binary name its settings, flags and programs")
        };
        assert_eq!(
            lines(&check_file("crates/a/src/b.rs", text)),
            [
                format!("crates/a/src/b.rs:2: {}", advice("PASSBOOK_")),
                format!("crates/a/src/b.rs:3: {}", advice("--replace")),
                format!("crates/a/src/b.rs:4: {}", advice("passbook-admin")),
            ]
        );
    }

    #[test]
    fn flags_of_other_programs_are_exceptions() {
        let text = "const A: &str = \"--auth\";\n";
        assert_eq!(check_file("crates/embedded/src/a.rs", text), []);
        assert_eq!(check_file("crates/store/src/a.rs", text).len(), 1);
    }

    #[test]
    fn settings_crate_and_tests_may_name_settings() {
        let text = "const A: &str = \"PASSBOOK_LOG\";\n";
        let paths = ["crates/settings/src/a.rs", "crates/a/tests/it/b.rs", "crates/a/src/b/tests.rs"];
        assert_eq!(check(&Tree::of(&paths.map(|path| (path, text)))), []);
    }
}
