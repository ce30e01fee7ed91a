//! Checks the SQL files of the store: each file contains one `select` with a comment and reads the rows of one user, and the
//! store lists each file. Also checks all SQL files: names have a schema, and joins of personal rows compare `user_id`.
//!
//! The database role and the session enforce read-only access too. This rule finds a writing statement before it runs.
//! `tests/it/isolation` proves that each condition `user_id = $1` is necessary.
//!
//! A join on `user_id` uses keys that start with `user_id`, and it still works if the tables are distributed over servers by
//! user. `tests/it/database/stored_rows.rs` checks the keys and indexes.

use std::collections::BTreeSet;

use super::sql::Sql;
use super::{Finding, regex};
use crate::repository::Tree;

const STORE: &str = "crates/store/sql/";
const INGEST: &str = "crates/ingest/sql/";
const SCHEMA: &str = "crates/schema/sql/";
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
const FORBIDDEN: &str = "alter begin call commit copy create delete do drop execute grant insert into lock merge nextval \
                         notify revoke rollback set set_config setval truncate update";

/// Relations and functions without a column `user_id`, each with the reason.
const SHARED: [(&str, &str); 7] = [
    ("categories", "the closed list of categories"),
    ("exchange_rates", "published rates"),
    ("base_currency", "the base of the published rates"),
    ("time_zones", "the names of time zones"),
    ("migrations", "the applied migrations"),
    ("oauth_clients", "a client may serve several users; its owner has another column"),
    ("split_range", "a function that returns days, months and years"),
];

/// Joins whose condition is in the `where` of the same query: the file, the joined relation, and the reason.
const CONDITION_IN_WHERE: [(&str, &str, &str); 1] = [(
    "crates/store/sql/recurring_payments.sql",
    "transactions",
    "the other side of the join is a single day; the `where` has `user_id = $1`",
)];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let list = tree.text(LIST).unwrap_or_default();
    for (path, text) in [STORE, INGEST, SCHEMA].into_iter().flat_map(|folder| tree.texts_in(folder, ".sql")) {
        let sql = Sql::of(text);
        findings.extend(joins(path, &sql));
        if !path.starts_with(SCHEMA) {
            findings.extend(unqualified(path, &sql));
        }
        if let Some(name) = path.strip_prefix(STORE) {
            let name = name.trim_end_matches(".sql");
            findings.extend(query(path, name, text, &sql));
            if !list.contains(&format!(" = \"{name}\";")) {
                findings.push(Finding::new(path, 1, "unlisted-query", format!("list `{name}` in {LIST}")));
            }
        }
    }
    findings
}

/// Checks a query of the store.
fn query(path: &str, name: &str, text: &str, sql: &Sql) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add = |line, rule, advice: &str| findings.push(Finding::new(path, line, rule, advice));
    if !text.starts_with("-- ") {
        add(1, "query-comment", "start with a comment that describes the result");
    }
    let words = sql.plain_words();
    if !matches!(words.first(), Some(&("select" | "with"))) {
        add(1, "query-select", "start the query with `select` or `with … select`");
    }
    for (at, (line, word)) in sql.words.iter().enumerate() {
        let locks = word == "for" && matches!(words.get(at + 1), Some(&("update" | "share" | "no" | "key")));
        if locks || word == ";" || FORBIDDEN.split_whitespace().any(|forbidden| forbidden == word) {
            add(*line, "query-select", &format!("remove `{word}`: a query is one statement that only reads"));
        }
    }
    if !sql.restricts_to_user() && !WITHOUT_USER.iter().any(|(exempt, _)| *exempt == name) {
        add(1, "query-user", "restrict every row by `user_id = $1` in a `where`");
    }
    let comments: String = sql.comments.iter().map(|(_, comment)| format!("{comment} ")).collect();
    let parameters: BTreeSet<&str> = words.iter().filter(|word| word.starts_with('$')).copied().collect();
    for parameter in parameters.iter().filter(|number| !comments.contains(&format!("{number} "))) {
        add(1, "query-parameters", &format!("describe {parameter} in a comment"));
    }
    findings
}

