//! Every code block, command, query and file in the documents is run, compared or parsed. A block that no test expects
//! fails, so no block is skipped.

mod adding_an_operation;
mod administration;
mod assistants;
mod backup;
mod beancount;
mod clients;
mod contributing;
mod deployment;
mod embedding;
mod figures;
mod first_hour;
mod grants;
mod importing;
mod loading;
mod oauth;
mod picture;
mod readme;

use tests::documents::blocks::{self, Block};
use tests::documents::documents;

/// The documents with blocks, and the tests that cover them.
const CHECKED: &[(&str, &str)] = &[
    ("CONTRIBUTING.md", "documents/contributing.rs"),
    ("README.md", "documents/readme.rs, documents/picture.rs, tests/system/readme.rs"),
    ("docs/adding-an-operation.md", "documents/adding_an_operation.rs"),
    ("docs/administration.md", "documents/administration.rs"),
    ("docs/clients.md", "documents/clients.rs, cargo lab clients"),
    ("docs/connecting-assistants.md", "documents/assistants.rs, serving/mcp_example.rs, cargo lab clients"),
    ("docs/deployment.md", "documents/deployment.rs"),
    ("docs/embedding.md", "documents/embedding.rs"),
    ("docs/figures.md", "documents/figures.rs"),
    ("docs/first-hour.md", "documents/first_hour.rs"),
    ("docs/grants.md", "documents/grants.rs, tests/system/schema_document.rs"),
    ("docs/importing.md", "documents/importing.rs"),
    ("docs/loading-data.md", "documents/loading.rs, documents/beancount.rs, tests/system/loading_program.rs"),
    ("docs/oauth.md", "documents/oauth.rs, xtask/lab/src/clients/sign_in/page.rs"),
    ("docs/operating.md", "documents/backup.rs"),
    ("docs/schema.md", "tests/system/schema_document.rs"),
];

/// The document whose blocks are covered by tests in `tests/it/rest/contract`.
const COVERED_BY_CONTRACT: &str = "docs/api.md";

#[test]
fn every_document_with_blocks_is_covered_by_a_test() {
    let mut found: Vec<String> = Vec::new();
    for (path, text) in documents() {
        let blocks = blocks::read(&path, &text);
        // A drawing contains nothing to run.
        let drawn = |block: &Block<'_>| block.language == "text" && block.note == Some("a drawing");
        if !blocks.iter().all(drawn) && path != COVERED_BY_CONTRACT {
            found.push(path);
        }
    }
    assert_eq!(found, CHECKED.iter().map(|(path, _)| *path).collect::<Vec<_>>());
}
