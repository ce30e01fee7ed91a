//! Finds text that must not stand in a file, or in one part of it: a table of patterns. Also finds source files that are too
//! long or have no header.

use super::{Finding, regex};
use crate::repository::Tree;
use crate::rust_text::RustText;

/// The part of a file in which a rule searches. Only the text of a Rust file has parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Text,
    Code,
    Comments,
    Literals,
}

/// A pattern that must not occur.
struct Rule {
    name: &'static str,
    /// Patterns of the paths to which the rule applies, and of those among them to which it does not.
    paths: [&'static str; 2],
    part: Part,
    pattern: &'static str,
    advice: &'static str,
    /// The starts of a path and of the matched texts, and the reason.
    exceptions: &'static [(&'static str, &'static str, &'static str)],
}

/// The values of a rule that searches in every line of every file.
const RULE: Rule =
    Rule { name: "", paths: ["", ""], part: Part::Text, pattern: "", advice: "", exceptions: &[] };

const RULES: [Rule; 8] = [
    Rule {
        name: "machine-path",
        // A longer name, a relative path or a URL that contains the folder does not count.
        pattern: r"(?:^|[^\w.}/~-])(/work|/root|/opt/wheels)(?:[^\w.-]|$)",
        advice: "name a path from the repository or from a setting: this folder exists on one machine only",
        exceptions: &[("crates/embedded/src/account.rs", "/root", "a test parses a password file")],
        ..RULE
    },
    Rule {
        name: "registry-host",
        paths: ["", r"(^|/)Cargo\.lock$"],
        pattern: r"(crates\.io|npmjs\.(?:org|com)|pypi\.org|pythonhosted\.org|proxy\.golang\.org)",
        advice: "remove the host: the configuration of the package client names the registry",
        ..RULE
    },
    Rule {
        name: "unfinished",
        part: Part::Comments,
        pattern: r"(?:^|[^\w-])(?:TODO(?:[^\w(-]|-[^a-z]|-?$)|(?:FIXME|XXX)(?:\W|$))",
        advice: "finish it, or add an owner, as in `(name)`, or a kind, as in `-coverage`",
        ..RULE
    },
    Rule {
        name: "comment-opening",
        paths: [r"\.rs$", ""],
        part: Part::Comments,
        // A wrapped line that starts with such a word by chance is reflowed.
        pattern: r"^\s*//[/!] ?(What|Whether|Which|Who|Whom|How|That|Where)\b",
        advice: "start with a noun or a verb, such as \"Returns …\"",
        ..RULE
    },
    Rule {
        name: "ignored-test",
        paths: [r"\.rs$", ""],
        part: Part::Code,
        pattern: r"^\s*#\[ignore\b",
        advice: "fix the test or remove it",
        ..RULE
    },
    // clippy knows no method that is disallowed in tests only.
    Rule {
        name: "sleep",
        paths: [r"(^|/)tests(/.*)?\.rs$", ""],
        part: Part::Code,
        pattern: r"\bsleep(_until)?\b",
        advice: "wait for the event itself, with a timeout",
        ..RULE
    },
    // A host that embeds a library has other settings and another program name. The binary translates errors.
    Rule {
        name: "library-text",
        paths: [r"^crates/.*\.rs$", r"^crates/settings/|/tests(/.*)?\.rs$"],
        part: Part::Literals,
        pattern: r#"PASSBOOK_|passbook-server|passbook-admin|(?:^|[\s`'"(),;:=])(--[a-z][A-Za-z0-9-]+)(?:$|[\s`'"(),;:=])"#,
        advice: "let the binary name its settings, flags and programs",
        exceptions: &[("crates/embedded/src/", "--", "the flags of PostgreSQL's programs and of npm")],
    },
    // A literal matches in lower case or all in capitals: a sentence of prose starts with one capital. `alter role` and
    // `grant` are not searched for: the start-up check prints such statements for the operator and never executes them.
    Rule {
        name: "sql-in-rust",
        paths: [r"^crates/.*\.rs$", r"^crates/(demo|embedded|ingest|schema|settings)/"],
        part: Part::Literals,
        pattern: r"(?x) ^(?: (?:begin|commit|rollback|select|truncate|delete\ from|insert\ into|merge\ into|start\ transaction)(?:[^\w:,.-]|$)
            | call\ .*\( | copy\ .*\ (?:from|to)\  | update\ .*\ set\  | set\ .*(?:\ to\ |\ =\ ) | with\ .*\ as\ \(
            | (?:create|drop)\ .*\b(?:table|view|index|role|schema|function)\  ) | \ select\ .*\ from\ ",
        advice: "move the statement to a file in crates/store/sql",
        exceptions: &[
            (
                "crates/store/src/check.rs",
                "begin commit set",
                "the names of the statements in an error; not a query",
            ),
            ("crates/store/src/check/objects.rs", "drop", "a remedy, which the operator executes"),
            ("crates/store/src/connection.rs", "begin commit", "the read-only transaction; not a query"),
            ("crates/store/src/read.rs", "begin commit", "the names of the statements in an error"),
        ],
    },
];

/// The maximum number of lines of a source file, and of a file of the schema, which has all objects of one subject.
const LINES_MAX: [usize; 2] = [400, 600];
/// The path of this file, which contains the patterns.
const SELF: &str = "xtask/src/tidy/text_rules.rs";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let files = tree.texts().filter(|(path, _)| *path != SELF);
    let files: Vec<_> = files.map(|(path, text)| (path, text, layers(path, text))).collect();
    let mut findings: Vec<Finding> = files.iter().flat_map(|(path, text, _)| shape(path, text)).collect();
    for rule in &RULES {
        let [applies, except, pattern] = [rule.paths[0], rule.paths[1], rule.pattern].map(regex);
        let is_exempt = |path: &str| !rule.paths[1].is_empty() && except.is_match(path);
        let files = files.iter().filter(|(path, ..)| applies.is_match(path) && !is_exempt(path));
        for (path, text, layers) in files {
            let is_exception = |found: &str| {
                let of_file = rule.exceptions.iter().filter(|(start, ..)| path.starts_with(start));
                of_file.flat_map(|(_, texts, _)| texts.split(' ')).any(|text| found.starts_with(text))
            };
            for (line, part) in rule.parts(text, layers) {
                let found = pattern.captures_iter(&part).filter_map(|found| found.iter().flatten().last());
                if let Some(found) =
                    found.map(|found| found.as_str().trim()).find(|found| !is_exception(found))
                {
                    findings.push(Finding::new(path, line, rule.name, format!("`{found}`: {}", rule.advice)));
                }
            }
        }
    }
    findings
}

