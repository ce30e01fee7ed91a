//! Finds words for which the project has a term of the field, in names, comments and documents.
//!
//! Names are all identifiers of Rust and SQL files, and the names of these files. Prose is the text of comments and of
//! Markdown, without code and link targets.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::sql::Sql;
use super::{Finding, regex};
use crate::repository::Tree;
use crate::rust_text::{RustText, words};

/// Words that must not be part of a name and not stand in prose, and the term that replaces them. `fitness` is missing: it
/// is also a category of spending.
const TERMS: [(&str, &str); 18] = [
    ("question, questions", "query"),
    ("asked", "requested, executed or parameters"),
    ("refusal, refusals", "HttpError, rejection or error response"),
    ("wall, walls, walled", "tenant isolation, row-level security or catch_panic"),
    ("world, worlds", "configuration"),
    ("mend, mends, mended", "fix or remedy"),
    ("kept", "cached, stored or unchanged"),
    ("flight", "single-flight request"),
    ("standing", "rate-limit status"),
    ("said, told", "returned, documented or the name of the status"),
    ("unfinished", "incomplete, or CancelOnDrop"),
    ("lattice, lattices", "due schedule"),
    ("belief, beliefs, believed", "confidence"),
    ("heir, heirs", "primary stream"),
    ("rhythm, rhythms", "cadence or schedule"),
    ("twin, twins", "tenant pair"),
    ("house, room, rooms", "crate, module or file"),
    ("taken back", "revoked"),
];

/// Words that must not be part of a name. In prose they are ordinary verbs and nouns.
const TERMS_OF_NAMES: [(&str, &str); 4] = [
    ("ask, asks, asking, asker", "query, request or parameters"),
    ("say, says, tell, tells", "returned, documented or the name of the status"),
    ("worth", "value"),
    ("dice", "random"),
];

/// Phrases that have an ordinary meaning, each with the reason. In a name, the words are its parts.
const ORDINARY: [(&str, &str); 9] = [
    ("asked for consent", "the task of an authorization server"),
    ("kept by hand", "without software"),
    ("net worth", "the term of the field"),
    ("open world hint", "a field of the Model Context Protocol"),
    ("question mark", "the character"),
    ("question word", "the grammar"),
    ("single flight", "the term of the field"),
    ("standing order", "the payment"),
    ("wall clock", "the term of the field"),
];

/// Files that use words in their ordinary meaning: the start of the path, the words, and the reason.
const ORDINARY_IN: [(&str, &str, &str); 1] = [(
    "tests/it/tools/assistant",
    "question, questions, ask, asked",
    "a person asks an assistant a question",
)];

/// Files that are not checked, each with the reason.
const UNCHECKED: [(&str, &str); 2] = [
    ("docs/changelog.md", "describes earlier versions"),
    ("xtask/src/tidy/vocabulary.rs", "contains the words"),
];

/// Texts with their line numbers.
type Lines = Vec<(usize, String)>;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let checked = tree.texts().filter(|(path, _)| !UNCHECKED.iter().any(|(unchecked, _)| path == unchecked));
    checked.flat_map(|(path, text)| check_file(path, text)).collect()
}

fn check_file(path: &str, text: &str) -> Vec<Finding> {
    let (names, prose): (Lines, Lines) = if path.ends_with(".rs") {
        let layers = RustText::of(text);
        let names = (1..).zip(layers.code.lines());
        let names = names.flat_map(|(line, code)| words(code).map(move |name| (line, name.to_owned())));
        (names.collect(), numbered(&layers.comments))
    } else if path.ends_with(".sql") {
        let sql = Sql::of(text);
        (sql.words, sql.comments)
    } else if path.ends_with(".md") {
        (Vec::new(), numbered(text))
    } else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    let mut add = |line, advice: String| findings.push(Finding::new(path, line, "vocabulary", advice));
    let stem = path.rsplit('/').next().and_then(|file| file.split('.').next()).unwrap_or_default().to_owned();
    let mut seen = BTreeSet::new();
    for (line, name) in std::iter::once((1, stem)).chain(names) {
        let is_new = seen.insert(name.clone());
        if let Some((word, term)) = is_new.then(|| forbidden(path, &name, true)).flatten() {
            add(line, format!("rename `{name}`: the project's word for `{word}` is {term}"));
        }
    }
    for (line, sentence) in without_code(prose) {
        if let Some((word, term)) = forbidden(path, &sentence, false) {
            add(line, format!("replace `{word}`: the project's word is {term}"));
        }
    }
    findings
}

