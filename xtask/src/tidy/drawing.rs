//! Generates the drawing of the packages in `docs/architecture.md` from the manifests.
//!
//! `cargo xtask bless` writes the drawing. `deny.toml` has the rules about the edges.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::Finding;
use crate::repository::{Tree, read_cargo};

/// Path of the document that contains the drawing.
pub(super) const MAP: &str = "docs/architecture.md";
/// The lines before the drawing.
const START: &str = "<!-- a drawing -->\n```text\n";
/// The end of the drawing, and the packages that may use every other package.
const END: &str = "\ntests, xtask, xtask/lab ──► anything\n```\n";
const UNRESTRICTED: [&str; 2] = ["tests", "xtask"];

/// The arrows of dependencies in every build, with a feature and in tests.
const ARROWS: [&str; 3] = ["──►", "┄┄►", "··►"];

/// A package by its folder, with the packages it uses: number of the arrow, remark and folder of each.
type Edges = BTreeMap<String, Vec<(usize, String, String)>>;

pub(super) fn check(root: &Path, tree: &Tree) -> Vec<Finding> {
    let advice = match generate(root) {
        Ok(drawing) if tree.text(MAP).is_some_and(|text| text.contains(&drawing)) => return Vec::new(),
        Ok(_) => "run `cargo xtask bless` to draw the packages anew".to_owned(),
        Err(error) => error,
    };
    vec![Finding::new(MAP, 1, "drawing", advice)]
}

/// Writes the drawing into the document.
///
/// # Errors
/// cargo cannot read the manifests, or the document has no place for the drawing.
pub(crate) fn write(root: &Path) -> Result<(), String> {
    let path = root.join(MAP);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{MAP}: {error}"))?;
    let (before, rest) = text.split_once(START).ok_or(format!("{MAP} has no line {START}"))?;
    let (_, after) = rest.split_once(END).ok_or(format!("{MAP} has no line {END}"))?;
    let drawing = generate(root)?;
    std::fs::write(path, format!("{before}{drawing}{after}")).map_err(|error| format!("{MAP}: {error}"))
}

fn generate(root: &Path) -> Result<String, String> {
    let metadata = read_cargo(root, "metadata --no-deps --locked --format-version 1")?;
    let metadata = serde_json::from_str(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    Ok(format!("{START}{}{END}", draw(&edges(root, &metadata))))
}

/// Reads the dependencies between the packages of the workspace from the output of `cargo metadata`.
fn edges(root: &Path, metadata: &Value) -> Edges {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let folder = |path: &Value| {
        let path = Path::new(path.as_str()?).strip_prefix(root).ok()?;
        let path = path.to_string_lossy().trim_end_matches("/Cargo.toml").to_owned();
        Some(path.strip_prefix("crates/").unwrap_or(&path).to_owned())
    };
    let mut edges = Edges::new();
    for package in packages {
        let Some(from) = folder(&package["manifest_path"]) else { continue };
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        let mut used = Vec::new();
        for dependency in dependencies {
            let Some(to) = folder(&dependency["path"]) else { continue };
            let named = format!("dep:{}", dependency["name"].as_str().unwrap_or_default());
            let features = package["features"].as_object().into_iter().flatten();
            let mut with = features.filter(|(_, parts)| {
                parts.as_array().is_some_and(|parts| parts.contains(&named.as_str().into()))
            });
            used.push(match (dependency["kind"].as_str(), dependency["optional"].as_bool(), with.next()) {
                (Some("dev"), ..) => (2, " (only in tests)".to_owned(), to),
                (_, Some(true), Some((feature, _))) => {
                    (1, format!(" (only with the feature `{feature}`)"), to)
                }
                _ => (0, String::new(), to),
            });
        }
        if !UNRESTRICTED.contains(&from.as_str()) {
            edges.insert(from, used);
        }
    }
    edges
}

/// Draws each package with the packages that it uses, from the outermost to the innermost.
fn draw(edges: &Edges) -> String {
    let rank = |folder: &str| {
        std::cmp::Reverse((!folder.starts_with("tests/"), folder.starts_with("bins/"), depth(edges, folder)))
    };
    let mut folders: Vec<&String> = edges.keys().collect();
    folders.sort_by_key(|folder| (rank(folder), *folder));
    let width = folders.iter().map(|folder| folder.len()).max().unwrap_or_default();
    let (mut drawing, mut alone) = (String::new(), Vec::new());
    for folder in folders {
        let mut rows: BTreeMap<(usize, &str), Vec<&str>> = BTreeMap::new();
        for (arrow, remark, to) in &edges[folder] {
            rows.entry((*arrow, remark)).or_default().push(to);
        }
        if rows.is_empty() {
            alone.push(folder.as_str());
        }
        let mut name = folder.as_str();
        for ((arrow, remark), mut targets) in rows {
            targets.sort_by_key(|to| (rank(to), *to));
            drawing += &format!("{name:width$} {} {}{remark}\n", ARROWS[arrow], targets.join(", "));
            name = "";
        }
    }
    format!("{drawing}\n{} ──► nothing\n", alone.join(", "))
}

/// Returns the length of the longest path from a package to one that uses no other.
fn depth(edges: &Edges, folder: &str) -> usize {
    let used = edges.get(folder).into_iter().flatten();
    let inner = used.filter(|(arrow, ..)| *arrow != 2).map(|(_, _, to)| depth(edges, to) + 1);
    inner.max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_drawn_with_their_dependencies() {
        let package = |path: &str, dependencies: Value| {
            let path = format!("/r/{path}/Cargo.toml");
            serde_json::json!({"manifest_path": path, "dependencies": dependencies, "features": {"x": ["dep:c"]}})
        };
        let uses = |name: &str, kind: Value, optional: bool| serde_json::json!({"name": name, "path": format!("/r/crates/{name}"), "kind": kind, "optional": optional});
        let foreign = serde_json::json!({"name": "serde", "kind": null, "optional": false});
        let metadata = serde_json::json!({"packages": [
            package("crates/a", Value::Array(vec![uses("b", Value::Null, false), uses("d", "dev".into(), false)])),
            package("crates/b", Value::Array(vec![uses("c", Value::Null, true), foreign])),
            package("crates/c", Value::Array(vec![])),
            package("crates/d", Value::Array(vec![])),
            package("tests", Value::Array(vec![uses("a", Value::Null, false)])),
        ]});
        let drawing =
            "a ──► b\n  ··► d (only in tests)\nb ┄┄► c (only with the feature `x`)\n\nc, d ──► nothing\n";
        assert_eq!(draw(&edges(Path::new("/r"), &metadata)), drawing);
    }
}
