//! Documents name every crate and every operation, and their links lead somewhere.

use super::Finding;
use crate::rust_text::RustText;
use crate::tree::Tree;

const MAP: &str = "docs/architecture.md";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = crates(tree);
    findings.extend(operations(tree));
    for (path, text) in tree.texts_in("", ".md") {
        if path == "README.md" || path.starts_with("docs/") {
            findings.extend(links(tree, path, text));
        }
    }
    findings
}

/// The map names each package's folder, as `` `name` `` or with the folder it lies in.
fn crates(tree: &Tree) -> Vec<Finding> {
    let map = tree.text(MAP).unwrap_or_default();
    let manifests = tree.texts_in("", "/Cargo.toml").map(|(path, _)| path.trim_end_matches("/Cargo.toml"));
    let folders = manifests.filter(|folder| folder.starts_with("crates/") || folder.starts_with("bins/"));
    let unnamed = folders.filter(|folder| {
        let name = folder.rsplit('/').next().unwrap_or(folder);
        !map.contains(&format!("`{name}`")) && !names(map, folder) && !names(map, &format!("passbook-{name}"))
    });
    unnamed.map(|folder| Finding::new(MAP, 1, "unnamed-crate", format!("say what {folder} is for"))).collect()
}

/// Some document names each operation's id and its path.
fn operations(tree: &Tree) -> Vec<Finding> {
    let documents: Vec<&str> = tree.texts_in("docs/", ".md").map(|(_, text)| text).collect();
    let mut findings = Vec::new();
    for (path, text) in tree.texts_in("crates/operations/src/", ".rs") {
        for (line, field, value) in facts(text) {
            let named = documents.iter().any(|document| match field {
                "id" => document.contains(&format!("`{value}`")),
                _ => names(document, &value),
            });
            if !named {
                let advice = format!("name the operation's {field} `{value}` in a document under docs");
                findings.push(Finding::new(path, line, "unnamed-operation", advice));
            }
        }
    }
    findings
}

/// Line, field and value of `id` and `path` of each specification.
fn facts(text: &str) -> Vec<(usize, &'static str, String)> {
    let layers = RustText::of(text);
    let code: Vec<&str> = layers.code.lines().collect();
    let Some(start) = code.iter().position(|line| line.contains("SPEC: Spec = Spec {")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (line, value) in layers.literals.into_iter().filter(|(line, _)| *line > start) {
        let field = code.get(line - 1).and_then(|line| line.split_once(':')).map(|(field, _)| field.trim());
        let field = ["id", "path"].into_iter().find(|known| field == Some(known));
        // The first of each: the rest of the file holds literals of its own.
        found.extend(
            field
                .filter(|field| !found.iter().any(|(_, known, _)| known == field))
                .map(|field| (line, field, value)),
        );
    }
    found
}

/// Whether a text holds a name that does not go on.
fn names(text: &str, name: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || "_-".contains(c);
    text.match_indices(name).any(|(at, _)| {
        let after = &text[at + name.len()..];
        let deeper = after.strip_prefix('/').is_some_and(|deeper| deeper.starts_with(goes_on));
        !after.starts_with(goes_on) && (!deeper || !name.starts_with('/'))
    })
}

/// Links within the repository whose target is not there.
fn links(tree: &Tree, path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for after in line.split("](").skip(1) {
            let target = after.split([')', ' ', '#']).next().unwrap_or_default();
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            if !resolve(path, target).is_some_and(|target| tree.holds(&target)) {
                let advice = format!("link to something that is there: {target} is not");
                findings.push(Finding::new(path, index + 1, "dead-link", advice));
            }
        }
    }
    findings
}

/// The path from the root of a link in a document; nothing for one that leaves the repository.
fn resolve(document: &str, target: &str) -> Option<String> {
    let mut folders: Vec<&str> = document.split('/').collect();
    folders.pop();
    for part in target.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => drop(folders.pop()?),
            part => folders.push(part),
        }
    }
    Some(folders.join("/"))
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn the_map_names_every_crate() {
        let manifests = [
            ("crates/domain/Cargo.toml", ""),
            ("crates/store/Cargo.toml", ""),
            ("bins/server/Cargo.toml", ""),
        ];
        let map = (MAP, "`domain` holds the words of the restored; passbook-server-like; see bins/server.");
        let tree = Tree::of(&[&manifests[..], &[map]].concat());
        assert_eq!(
            lines(&check(&tree)),
            ["docs/architecture.md:1: unnamed-crate: say what crates/store is for"]
        );
    }

    #[test]
    fn documents_name_every_operation() {
        let operation = "//! Top.\nimpl Operation for Top {\n    const SPEC: Spec = Spec {\n        id: \"top\",\n        path: \"/v1/merchants\",\n    };\n}\nfn other() { Thing {\n id: \"other\",\n } }\n";
        let of = |document| {
            let tree = Tree::of(&[("crates/operations/src/top.rs", operation), ("docs/a.md", document)]);
            lines(&check(&tree))
        };
        assert_eq!(of("`top` answers GET /v1/merchants."), [""; 0]);
        assert_eq!(
            of("stop at /v1/merchants/top"),
            [
                "crates/operations/src/top.rs:4: unnamed-operation: name the operation's id `top` in a document under docs",
                "crates/operations/src/top.rs:5: unnamed-operation: name the operation's path `/v1/merchants` in a document under docs",
            ]
        );
    }

    #[test]
    fn links_lead_somewhere() {
        let text = "[a](schema.md#tables) [b](../README.md) [c](https://example.org) [d](#here)\n[e](gone.md)\n```\nx[0](gone)\n```\n[f](../../up.md)\n";
        let tree = Tree::of(&[("docs/a.md", text), ("docs/schema.md", ""), ("README.md", "")]);
        assert_eq!(
            lines(&check(&tree)),
            [
                "docs/a.md:2: dead-link: link to something that is there: gone.md is not",
                "docs/a.md:6: dead-link: link to something that is there: ../../up.md is not",
            ]
        );
    }
}
