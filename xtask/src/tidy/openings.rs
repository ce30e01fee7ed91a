//! Finds doc comments that open with a question word.
//!
//! A line such as `/// Whether …` names neither a thing nor an action. `style.md` of the team and the doc comments of
//! the standard library start with a noun phrase or a verb.

use super::Finding;
use crate::tree::Tree;

const RULE: &str = "comment-opening";
/// Words that no doc comment line starts with. A wrapped line that starts with one by chance is reflowed.
const WORDS: [&str; 8] = ["What", "Whether", "Which", "Who", "Whom", "How", "That", "Where"];
const FOLDERS: [&str; 4] = ["crates/", "bins/", "xtask/", "tests/"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let files = FOLDERS.into_iter().flat_map(|folder| tree.texts_in(folder, ".rs"));
    files.flat_map(|(path, text)| check_file(path, text)).collect()
}

fn check_file(path: &str, text: &str) -> Vec<Finding> {
    let lines = text.lines().enumerate();
    let found = lines.filter_map(|(index, line)| Some((index + 1, opening(line)?)));
    found
        .map(|(line, word)| {
            let advice = format!("start with a noun or a verb instead of `{word}`, such as \"Returns …\"");
            Finding::new(path, line, RULE, advice)
        })
        .collect()
}

/// Returns the question word at the start of a doc comment line; `None` if there is none.
fn opening(line: &str) -> Option<&'static str> {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
    let text = text.strip_prefix(' ').unwrap_or(text);
    WORDS.into_iter().find(|word| {
        let after = text.strip_prefix(word);
        after.is_some_and(|after| !after.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn interrogative_at_the_start_of_a_doc_comment_is_found() {
        let text = "//! Which files.\n    /// Whether it is so.\n/// Whatever comes.\n// What else\n/// The day that ends it.\n";
        let advice = |word: &str| {
            format!("comment-opening: start with a noun or a verb instead of `{word}`, such as \"Returns …\"")
        };
        assert_eq!(
            lines(&check_file("a.rs", text)),
            [format!("a.rs:1: {}", advice("Which")), format!("a.rs:2: {}", advice("Whether"))]
        );
    }
}
