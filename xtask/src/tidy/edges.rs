//! Which package may use which, as `docs/architecture.md` draws it. The serving path must never reach a writer, so
//! besides each edge this follows every path.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::Finding;
use super::manifest::Manifest;
use super::tree::Tree;

const RULE: &str = "edge";

/// Package folder and the folders of ours it may use. An edge that is not here is a defect, also for tests only.
const ALLOWED: [(&str, &[&str]); 17] = [
    ("domain", &[]),
    ("json", &[]),
    // `support` is the in-memory ledger, for unit tests only.
    ("operations", &["domain", "support"]),
    ("support", &["domain"]),
    ("auth", &["domain", "json"]),
    ("store", &["domain"]),
    // What the adapters say of HTTP alike; they do not know each other.
    ("web", &["operations", "auth", "domain"]),
    ("rest", &["web", "operations", "auth", "domain"]),
    ("oauth", &["web", "operations", "auth", "domain"]),
    ("mcp", &["web", "operations", "auth", "domain", "json"]),
    ("schema", &[]),
    ("formats", &["domain", "json"]),
    // The format and the hash of personal access tokens, nothing else.
    ("ingest", &["formats", "domain", "auth"]),
    ("demo", &["ingest", "formats", "domain"]),
    ("embedded", &[]),
    (
        "server",
        &[
            "domain",
            "store",
            "auth",
            "operations",
            "rest",
            "mcp",
            "oauth",
            "schema",
            "ingest",
            "demo",
            "embedded",
        ],
    ),
    // The store for its start-up check alone: `doctor` looks at role and schema as the server would. It serves nothing,
    // so neither adapter may follow.
    ("admin", &["schema", "ingest", "formats", "embedded", "store", "auth", "domain"]),
];

/// The examples of `docs/embedding.md` and `docs/adding-an-adapter.md`: each names what its reader would, and no more.
const EXAMPLES: [(&str, &[&str]); 5] = [
    ("hyper_host", &["operations", "auth", "store", "rest", "mcp", "oauth"]),
    ("axum_host", &["operations", "auth", "store", "rest", "oauth"]),
    ("direct_host", &["operations", "auth", "store", "domain"]),
    ("own_ledger_host", &["operations", "auth", "rest", "oauth", "domain"]),
    ("report", &["web", "operations", "auth", "domain"]),
];

/// What tests and automation use is their own affair; nothing else may use them.
const FREE: [&str; 2] = ["tests", "xtask"];

/// The crates that answer requests.
pub(super) const SERVING: [&str; 8] =
    ["domain", "store", "auth", "operations", "web", "rest", "mcp", "oauth"];

/// The crates that write, which the server knows only behind its feature `embedded`.
const WRITING: [&str; 5] = ["schema", "formats", "ingest", "demo", "embedded"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let (members, mut findings) = Manifest::members(tree);
    let own: BTreeSet<&str> = members.iter().map(Manifest::folder).collect();
    let mut edges: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for member in &members {
        let Some(allowed) = allowed(member.folder()) else {
            findings.push(Finding::new(
                &member.path,
                1,
                RULE,
                "say in xtask/src/tidy/edges.rs what this crate may use",
            ));
            continue;
        };
        for dependency in member.dependencies() {
            let used = dependency.folder.as_deref().unwrap_or(&dependency.name);
            if !own.contains(used) {
                continue;
            }
            if allowed.is_some_and(|allowed| !allowed.contains(&used)) {
                let advice =
                    format!("remove the edge {} → {used}, which the map does not draw", member.folder());
                findings.push(Finding::new(&member.path, dependency.line, RULE, advice));
            }
            if member.folder() == "server" && WRITING.contains(&used) && !dependency.optional {
                let advice = format!("make {used} optional, behind the feature `embedded`");
                findings.push(Finding::new(&member.path, dependency.line, RULE, advice));
            }
            if !dependency.development {
                edges.entry(member.folder()).or_default().insert(used.to_owned());
            }
        }
        if member.folder() == "server" {
            findings.extend(features(member));
        }
    }
    findings.extend(members.iter().filter_map(|member| reaches_a_writer(member, &edges)));
    findings
}

/// `None` for a stranger, `Some(None)` for who may use anything.
fn allowed(folder: &str) -> Option<Option<&'static [&'static str]>> {
    if FREE.contains(&folder) {
        return Some(None);
    }
    ALLOWED.iter().chain(&EXAMPLES).find(|(name, _)| *name == folder).map(|(_, allowed)| Some(*allowed))
}

