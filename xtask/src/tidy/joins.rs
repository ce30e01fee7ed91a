//! Finds joins of personal rows that do not compare `user_id` first.
//!
//! A join on `user_id` stays within the rows of one user. So it uses keys that start with `user_id`, and it still works
//! if the tables are distributed over servers by user. `tests/it/keys.rs` checks the keys and indexes.

use super::Finding;
use super::sql::Sql;
use crate::tree::Tree;

const RULE: &str = "join-user";
const FOLDERS: [&str; 3] = ["crates/schema/sql/", "crates/store/sql/", "crates/ingest/sql/"];
const SCHEMAS: [&str; 2] = ["passbook", "passbook_read"];

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
    let files = FOLDERS.iter().flat_map(|folder| tree.texts_in(folder, ".sql"));
    files.flat_map(|(path, text)| check_file(path, text)).collect()
}

fn check_file(path: &str, text: &str) -> Vec<Finding> {
    let sql = Sql::of(&in_plain_text(text));
    let words: Vec<&str> = sql.words.iter().map(|(_, word)| word.as_str()).collect();
    let mut findings = Vec::new();
    for (at, _) in words.iter().enumerate().filter(|(_, word)| word.eq_ignore_ascii_case("join")) {
        let [schema, ".", relation, ..] = words[at + 1..] else { continue };
        let exempt = SHARED.iter().any(|(shared, _)| *shared == relation)
            || CONDITION_IN_WHERE.iter().any(|(file, joined, _)| *file == path && *joined == relation);
        if SCHEMAS.contains(&schema) && !exempt && !compares_user_first(&words[at + 4..]) {
            let advice = format!("start the condition of the join with {relation} by comparing `user_id`");
            findings.push(Finding::new(path, sql.words[at].0, RULE, advice));
        }
    }
    findings
}

/// Returns true if the words after a joined relation are the arguments of a function, if it is one, an optional alias and
/// a condition that starts with a comparison of `user_id`: `on a.user_id = b.user_id …`, with `$1` or the parameter
/// `of_user`, or `using (user_id …`. No `or` may stand outside of brackets.
fn compares_user_first(after: &[&str]) -> bool {
    let after = after_arguments(after);
    let alias = match after {
        ["as", _, ..] => 2,
        ["on" | "using", ..] => 0,
        _ => 1,
    };
    match after.get(alias..) {
        Some(["using", "(", "user_id", ..]) => true,
        Some(["on", condition @ ..]) => {
            let start = condition.iter().take_while(|word| !["and", "or"].contains(word));
            let start: Vec<&str> = start.copied().collect();
            let compares = matches!(start[..], [left, ".", "user_id", "=", right, ".", "user_id", ..] if left != right)
                || matches!(start[..], [_, ".", "user_id", "=", "$1" | "of_user", ..]);
            compares && !loosened(condition)
        }
        _ => false,
    }
}

/// Returns the words after the arguments of a function. Without arguments, returns all words.
fn after_arguments<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let mut depth = 0_i32;
    for (at, word) in words.iter().enumerate() {
        match *word {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &words[if *word == ")" { at + 1 } else { at }..];
        }
    }
    &[]
}

/// Returns true if the condition contains `or` outside of brackets, before the next clause.
fn loosened(condition: &[&str]) -> bool {
    let mut depth = 0_i32;
    for word in condition {
        match *word {
            "(" => depth += 1,
            ")" if depth == 0 => return false,
            ")" => depth -= 1,
            "or" if depth == 0 => return true,
            "join" | "left" | "cross" | "where" | "group" | "order" | "union" | ";" if depth == 0 => {
                return false;
            }
            _ => {}
        }
    }
    false
}

/// Removes the quotes around the bodies of functions (`$$`), so that their words are read like others.
fn in_plain_text(text: &str) -> String {
    text.replace("$$", " ; ")
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    fn findings(text: &str) -> Vec<String> {
        lines(&check_file("q.sql", text))
    }

    #[test]
    fn joins_that_compare_user_first_have_no_finding() {
        for condition in [
            "join passbook.accounts as a on a.user_id = t.user_id and (a.b or a.c)",
            "left join passbook.accounts on accounts.user_id = t.user_id where x or y",
            "join passbook.accounts using (user_id, account_id)",
            "join passbook_read.people as p on p.user_id = $1",
            "join passbook_read.people as p on p.user_id = of_user",
            "join passbook_read.days(first(), $2) as d on d.user_id = t.user_id",
            "join passbook.categories using (category)",
            "join pg_catalog.pg_class as c on c.oid = t.oid",
            "join lateral (select 1) as x on true join own as o on o.a = t.a",
        ] {
            assert_eq!(findings(&format!("select 1 from passbook.transactions as t {condition}")), [""; 0]);
        }
    }

    #[test]
    fn joins_without_user_are_found() {
        let expected =
            ["q.sql:2: join-user: start the condition of the join with accounts by comparing `user_id`"];
        for condition in [
            "join passbook.accounts as a on a.account_id = t.account_id",
            "join passbook.accounts as a on a.account_id = t.account_id and a.user_id = t.user_id",
            "join passbook.accounts as a on a.user_id = t.user_id or a.open",
            "join passbook.accounts as a on a.user_id = a.user_id",
            "join passbook.accounts using (account_id)",
            "cross join passbook.accounts as a",
            "join passbook.accounts as a on true",
            "join passbook.accounts(first(), $2) as a on a.day = t.day",
        ] {
            let text = format!(
                "create function f() language sql as $$ select 1 from passbook.transactions as t\n{condition} $$"
            );
            assert_eq!(findings(&text), expected, "{condition}");
        }
    }
}
