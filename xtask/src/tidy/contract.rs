//! Finds breaking changes of the OpenAPI document since the last release. The module `crate::contract` compares the two
//! documents.

use serde_json::Value;

use super::Finding;
use crate::contract;
use crate::tree::Tree;

/// Path of the OpenAPI document of this version. The test suite compares it with the served document.
const PRESENT: &str = "docs/openapi.json";
/// Path of the OpenAPI document of the last release.
const RELEASED: &str = "docs/contract/v1.json";
/// Path of the list of accepted breaking changes since the last release.
const ACCEPTED: &str = "docs/contract/breaking.txt";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    compare(tree).unwrap_or_else(|finding| vec![finding])
}

fn compare(tree: &Tree) -> Result<Vec<Finding>, Finding> {
    let accepted = contract::parse(tree.text(ACCEPTED).unwrap_or_default())
        .map_err(|(line, advice)| Finding::new(ACCEPTED, line, "contract", advice))?;
    let (released, present) = (document(tree, RELEASED)?, document(tree, PRESENT)?);
    let problems = contract::problems(&released, &present, &accepted);
    Ok(problems.into_iter().map(|problem| Finding::new(PRESENT, 1, "contract", problem)).collect())
}

fn document(tree: &Tree, path: &str) -> Result<Value, Finding> {
    let text = tree.text(path).unwrap_or_default();
    serde_json::from_str(text).map_err(|error| {
        Finding::new(path, 1, "contract", format!("replace it by an OpenAPI document in JSON: {error}"))
    })
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    const BEFORE: &str = r#"{"paths":{"/a":{},"/b":{}}}"#;
    const AFTER: &str = r#"{"paths":{"/a":{},"/c":{}}}"#;

    fn found(present: &str, accepted: &str) -> Vec<String> {
        lines(&check(&Tree::of(&[(RELEASED, BEFORE), (PRESENT, present), (ACCEPTED, accepted)])))
    }

    #[test]
    fn breaking_change_is_found_unless_it_is_accepted() {
        assert_eq!(found(BEFORE, ""), [""; 0]);
        assert_eq!(
            found(AFTER, ""),
            [
                "docs/openapi.json:1: contract: /b: path removed: undo it, or accept it with a reason in docs/contract/breaking.txt"
            ]
        );
        assert_eq!(found(AFTER, "/b: path removed | It answered nothing.\n"), [""; 0]);
        assert_eq!(found(AFTER, "# why\n/b\n").len(), 1);
        assert_eq!(found("", "").len(), 1);
    }
}