/// Only the feature `embedded` may bring in a writer.
fn features(server: &Manifest) -> Vec<Finding> {
    let features = server.table.get("features").and_then(Value::as_table);
    let brought = |(feature, members): (&String, &Value)| {
        let members = members.as_array().into_iter().flatten().filter_map(Value::as_str);
        let writer = members.map(|member| member.trim_start_matches("dep:")).find(|member| {
            // The name of the feature is also the name of a crate: `default` may name the feature.
            let names_the_feature = *member == "embedded" && feature == "default";
            WRITING.iter().any(|writer| member.split('/').next() == Some(*writer)) && !names_the_feature
        })?;
        let line = server.line_of("features", feature);
        let advice = format!("move {writer} to the feature `embedded`");
        (feature != "embedded").then(|| Finding::new(&server.path, line, RULE, advice))
    };
    features.into_iter().flat_map(Table::iter).filter_map(brought).collect()
}

/// The path from a serving crate, or from an example, to a writer, if there is one.
fn reaches_a_writer(member: &Manifest, edges: &BTreeMap<&str, BTreeSet<String>>) -> Option<Finding> {
    let is_example = EXAMPLES.iter().any(|(name, _)| *name == member.folder());
    if !SERVING.contains(&member.folder()) && !is_example {
        return None;
    }
    let mut open = vec![vec![member.folder()]];
    let mut seen = BTreeSet::new();
    while let Some(path) = open.pop() {
        let last = *path.last()?;
        if WRITING.contains(&last) {
            let advice = format!("cut {}: the serving path never reaches a writer", path.join(" → "));
            return Some(Finding::new(&member.path, 1, RULE, advice));
        }
        for used in edges.get(last).into_iter().flatten() {
            if seen.insert(used) {
                open.push(path.iter().copied().chain([used.as_str()]).collect());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        lines(&check(&Tree::of(files)))
    }

    #[test]
    fn an_edge_that_is_not_drawn_is_found_with_the_path_to_a_writer() {
        let found = findings(&[
            ("crates/rest/Cargo.toml", "[dependencies]\nserde.workspace = true\nstore.workspace = true\n"),
            ("crates/store/Cargo.toml", "[dependencies.ingest]\nworkspace = true\n"),
            ("crates/ingest/Cargo.toml", "[dependencies]\n"),
        ]);
        assert_eq!(
            found,
            [
                "crates/rest/Cargo.toml:3: edge: remove the edge rest → store, which the map does not draw",
                "crates/store/Cargo.toml:1: edge: remove the edge store → ingest, which the map does not draw",
                "crates/rest/Cargo.toml:1: edge: cut rest → store → ingest: the serving path never reaches a writer",
                "crates/store/Cargo.toml:1: edge: cut store → ingest: the serving path never reaches a writer",
            ]
        );
    }

    #[test]
    fn edges_of_tests_and_by_path_count() {
        let found = findings(&[
            ("crates/domain/Cargo.toml", "[dev-dependencies]\nharness = { path = \"../../tests\" }\n"),
            ("tests/Cargo.toml", "[dependencies]\ndomain.workspace = true\n"),
        ]);
        assert_eq!(
            found,
            ["crates/domain/Cargo.toml:2: edge: remove the edge domain → tests, which the map does not draw"]
        );
    }

    #[test]
    fn the_server_knows_writers_only_behind_its_feature() {
        let server = |dependencies: &str| {
            findings(&[
                ("bins/server/Cargo.toml", dependencies),
                ("crates/ingest/Cargo.toml", ""),
                ("crates/embedded/Cargo.toml", ""),
            ])
        };
        let optional = "[dependencies]\ningest = { workspace = true, optional = true }\n[features]\n";
        assert_eq!(
            server(&format!("{optional}default = [\"embedded\"]\nembedded = [\"dep:ingest\"]\n")),
            [""; 0]
        );
        assert_eq!(
            server(&format!("{optional}default = [\"dep:ingest\"]\n")),
            ["bins/server/Cargo.toml:4: edge: move ingest to the feature `embedded`"]
        );
        assert_eq!(
            server("[dependencies]\ningest.workspace = true\n"),
            ["bins/server/Cargo.toml:2: edge: make ingest optional, behind the feature `embedded`"]
        );
    }

    #[test]
    fn a_crate_without_a_place_on_the_map_is_found() {
        let found = findings(&[("crates/new/Cargo.toml", "")]);
        assert_eq!(
            found,
            ["crates/new/Cargo.toml:1: edge: say in xtask/src/tidy/edges.rs what this crate may use"]
        );
    }
}
