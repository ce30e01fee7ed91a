//! What the documents show is what happens: every block of code, command, query or file in them is run, compared or
//! read by the program it is for. A block that nothing here expects fails, so none is passed over.

mod assistants;
mod blocks;
mod embedding;
mod grants;
mod loading;
mod oauth;
mod readme;
mod schema;
mod shell;

use std::collections::BTreeMap;

use blocks::Block;

/// The documents that hold blocks, and what holds each to its word.
const CHECKED: [(&str, &str); 8] = [
    ("README.md", "documents/readme.rs, serving/readme.rs"),
    ("docs/adding-an-adapter.md", "documents/embedding.rs"),
    ("docs/connecting-assistants.md", "documents/assistants.rs, cargo xtask clients"),
    ("docs/embedding.md", "documents/embedding.rs"),
    ("docs/grants.md", "documents/grants.rs, documents/schema.rs"),
    ("docs/loading-data.md", "documents/loading.rs"),
    ("docs/oauth.md", "documents/oauth.rs"),
    ("docs/schema.md", "documents/schema.rs"),
];

/// Documents that other tests of this folder hold to their word, block by block.
const ELSEWHERE: [&str; 2] = ["docs/api.md", "docs/versioning.md"];

/// The example of this document is no part of Passbook, so it would take a build of its own to run it: whoever changes
/// the document, or what it shows, carries the example through a copy of the workspace by hand.
const BY_HAND: &str = "docs/adding-an-operation.md";

fn documents() -> BTreeMap<String, String> {
    let root = xtask::root();
    let mut paths = vec!["README.md".to_owned()];
    for entry in root.join("docs").read_dir().expect("the documents").flatten() {
        let name = entry.file_name().into_string().expect("UTF-8");
        if name.ends_with(".md") {
            paths.push(format!("docs/{name}"));
        }
    }
    let text = |path: &String| std::fs::read_to_string(root.join(path)).expect("UTF-8");
    paths.iter().map(|path| (path.clone(), text(path))).collect()
}

#[test]
fn every_document_with_a_block_is_held_to_its_word() {
    let mut holding: Vec<String> = Vec::new();
    for (path, text) in documents() {
        let blocks = blocks::read(&path, &text);
        // A drawing shows nothing that could be run.
        let drawn = |block: &Block<'_>| block.language == "text" && block.note == Some("a drawing");
        if !blocks.iter().all(drawn) && !ELSEWHERE.contains(&path.as_str()) && path != BY_HAND {
            holding.push(path);
        }
    }
    assert_eq!(holding, CHECKED.map(|(path, _)| path));
}
