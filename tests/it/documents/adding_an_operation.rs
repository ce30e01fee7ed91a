//! `docs/adding-an-operation.md`: each block has a note that says what is done with it. `cargo lab checklist` applies the
//! blocks to a copy of the repository, and compiles and tests the copy.

use crate::rest::snapshots::{LIST_TOKENS_MAX, READ_TOKENS_MAX};

const DOCUMENT: &str = "docs/adding-an-operation.md";

/// Number of blocks of the document that change a file.
const CHANGES: usize = 19;

#[test]
fn blocks_of_adding_an_operation_are_applied_or_compared() {
    let (mut changes, mut of_snapshots) = (0, 0);
    for block in tests::documents::blocks_of(DOCUMENT) {
        let note = block.note.unwrap_or_else(|| panic!("{}: the block has no note", block.place()));
        if let Some(path) = note.strip_prefix("from ") {
            block.assert_from(path);
        } else if note.starts_with("part of tests/it/rest/snapshots/") {
            // The snapshot of the example exists only in a copy: `cargo lab checklist` compares the block.
            of_snapshots += 1;
        } else {
            changes += 1;
        }
    }
    assert_eq!((changes, of_snapshots), (CHANGES, 1));
}

#[test]
fn limits_of_the_list_of_tools_are_stated() {
    let text = tests::documents::text(DOCUMENT).split_whitespace().collect::<Vec<_>>().join(" ");
    for limit in [READ_TOKENS_MAX, LIST_TOKENS_MAX] {
        let stated = format!("at most {},{:03} tokens", limit / 1_000, limit % 1_000);
        assert!(text.contains(&stated), "{DOCUMENT} does not state `{stated}`");
    }
}
