//! Checks the SQL files of the store: each file contains one `select` with a comment and reads the rows of one user,
//! and the store lists each file.
//!
//! The database role and the session enforce read-only access too. This rule finds a writing statement before it runs.

use std::collections::BTreeSet;

use super::Finding;
use super::sql::Sql;
use crate::rust_text::RustText;
use crate::tree::Tree;

const FOLDER: &str = "crates/store/sql/";
/// Path of the file that lists the queries by name.
const LIST: &str = "crates/store/src/query.rs";

/// Names of queries that need no condition `user_id = $1`, each with the reason.
const WITHOUT_USER: [(&str, &str); 11] = [
    ("check_connection", "readiness check: reads no table"),
    ("check_grants", "start-up check: reads the definition of the view `grants`"),
    ("check_objects", "start-up check: lists the objects of the schema"),
    ("check_policies", "start-up check: reads the row-level security policies"),
    ("check_role", "start-up check: reads the server's own role"),
    ("check_row_security", "start-up check: reads the state of row-level security"),
    ("check_version", "start-up check: reads the schema version"),
    ("check_visibility", "start-up check: expects no rows without a user"),
    ("find_personal_access_token", "finds the user of a token"),
    ("host_position", "reads the role and the position of a host"),
    ("open_session", "sets the user for row-level security"),
];

/// Keywords of statements that write, lock or change the session.
const FORBIDDEN: [&str; 24] = [
    "alter",
    "begin",
    "call",
    "commit",
    "copy",
    "create",
    "delete",
    "do",
    "drop",
    "execute",
    "grant",
    "insert",
    "into",
    "lock",
    "merge",
    "nextval",
    "notify",
    "revoke",
    "rollback",
    "set",
    "set_config",
    "setval",
    "truncate",
    "update",
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let listed = tree.text(LIST).map(listed).unwrap_or_default();
    let mut found = BTreeSet::new();
    for (path, text) in tree.texts_in(FOLDER, ".sql") {
        let name = path.trim_start_matches(FOLDER).trim_end_matches(".sql");
        found.insert(name.to_owned());
        findings.extend(check_file(path, name, text));
        if !listed.iter().any(|(_, listed)| listed == name) {
            findings.push(Finding::new(path, 1, "unlisted-query", format!("list `{name}` in {LIST}")));
        }
    }
    for (line, name) in listed.iter().filter(|(_, name)| !found.contains(name)) {
        findings.push(Finding::new(
            LIST,
            *line,
            "unlisted-query",
            format!("add {FOLDER}{name}.sql, or remove the entry"),
        ));
    }
    findings
}

/// Returns the line number and name of each `CONSTANT = "name";` in a list of queries.
fn listed(text: &str) -> Vec<(usize, String)> {
    let layers = RustText::of(text);
    let code: Vec<&str> = layers.code.lines().collect();
    let is_entry = |line: &str| line.split_once('=').is_some_and(|(_, value)| value.trim() == ";");
    layers
        .literals
        .into_iter()
        .filter(|(line, _)| code.get(line - 1).is_some_and(|line| is_entry(line)))
        .collect()
}

fn check_file(path: &str, name: &str, text: &str) -> Vec<Finding> {
    let sql = Sql::of(text);
    let mut findings = Vec::new();
    let mut add = |line, rule, advice: String| findings.push(Finding::new(path, line, rule, advice));
    if !starts_with_a_sentence(text) {
        add(1, "query-comment", "start with a `-- ` sentence that describes the result".to_owned());
    }
    if !matches!(sql.words.first(), Some((_, word)) if word == "select" || word == "with") {
        add(1, "query-select", "start the query with `select` or `with … select`".to_owned());
    }
    for (index, (line, word)) in sql.words.iter().enumerate() {
        let lower = word.to_lowercase();
        let locks = lower == "for" && sql.words.get(index + 1).is_some_and(|(_, next)| is_lock(next));
        if FORBIDDEN.contains(&lower.as_str()) || locks {
            add(*line, "query-select", format!("remove `{word}`: a query only reads"));
        } else if word == ";" {
            add(*line, "query-select", "write one statement, without a semicolon".to_owned());
        } else if *word != lower {
            add(*line, "query-case", format!("write `{lower}` in lower case"));
        }
    }
    if !sql.restricts_to_user() && !WITHOUT_USER.iter().any(|(exempt, _)| *exempt == name) {
        add(1, "query-user", "restrict every row by `user_id = $1` in a `where`".to_owned());
    }
    for advice in parameters(&sql) {
        add(1, "query-parameters", advice);
    }
    findings
}

fn is_lock(word: &str) -> bool {
    ["update", "share", "no", "key"].contains(&word.to_lowercase().as_str())
}

