//! Finds unfinished code, ignored tests, `#[allow]` without a reason, and tests that sleep.

use super::Finding;
use crate::rust_text::RustText;
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.texts_in("", ".rs").flat_map(|(path, text)| check_file(path, &RustText::of(text).code)).collect()
}

fn check_file(path: &str, code: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add = |line, rule, advice: &str| findings.push(Finding::new(path, line, rule, advice));
    let is_test = path.starts_with("tests/") || path.contains("/tests/");
    for (line, word, after) in words(code) {
        match word {
            "todo" | "unimplemented" if after.starts_with('!') => {
                add(line, "unfinished", "implement it, or remove the item");
            }
            "sleep" | "sleep_until" if is_test => {
                add(line, "sleep", "wait for the event itself, with a timeout")
            }
            _ => {}
        }
    }
    for (line, attribute) in attributes(code) {
        if attribute.starts_with("ignore") {
            add(line, "ignored-test", "fix the test or remove it");
        }
        if attribute.starts_with("allow(") && !attribute.contains("reason") {
            add(line, "bare-allow", "write `#[expect(lint, reason = \"…\")]`");
        }
    }
    findings
}

/// Returns each word of the code, with its line number and the text after the word.
fn words(code: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    code.lines().enumerate().flat_map(|(index, line)| {
        let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
        line.split(move |c| !part_of_word(c)).filter(|word| !word.is_empty()).map(move |word| {
            let end = word.as_ptr() as usize - line.as_ptr() as usize + word.len();
            (index + 1, word, &line[end..])
        })
    })
}

/// Returns the content of each `#[…]` and `#![…]`, with its line number.
fn attributes(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices('#') {
        let after = code[at + 1..].trim_start_matches('!');
        if let Some(inside) = after.strip_prefix('[') {
            let line = code[..at].matches('\n').count() + 1;
            found.push((line, inside[..end_of_bracket(inside)].trim_start()));
        }
    }
    found
}

fn end_of_bracket(inside: &str) -> usize {
    let mut depth = 1;
    for (at, c) in inside.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    inside.len()
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<String> {
        lines(&check_file(path, &RustText::of(text).code))
    }

    #[test]
    fn incomplete_code_is_found_outside_comments_and_literals() {
        assert_eq!(findings("a.rs", "// todo!\nlet todo = \"todo!()\";\nmy_todo!();\n"), [""; 0]);
        assert_eq!(
            findings("a.rs", "fn a() {\n    todo!()\n}\nfn b() { unimplemented!(\"b\") }\n"),
            [
                "a.rs:2: unfinished: implement it, or remove the item",
                "a.rs:4: unfinished: implement it, or remove the item",
            ]
        );
    }

    #[test]
    fn allow_without_a_reason_is_found() {
        assert_eq!(
            findings("a.rs", "#[allow(dead_code, reason = \"a seat\")]\n#[expect(dead_code)]\n"),
            [""; 0]
        );
        assert_eq!(
            findings("a.rs", "\n#![allow(\n    dead_code,\n)]\n"),
            ["a.rs:2: bare-allow: write `#[expect(lint, reason = \"…\")]`"]
        );
    }

    #[test]
    fn sleeping_and_ignored_tests_are_found() {
        assert_eq!(findings("crates/a/src/b.rs", "tokio::time::sleep(pause).await;\n"), [""; 0]);
        assert_eq!(
            findings(
                "tests/it/a.rs",
                "#[test]\n#[ignore = \"slow\"]\nfn b() { std::thread::sleep(pause); }\n"
            ),
            [
                "tests/it/a.rs:3: sleep: wait for the event itself, with a timeout",
                "tests/it/a.rs:2: ignored-test: fix the test or remove it",
            ]
        );
    }
}
