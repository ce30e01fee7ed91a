//! Finds names of items and files that use a word for which the project has a term of the field.

use super::Finding;
use crate::rust_text::RustText;
use crate::tree::Tree;

const RULE: &str = "identifier";
const FOLDERS: [&str; 4] = ["crates/", "bins/", "xtask/", "tests/"];
/// Keywords that come before the name of an item.
const ITEMS: [&str; 11] =
    ["fn", "struct", "enum", "union", "trait", "type", "mod", "const", "static", "macro_rules", "macro"];

/// Words that must not be part of a name, and the term that replaces them.
const TERMS: [(&[&str], &str); 21] = [
    (&["question", "questions"], "query"),
    (&["ask", "asks", "asked", "asking", "asker"], "query, request or parameters"),
    (&["refusal", "refusals"], "HttpError, rejection or error response"),
    (&["wall", "walls", "walled"], "tenant isolation, row-level security or catch_panic"),
    (&["world", "worlds"], "configuration"),
    (&["mend", "mends", "mended"], "fix or remedy"),
    (&["kept"], "cached or stored"),
    (&["flight"], "single-flight request"),
    (&["standing"], "rate-limit status"),
    (&["told", "tell", "tells"], "returned, documented or the name of the status"),
    (&["unfinished"], "incomplete, or CancelOnDrop"),
    (&["lattice"], "due schedule"),
    (&["belief", "believed"], "confidence"),
    (&["heir", "heirs"], "primary stream"),
    (&["rhythm", "rhythms"], "cadence or schedule"),
    (&["twin", "twins"], "tenant pair"),
    (&["said", "say", "says"], "printed, documented or returned"),
    (&["fitness"], "compatibility check"),
    (&["home", "house", "room"], "crate, module or file"),
    (&["worth"], "value"),
    (&["dice"], "random"),
];

/// Names that use such a word in its ordinary meaning, each with the reason.
const EXCEPTIONS: [(&str, &str); 6] = [
    ("Fitness", "a category of spending"),
    ("HOME", "the environment variable"),
    ("home", "the folder of a user of the operating system"),
    ("home_folder", "the folder of a user of the operating system"),
    ("single_flight", "the term of the field"),
    ("SingleFlight", "the term of the field"),
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for folder in FOLDERS {
        for (path, text) in tree.texts_in(folder, ".rs") {
            findings.extend(check_file(path, text));
        }
    }
    findings
}

fn check_file(path: &str, text: &str) -> Vec<Finding> {
    let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".rs");
    let names = std::iter::once((1, stem.to_owned())).chain(item_names(&RustText::of(text).code));
    names.filter_map(|(line, name)| Some(Finding::new(path, line, RULE, advice(&name)?))).collect()
}

/// Returns the line number and name of each item that the code defines.
fn item_names(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let mut words =
            line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            if ITEMS.contains(&word)
                && let Some(name) = words.next()
                && !ITEMS.contains(&name)
            {
                found.push((index + 1, name.to_owned()));
            }
        }
    }
    found
}

fn advice(name: &str) -> Option<String> {
    if EXCEPTIONS.iter().any(|(exempt, _)| *exempt == name) {
        return None;
    }
    parts(name).into_iter().find_map(|part| {
        let (_, term) = TERMS.iter().find(|(words, _)| words.contains(&part.as_str()))?;
        Some(format!("rename `{name}`: the project's word for `{part}` is {term}"))
    })
}

/// Returns the words of a name in `snake_case` or `CamelCase`, in lower case.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut after_lower = false;
    for c in name.chars() {
        if c == '_' || (c.is_uppercase() && after_lower) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| c != '_') {
            part.extend(c.to_lowercase());
        }
        after_lower = c.is_lowercase() || c.is_ascii_digit();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn names_of_items_and_files_are_checked_part_by_part() {
        let text = "mod b;\npub struct KeptDocument;\nconst fn limit() {}\nfn ask_again(kept: u8) { let told = 1; }\n\
                    const HOUSEHOLD: u8 = 1; // wall\n";
        assert_eq!(
            lines(&check_file("crates/a/src/questions.rs", text)),
            [
                "crates/a/src/questions.rs:1: identifier: rename `questions`: the project's word for `questions` is query",
                "crates/a/src/questions.rs:2: identifier: rename `KeptDocument`: the project's word for `kept` is cached or stored",
                "crates/a/src/questions.rs:4: identifier: rename `ask_again`: the project's word for `ask` is query, request or parameters",
            ]
        );
    }

    #[test]
    fn ordinary_meanings_are_exceptions() {
        assert_eq!(advice("SingleFlight"), None);
        assert_eq!(
            advice("Flight").as_deref(),
            Some("rename `Flight`: the project's word for `flight` is single-flight request")
        );
    }

    #[test]
    fn names_are_split_at_underscores_and_capitals() {
        assert_eq!(parts("TenantPair"), ["tenant", "pair"]);
        assert_eq!(parts("SECONDS_MAX"), ["seconds", "max"]);
        assert_eq!(parts("check_row2Policy"), ["check", "row2", "policy"]);
    }
}