/// Returns the lines of a text with their numbers, without the spaces at their starts.
fn numbered(text: &str) -> Lines {
    (1..).zip(text.lines()).map(|(line, text)| (line, text.trim_start().to_owned())).collect()
}

/// Removes code blocks, code between backticks and link targets.
fn without_code(lines: Lines) -> Lines {
    static CODE: LazyLock<Regex> = LazyLock::new(|| regex(r"`[^`]*`|\]\([^)]*\)"));
    let mut in_block = false;
    let mut prose = Vec::new();
    for (line, text) in lines {
        let is_fence = text.trim_start_matches(['/', '!', ' ']).starts_with("```");
        in_block ^= is_fence;
        if !in_block && !is_fence {
            prose.push((line, CODE.replace_all(&text, " code ").into_owned()));
        }
    }
    prose
}

/// Returns the words of a text or of a name in `snake_case` or `CamelCase`, in lower case, with a space around each.
fn parts(text: &str) -> String {
    let mut parts = " ".to_owned();
    let mut after_lower = false;
    for c in text.chars() {
        let is_gap = !c.is_alphanumeric() || (c.is_uppercase() && after_lower);
        if is_gap && !parts.ends_with(' ') {
            parts.push(' ');
        }
        parts.extend(c.to_lowercase().filter(|_| c.is_alphanumeric()));
        after_lower = c.is_lowercase() || c.is_ascii_digit();
    }
    parts + " "
}

/// Returns the first forbidden word of a text or a name, with the term that replaces it.
fn forbidden(path: &str, text: &str, in_name: bool) -> Option<(&'static str, &'static str)> {
    static ANY: LazyLock<Regex> = LazyLock::new(|| {
        let words: Vec<&str> = TERMS.iter().chain(&TERMS_OF_NAMES).map(|(words, _)| *words).collect();
        regex(&format!("(?i){}", words.join("|").replace(", ", "|").replace(' ', ".")))
    });
    let text = ANY.is_match(text).then(|| parts(text))?;
    let text = ORDINARY.iter().fold(text, |text, (phrase, _)| text.replace(&format!(" {phrase} "), " "));
    let exempt = ORDINARY_IN.iter().filter(|(start, ..)| path.starts_with(start));
    let exempt: Vec<&str> = exempt.flat_map(|(_, words, _)| words.split(", ")).collect();
    let of_names = TERMS_OF_NAMES.iter().filter(|_| in_name);
    TERMS.iter().chain(of_names).find_map(|(words, term)| {
        let mut words = words.split(", ").filter(|word| !exempt.contains(word));
        Some((words.find(|word| text.contains(&format!(" {word} ")))?, *term))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_names_and_prose() {
        for (path, text, expected) in [
            ("a.rs", "struct A { kept_max: u8 }\nfn askAgain() {}\n", "1 rename kept_max 2 rename askAgain"),
            ("a.rs", "fn f(NetWorth: u8, SingleFlight: u8) { let a = \"wall\"; }\n", ""),
            ("a.rs", "/// Asks for `kept`, on wall-clock time.\n/// ```\n/// kept\n/// ```\n", ""),
            ("a.rs", "let HOUSEHOLD: u8 = 1; // a household is told\n", "1 replace told"),
            (
                "b/questions.sql",
                "-- Rows kept.\nselect asks.a\n",
                "1 rename questions 2 rename asks 1 replace kept",
            ),
            ("a.md", "[A](kept.md) token\n```\nkept\n```\nIt was taken back.\n", "5 replace taken back"),
            ("tests/it/tools/assistant.rs", "// The question asked.\nlet kept = 1;", "2 rename kept"),
            ("a.toml", "kept = 1\n", ""),
        ] {
            let words = |found: &Finding| found.advice.split(':').next().unwrap_or_default().replace('`', "");
            let found = check_file(path, text);
            let found: Vec<_> =
                found.iter().map(|found| format!("{} {}", found.line, words(found))).collect();
            assert_eq!(found.join(" "), expected, "{path}: {text}");
        }
    }
}