/// Finds relations after `from` and `join` without a schema: the search path of a session must not decide what is read.
/// Names of the query itself, functions and the catalogs of PostgreSQL need none.
fn unqualified(path: &str, sql: &Sql) -> Vec<Finding> {
    let text = sql.plain_words().join(" ");
    let mut findings = Vec::new();
    for found in regex(r"(distinct )?\b(?:from|join) ([a-z]\w*)(?: ([.(]))?").captures_iter(&text) {
        let (name, at) = (&found[2], found.get(2).map_or(0, |name| name.start()));
        let defined = regex(&format!(r"\b{name} (?:\( [^)]*\) )?as (?:not )?(?:materialized )?\("));
        let is_known = name.starts_with("pg_") || name == "lateral" || defined.is_match(&text);
        if found.get(1).is_none() && found.get(3).is_none() && !is_known {
            let line = sql.words[text[..at].matches(' ').count()].0;
            findings.push(Finding::new(path, line, "schema-name", format!("name the schema of `{name}`")));
        }
    }
    findings
}

/// Finds joins of personal rows that do not compare `user_id` first.
fn joins(path: &str, sql: &Sql) -> Vec<Finding> {
    let words = sql.plain_words();
    let joins = words.iter().enumerate().filter_map(|(at, word)| match words[at + 1..] {
        ["passbook" | "passbook_read", ".", relation, ..] if *word == "join" => Some((at, relation)),
        _ => None,
    });
    let exempt = |relation| {
        SHARED.iter().any(|(shared, _)| *shared == relation)
            || CONDITION_IN_WHERE.iter().any(|(file, joined, _)| *file == path && *joined == relation)
    };
    // A natural join compares `user_id` with all other columns.
    let is_natural = |at: usize| words[at.saturating_sub(2)..at].contains(&"natural");
    let found = joins.filter(|(at, relation)| {
        !exempt(*relation) && !is_natural(*at) && !compares_user_first(&words[at + 4..])
    });
    let advice = |relation| format!("start the condition of the join with {relation} by comparing `user_id`");
    found.map(|(at, name)| Finding::new(path, sql.words[at].0, "join-user", advice(name))).collect()
}

/// Returns true if the words after a joined relation are the arguments of a function, if it is one, an optional alias and
/// a condition that starts with a comparison of `user_id`: `on a.user_id = b.user_id …`, with `$1` or the parameter
/// `of_user`, or `using (user_id …`. No `or` may stand outside of brackets.
fn compares_user_first(after: &[&str]) -> bool {
    let arguments = if after.first() == Some(&"(") { length_in_brackets(after) } else { 0 };
    let after = after.get(arguments..).unwrap_or_default();
    let alias = match after {
        ["as", ..] => 2,
        ["on" | "using", ..] => 0,
        _ => 1,
    };
    match after.get(alias..) {
        Some(["using", "(", "user_id", ..]) => true,
        Some(["on", condition @ ..]) => {
            let compares = match condition {
                [left, ".", "user_id", "=", right, ".", "user_id", ..] => left != right,
                [_, ".", "user_id", "=", "$1" | "of_user", ..] => true,
                _ => false,
            };
            compares && !loosened(condition)
        }
        _ => false,
    }
}

/// Returns the number of words until the closing bracket of the first one.
fn length_in_brackets(words: &[&str]) -> usize {
    let mut depth = 0_usize;
    let closes = words.iter().position(|word| {
        depth = depth + usize::from(*word == "(") - usize::from(*word == ")");
        depth == 0
    });
    closes.map_or(words.len(), |at| at + 1)
}

