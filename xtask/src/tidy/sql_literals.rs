//! Finds SQL in the Rust files of the serving crates.
//!
//! Every query is a file of `crates/store/sql`, where [`super::queries`] checks it. `alter role` and `grant` are not
//! searched for: the start-up check prints such statements for the operator and never executes them.

use super::Finding;
use super::edges::SERVING;
use crate::rust_text::RustText;
use crate::tree::Tree;

const RULE: &str = "sql-in-rust";

/// The first word of each kind of statement, and words of which one must follow. A literal matches in lower case or all
/// in capitals: a sentence of prose starts with one capital.
const STATEMENTS: [(&str, &[&str]); 16] = [
    ("begin", &[]),
    ("call", &["("]),
    ("commit", &[]),
    ("copy", &[" from ", " to "]),
    ("create", &[" table ", " view ", " index ", " role ", " schema ", " function "]),
    ("delete from", &[]),
    ("drop", &[" table ", " view ", " index ", " role ", " schema ", " function "]),
    ("insert into", &[]),
    ("merge into", &[]),
    ("rollback", &[]),
    ("select", &[]),
    ("set", &[" to ", " = "]),
    ("start transaction", &[]),
    ("truncate", &[]),
    ("update", &[" set "]),
    ("with", &[" as ("]),
];

/// Exceptions: the file, the start of the statement, and the reason.
const EXCEPTIONS: [(&str, &str, &str); 9] = [
    ("crates/store/src/check.rs", "begin", "the name of the statement in an error"),
    ("crates/store/src/check.rs", "commit", "the name of the statement in an error"),
    ("crates/store/src/check/objects.rs", "drop", "a remedy, which the operator executes"),
    ("crates/store/src/transaction.rs", "begin", "opens the read-only transaction; not a query"),
    ("crates/store/src/transaction.rs", "commit", "ends the read-only transaction; not a query"),
    ("crates/store/src/transaction.rs", "set", "changes the names that PostgreSQL prints; not a query"),
    ("crates/store/src/snapshot.rs", "begin", "the name of the statement in an error"),
    ("crates/store/src/session.rs", "begin", "the name of the statement in an error"),
    ("crates/store/src/session.rs", "commit", "the name of the statement in an error"),
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let serving = SERVING.iter().map(|name| format!("crates/{name}/"));
    let serving: Vec<String> = serving.collect();
    let files = tree
        .texts_in("crates/", ".rs")
        .filter(|(path, _)| serving.iter().any(|folder| path.starts_with(folder)));
    files.flat_map(|(path, text)| check_file(path, text)).collect()
}

fn check_file(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, literal) in RustText::of(text).literals {
        let Some(statement) = statement(&literal) else { continue };
        if !EXCEPTIONS.iter().any(|(file, exempt, _)| *file == path && *exempt == statement) {
            findings.push(Finding::new(
                path,
                line,
                RULE,
                format!("move `{statement} …` to a file in crates/store/sql"),
            ));
        }
    }
    findings
}

/// Returns the start of the SQL statement that a literal contains; `None` if it contains none.
fn statement(literal: &str) -> Option<&'static str> {
    let text = literal.split_whitespace().collect::<Vec<_>>().join(" ");
    let lower = text.to_lowercase();
    let begins = |start: &str| {
        let first =
            text.get(..start.len()).is_some_and(|first| first == start || first == start.to_uppercase());
        first && !lower[start.len()..].starts_with(|c: char| c.is_alphanumeric() || "_-:,.".contains(c))
    };
    let found = STATEMENTS.iter().find(|(start, also)| {
        begins(start) && (also.is_empty() || also.iter().any(|also| lower.contains(also)))
    });
    let contains_select = lower.contains(" select ") && lower.contains(" from ");
    found.map(|(start, _)| *start).or(contains_select.then_some("select"))
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn sql_statement_in_rust_is_found() {
        let text = "//! select it\nconst A: &str = \"select 1\";\nconst B: &str = r\"\n  INSERT INTO t values (1)\";\n";
        assert_eq!(
            lines(&check_file("crates/store/src/a.rs", text)),
            [
                "crates/store/src/a.rs:2: sql-in-rust: move `select …` to a file in crates/store/sql",
                "crates/store/src/a.rs:3: sql-in-rust: move `insert into …` to a file in crates/store/sql",
            ]
        );
    }

    #[test]
    fn prose_and_single_words_are_not_statements() {
        for prose in [
            "With the user's name, as (stated) here",
            "Select a range",
            "selected",
            "set-cookie",
            "with",
            "update",
            "set",
        ] {
            assert_eq!(statement(prose), None, "{prose}");
        }
        assert_eq!(statement("explain select a from t"), Some("select"));
        assert_eq!(statement("with a as (select 1) select * from a"), Some("with"));
    }

    #[test]
    fn only_one_file_opens_a_transaction() {
        let text = "const BEGIN: &str = \"begin read only\";\n";
        assert_eq!(check_file("crates/store/src/transaction.rs", text), []);
        assert_eq!(check_file("crates/store/src/pool.rs", text).len(), 1);
        let tree = Tree::of(&[("crates/ingest/src/a.rs", text), ("crates/rest/src/a.rs", text)]);
        assert_eq!(check(&tree).len(), 1);
    }
}