/// Returns true if the comment at the start of the SQL file starts with a capital letter and ends with a full stop. The
/// lines that describe parameters (`-- $1 …`) are not part of it.
fn starts_with_a_sentence(text: &str) -> bool {
    let comment =
        text.lines().map_while(|line| line.strip_prefix("-- ")).take_while(|line| !line.starts_with('$'));
    let sentence = comment.collect::<Vec<_>>().join(" ");
    sentence.starts_with(char::is_uppercase) && sentence.ends_with('.')
}

/// Returns a remedy for each problem with the parameters: their numbers must have no gap, and a comment must describe
/// each.
fn parameters(sql: &Sql) -> Vec<String> {
    let numbers = |text: &str| -> Vec<usize> {
        let parts = text.split('$').skip(1);
        parts.filter_map(|part| part.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()).collect()
    };
    let used: BTreeSet<usize> = sql.words.iter().flat_map(|(_, word)| numbers(word)).collect();
    let described: BTreeSet<usize> = sql.comments.iter().flat_map(|comment| numbers(comment)).collect();
    let last = used.last().copied().unwrap_or(0);
    let skipped = (1..=last)
        .filter(|number| !used.contains(number))
        .map(|number| format!("use ${number}, or renumber"));
    let undescribed = used.difference(&described).map(|number| format!("describe ${number} in a comment"));
    let stale = described.difference(&used).filter(|number| **number > last);
    let stale = stale.map(|number| format!("remove ${number} from the comment: the query does not use it"));
    skipped.chain(undescribed).chain(stale).collect()
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    fn findings(text: &str) -> Vec<String> {
        lines(&check_file("q.sql", "q", text))
    }

    #[test]
    fn valid_query_has_no_finding() {
        let text = "-- One user's rows, but not the \"set\".\n-- $1 user id, $2 word\nselect 'update' from t where t.user_id = $1 and a = $2\n";
        assert_eq!(findings(text), [""; 0]);
    }

    #[test]
    fn query_without_a_describing_sentence_is_found() {
        let expected = ["q.sql:1: query-comment: start with a `-- ` sentence that describes the result"];
        assert_eq!(findings("select 1 from t where user_id = $1 -- $1 user id\n"), expected);
        assert_eq!(findings("-- rows\n-- $1 user id\nselect 1 from t where user_id = $1\n"), expected);
    }

    #[test]
    fn writing_and_locking_statements_are_found() {
        let text = "-- Rows.\n-- $1 user id\nwith a as (delete from t where user_id = $1 returning b)\nselect b from a for update;\n";
        assert_eq!(
            findings(text),
            [
                "q.sql:3: query-select: remove `delete`: a query only reads",
                "q.sql:4: query-select: remove `for`: a query only reads",
                "q.sql:4: query-select: remove `update`: a query only reads",
                "q.sql:4: query-select: write one statement, without a semicolon",
            ]
        );
        let text = "-- Rows.\n-- $1 user id\ntable t\n";
        assert!(
            findings(text).contains(
                &"q.sql:1: query-select: start the query with `select` or `with … select`".to_owned()
            )
        );
    }

    #[test]
    fn query_without_the_user_condition_is_found() {
        let text = "-- Rows of everybody.\nselect a from t\n";
        assert_eq!(
            findings(text),
            ["q.sql:1: query-user: restrict every row by `user_id = $1` in a `where`"]
        );
        assert_eq!(check_file("q.sql", "check_role", text), []);
    }

    #[test]
    fn unused_and_undescribed_parameters_are_found() {
        let text = "-- Rows.\n-- $1 user id, $5 text\nselect a from t where user_id = $1 and b = $3\n";
        assert_eq!(
            findings(text),
            [
                "q.sql:1: query-parameters: use $2, or renumber",
                "q.sql:1: query-parameters: describe $3 in a comment",
                "q.sql:1: query-parameters: remove $5 from the comment: the query does not use it",
            ]
        );
    }

    #[test]
    fn keywords_in_capitals_are_found() {
        let text = "-- Rows.\n-- $1 user id\nSELECT \"A\" from t where user_id = $1\n";
        assert!(findings(text).contains(&"q.sql:3: query-case: write `select` in lower case".to_owned()));
    }

    #[test]
    fn list_and_folder_must_agree() {
        let list =
            "//! Queries.\nqueries! {\n    A = \"a\";\n    B = \"b\";\n}\nconst X: &str = \"x\".trim();\n";
        let a = "-- Rows.\n-- $1 user id\nselect 1 from t where user_id = $1\n";
        let tree = Tree::of(&[(LIST, list), ("crates/store/sql/a.sql", a), ("crates/store/sql/c.sql", a)]);
        assert_eq!(
            lines(&check(&tree)),
            [
                "crates/store/sql/c.sql:1: unlisted-query: list `c` in crates/store/src/query.rs",
                "crates/store/src/query.rs:4: unlisted-query: add crates/store/sql/b.sql, or remove the entry",
            ]
        );
    }
}