/// Returns true if the condition contains `or` outside of brackets, before the next clause.
fn loosened(condition: &[&str]) -> bool {
    let mut at = 0;
    while let Some(word) = condition.get(at) {
        match *word {
            "(" => at += length_in_brackets(&condition[at..]),
            "or" => return true,
            ")" | "join" | "left" | "cross" | "where" | "group" | "order" | "union" | ";" => return false,
            _ => at += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    /// Returns the rules of the findings with their line numbers.
    fn rules(findings: &[Finding]) -> String {
        findings.iter().map(|found| format!("{}: {} ", found.line, found.rule)).collect()
    }

    #[test]
    fn each_rule_of_a_query_finds_its_violation() {
        let start = "-- One user's rows, but not the \"set\".\n-- $1 user id, $2 word\n";
        let own = "where t.user_id = $1";
        for (text, expected) in [
            (format!("{start}select 'update' from a.t {own} and b = $2"), ""),
            (format!("select b from a.t {own} -- $1 user id\n"), "1: query-comment "),
            (format!("{start}table a.t {own}"), "1: query-select "),
            (
                format!("{start}with x as (\ndelete from a.t {own} returning b) select b from x"),
                "4: query-select ",
            ),
            (format!("{start}select b from a.t {own} for update"), "3: query-select 3: query-select "),
            (format!("{start}select b from a.t {own};"), "3: query-select "),
            (format!("{start}select b from a.t {own} and c = $3"), "1: query-parameters "),
            (format!("{start}select b from a.t"), "1: query-user "),
        ] {
            assert_eq!(rules(&query("q.sql", "q", &text, &Sql::of(&text))), expected, "{text}");
        }
        assert_eq!(query("q.sql", "check_role", start, &Sql::of("-- A.\nselect 1")), []);
    }

    #[test]
    fn query_that_the_store_does_not_list_is_found() {
        let text = "-- Rows.\n-- $1 user id\nselect 1 from a.t where user_id = $1\n";
        let list = (LIST, "queries! {\n    A = \"a\";\n}\n");
        let tree = Tree::of(&[list, ("crates/store/sql/a.sql", text), ("crates/store/sql/c.sql", text)]);
        assert_eq!(lines(&check(&tree)), [format!("1: unlisted-query: list `c` in {LIST}")]);
    }

    #[test]
    fn relation_without_a_schema_is_found() {
        for (text, expected) in [
            ("with own as (select 1 from passbook.t) select a is distinct from b from own as o", ""),
            ("select from pg_class join unnest($1) as a on true cross join lateral (select 1) as b", ""),
            ("with own (a) as materialized (select 1) select 1 from own", ""),
            ("select 1 from t as u", "1: schema-name "),
            ("select 1 from passbook.t\njoin accounts on true", "2: schema-name "),
        ] {
            assert_eq!(rules(&unqualified("q.sql", &Sql::of(text))), expected, "{text}");
        }
    }

    #[test]
    fn joins_must_compare_the_user_first() {
        for (condition, is_found) in [
            ("join passbook.accounts as a on a.user_id = t.user_id and (a.b or a.c)", false),
            ("left join passbook.accounts on accounts.user_id = t.user_id where x or y", false),
            ("join passbook.accounts using (user_id, account_id)", false),
            ("join passbook_read.people as p on p.user_id = $1", false),
            ("join passbook_read.people as p on p.user_id = of_user", false),
            ("join passbook_read.days(first(), $2) as d on d.user_id = t.user_id", false),
            ("join passbook.categories using (category)", false),
            ("join pg_catalog.pg_class as c on c.oid = t.oid", false),
            ("join lateral (select 1) as x on true join own as o on o.a = t.a", false),
            ("join passbook.accounts as a on a.account_id = t.account_id", true),
            ("join passbook.accounts as a on a.account_id = t.account_id and a.user_id = t.user_id", true),
            ("join passbook.accounts as a on a.user_id = t.user_id or a.open", true),
            ("join passbook.accounts as a on a.user_id = a.user_id", true),
            ("join passbook.accounts using (account_id)", true),
            ("cross join passbook.accounts as a", true),
            ("join passbook.accounts as a on true", true),
            ("join passbook.accounts(first(), $2) as a on a.day = t.day", true),
        ] {
            let text =
                format!("create function f() as $$ select 1 from passbook.transactions as t\n{condition}$$");
            assert_eq!(!joins("q.sql", &Sql::of(&text)).is_empty(), is_found, "{condition}");
        }
    }
}
