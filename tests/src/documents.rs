//! The documents of the repository, their blocks, and a shell that runs their commands.

pub mod blocks;
pub mod cluster;
pub mod runner;
pub mod shell;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use blocks::Block;

/// Returns the text of every document by its path from the root of the repository.
pub fn documents() -> BTreeMap<String, String> {
    let root = crate::root();
    let mut paths = ["CONTRIBUTING.md", "README.md", "SECURITY.md"].map(str::to_owned).to_vec();
    for entry in root.join("docs").read_dir().expect("the documents").flatten() {
        let name = entry.file_name().into_string().expect("UTF-8");
        if name.ends_with(".md") {
            paths.push(format!("docs/{name}"));
        }
    }
    let text = |path: &String| std::fs::read_to_string(root.join(path)).expect("UTF-8");
    paths.iter().map(|path| (path.clone(), text(path))).collect()
}

/// Returns the text of a document.
pub fn text(path: &str) -> &'static str {
    static DOCUMENTS: LazyLock<BTreeMap<String, String>> = LazyLock::new(documents);
    DOCUMENTS.get(path).unwrap_or_else(|| panic!("there is no {path}"))
}

/// Returns the blocks of a document, in order.
pub fn blocks_of(path: &'static str) -> Vec<Block<'static>> {
    blocks::read(path, text(path))
}
