//! `cargo xtask sample-text --seed S --count N`: draws comments and sentences for readers who do not know the project.
//!
//! The readers get each passage with its file and explain it. A passage that they misread is rewritten, and the next
//! draw uses another seed. The same seed draws the same passages from the same files.

mod passages;

use std::path::Path;

use passages::{Kind, Passage, passages};

use crate::command::print_line;
use crate::random::Random;
use crate::tree::Tree;

/// Prints the drawn passages, one a line: `file:line: text`.
///
/// # Errors
/// An argument that is not a number, or files that cannot be read.
pub fn run(root: &Path, seed: &str, count: &str) -> Result<(), String> {
    let seed = seed.parse().map_err(|_| format!("--seed must be a whole number; received {seed:?}"))?;
    let count = count.parse().map_err(|_| format!("--count must be a whole number; received {count:?}"))?;
    let tree = Tree::read(root).map_err(|error| format!("the files of the repository: {error}"))?;
    for Passage { path, line, text, .. } in draw(&passages(&tree), seed, count) {
        print_line(&format!("{path}:{line}: {text}"));
    }
    Ok(())
}

/// Draws `count` passages without repetition, each kind in proportion to its number. Returns them in order of path.
fn draw(passages: &[Passage], seed: u64, count: usize) -> Vec<&Passage> {
    let mut drawn: Vec<usize> = Vec::new();
    let mut before = 0;
    for kind in Kind::ALL {
        let mut known: Vec<usize> = (0..passages.len()).filter(|at| passages[*at].kind == kind).collect();
        // Rounding the running total keeps the sum exact.
        let end = (before + known.len()) * count / passages.len().max(1);
        let share = end - before * count / passages.len().max(1);
        before += known.len();
        let mut random = Random::new(seed, &format!("sample-text {kind:?}"));
        for at in 0..share.min(known.len()) {
            let last = i64::try_from(known.len() - 1).expect("few passages");
            let other = random.between(i64::try_from(at).expect("few passages"), last);
            known.swap(at, usize::try_from(other).expect("an index"));
            drawn.push(known[at]);
        }
    }
    drawn.sort_unstable();
    drawn.into_iter().map(|at| &passages[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passages_of(kinds: &[(Kind, usize)]) -> Vec<Passage> {
        let passage = |kind, line| Passage { kind, path: "a".to_owned(), line, text: format!("text {line}") };
        kinds.iter().flat_map(|(kind, count)| (0..*count).map(move |line| passage(*kind, line))).collect()
    }

    #[test]
    fn same_seed_draws_the_same_passages() {
        let all = passages_of(&[(Kind::DocComment, 100), (Kind::Document, 100)]);
        assert_eq!(draw(&all, 7, 60), draw(&all, 7, 60));
        assert_ne!(draw(&all, 7, 60), draw(&all, 8, 60));
    }

    #[test]
    fn kinds_are_drawn_in_proportion_and_without_repetition() {
        let all = passages_of(&[(Kind::DocComment, 300), (Kind::Comment, 200), (Kind::Document, 100)]);
        let drawn = draw(&all, 1, 60);
        for (kind, expected) in [(Kind::DocComment, 30), (Kind::Comment, 20), (Kind::Document, 10)] {
            let lines: std::collections::BTreeSet<usize> =
                drawn.iter().filter(|passage| passage.kind == kind).map(|passage| passage.line).collect();
            assert_eq!(lines.len(), expected, "{kind:?}");
        }
    }

    #[test]
    fn draw_of_more_than_there_is_returns_everything() {
        assert_eq!(draw(&passages_of(&[(Kind::Comment, 3)]), 1, 60).len(), 3);
        assert!(draw(&[], 1, 60).is_empty());
    }

    #[test]
    fn repository_has_passages_of_every_kind() {
        let tree = Tree::read(&crate::root()).expect("readable files");
        let all = passages(&tree);
        assert_eq!(draw(&all, 1, 60).len(), 60);
        assert!(Kind::ALL.iter().all(|kind| all.iter().any(|passage| passage.kind == *kind)));
    }
}