/// Returns the parts of a Rust file. The whole text of another file counts as each part.
fn layers(path: &str, text: &str) -> RustText {
    if path.ends_with(".rs") {
        RustText::of(text)
    } else {
        RustText { comments: text.to_owned(), ..RustText::default() }
    }
}

impl Rule {
    /// Returns the texts in which the rule searches, with their line numbers: lines, or literals on one line in which
    /// capitals at the start are small.
    fn parts(&self, text: &str, layers: &RustText) -> Vec<(usize, String)> {
        let lines = |text: &str| (1..).zip(text.lines().map(str::to_owned)).collect();
        match self.part {
            Part::Text => lines(text),
            Part::Code => lines(&layers.code),
            Part::Comments => lines(&layers.comments),
            Part::Literals => {
                let in_line = |literal: &str| {
                    let words = literal.split_whitespace().collect::<Vec<_>>().join(" ");
                    let is_statement = words.bytes().take(2).all(|byte| byte.is_ascii_uppercase());
                    if is_statement { words.to_lowercase() } else { words }
                };
                layers.literals.iter().map(|(line, literal)| (*line, in_line(literal))).collect()
            }
        }
    }
}

/// Checks the header and the length of a source file.
fn shape(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    if path.ends_with(".rs") && !text.starts_with("//! ") {
        let advice = "start with a `//!` line that describes the content of the file";
        findings.push(Finding::new(path, 1, "header", advice));
    }
    let limit = LINES_MAX[usize::from(path.starts_with("crates/schema/sql/"))];
    let count = text.lines().count();
    if [".rs", ".sql", ".py"].iter().any(|end| path.ends_with(end)) && count > limit {
        let advice = format!("split the file: it has {count} lines; the limit is {limit}");
        findings.push(Finding::new(path, limit + 1, "length", advice));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_finds_its_violation_and_nothing_else() {
        let (lib, long) = ("crates/a/src/b.rs", "x\n".repeat(401));
        for (path, text, rules) in [
            ("a.md", "see a/work/b, /working, https://a.example/work/b", ""),
            ("a.md", "cd /work/main", "machine-path"),
            ("a.rs", "//! A.\nlet a = \"/root\";", "machine-path"),
            ("crates/embedded/src/account.rs", "//! A.\nlet a = \"/root\";", ""),
            ("a.toml", "source = \"https://crates.io/a\"", "registry-host"),
            ("a/Cargo.lock", "source = \"https://crates.io/a\"", ""),
            ("a.md", "TODO: all", "unfinished"),
            ("a.rs", "//! A.\n// FIXME", "unfinished"),
            ("a.rs", "//! A.\nlet a = \"TODO\"; // TODO(ada) TODO-coverage", ""),
            ("a.md", "METHODTODO sha512-TODOx", ""),
            ("a.rs", "//! Which files.\n/// Whether.", "comment-opening comment-opening"),
            ("a.rs", "//! A.\n/// Whatever comes.\n// What else", ""),
            ("a.rs", "//! A.\n#[ignore = \"slow\"]", "ignored-test"),
            ("tests/it/a.rs", "//! A.\ntime::sleep(1)", "sleep"),
            ("crates/a/src/tests.rs", "//! A.\nsleep_until(1)", "sleep"),
            (lib, "//! A.\nsleep(1) // sleep", ""),
            (lib, "//! `PASSBOOK_LOG`\nf(\"set PASSBOOK_LOG\")", "library-text"),
            (lib, "//! A.\nf(\"run `x --replace`\", \"passbook-admin\")", "library-text library-text"),
            (lib, "//! A.\nf(\"a -- b, --, ---\")", ""),
            ("crates/embedded/src/a.rs", "//! A.\nf(\"--auth\", \"passbook-admin\")", "library-text"),
            ("crates/settings/src/a.rs", "//! A.\nf(\"PASSBOOK_LOG\")", ""),
            ("crates/a/src/b/tests.rs", "//! A.\nf(\"PASSBOOK_LOG\")", ""),
            (lib, "//! select\nf(\"select 1\", \"INSERT INTO\n t values (1)\")", "sql-in-rust sql-in-rust"),
            (lib, "//! A.\nf(\"explain select a from t\", \"with a as (b\")", "sql-in-rust sql-in-rust"),
            (lib, "//! A.\nf(\"With the name, as (stated)\", \"Select a range\", \"selected\")", ""),
            (lib, "//! A.\nf(\"set-cookie\", \"with\", \"update\", \"set\")", ""),
            ("crates/store/src/connection.rs", "//! A.\nf(\"begin read only\")", ""),
            ("crates/store/src/store.rs", "//! A.\nf(\"begin read only\")", "sql-in-rust"),
            ("crates/ingest/src/a.rs", "//! A.\nf(\"begin read only\")", ""),
            ("a.rs", "use std::fmt;\n", "header"),
            ("a.sql", &long, "length"),
            ("crates/schema/sql/80_functions.sql", &long, ""),
        ] {
            let findings = check(&Tree::of(&[(path, text)]));
            let found: Vec<&str> = findings.iter().map(|finding| finding.rule).collect();
            assert_eq!(found.join(" "), rules, "{path}: {text}");
        }
    }
}
