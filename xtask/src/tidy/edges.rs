//! Compares the dependencies between the packages of this workspace with the drawing of `docs/architecture.md`.
//!
//! Both directions are checked: a dependency that is not drawn, and an arrow that no manifest has. Two rules hold
//! whatever is drawn: no serving crate reaches a writer, also through other crates, and the server has the writers
//! only behind its feature `embedded`.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::Finding;
use super::drawing::{Drawing, Edge, Kind, MAP};
use super::manifest::Manifest;
use crate::tree::Tree;

const RULE: &str = "edge";

/// Names of the serving crates, which handle requests.
pub(super) const SERVING: [&str; 13] = [
    "domain",
    "fault",
    "json",
    "transport",
    "store",
    "auth",
    "operations",
    "web",
    "rest",
    "mcp",
    "oauth",
    "views",
    "dashboard",
];

/// Names of the crates that write to a database or run one.
const WRITING: [&str; 4] = ["schema", "ingest", "demo", "embedded"];

/// Name of the crate that lists people over the writer's connection. Jobs may use it; serving crates may not.
const LISTING: &str = "people";

/// Folders of example packages. A reader of the documents copies their manifests, so the rule of the serving crates
/// holds for them too.
const EXAMPLE_FOLDERS: [&str; 2] = ["tests/hosts/", "tests/adapters/"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let (members, mut findings) = Manifest::members(tree);
    let (drawing, unreadable) = Drawing::read(tree);
    findings.extend(unreadable);
    let edges = edges(tree, &members);
    findings.extend(undrawn(&drawing, &members, &edges));
    findings.extend(missing(&drawing, &members, &edges));
    for member in &members {
        if member.folder() == "server" {
            findings.extend(writers_of_server(member, &edges));
        }
        findings.extend(path_to_writer(member, &edges));
    }
    findings
}

/// Returns every dependency between packages of the workspace, with the manifest and the line number.
fn edges<'a>(tree: &Tree, members: &'a [Manifest]) -> BTreeMap<Edge, (&'a Manifest, usize)> {
    let folders = folders(tree);
    let own: BTreeSet<&str> = members.iter().map(Manifest::folder).collect();
    let mut edges = BTreeMap::new();
    for member in members {
        for dependency in member.dependencies() {
            let named = dependency.folder.as_ref().or_else(|| folders.get(&dependency.name));
            let to = named.map_or_else(|| own_name(&dependency.name), |folder| folder.clone());
            if own.contains(to.as_str()) {
                let kind = match (dependency.development, dependency.optional) {
                    (true, _) => Kind::Tests,
                    (false, true) => Kind::Feature,
                    (false, false) => Kind::Always,
                };
                let edge = Edge { from: member.folder().to_owned(), to, kind };
                edges.entry(edge).or_insert((member, dependency.line));
            }
        }
    }
    // An entry among the development dependencies is not a second arrow if the package is also a normal dependency; the
    // entry usually adds features.
    let always: BTreeSet<(String, String)> = edges
        .keys()
        .filter(|edge| edge.kind == Kind::Always)
        .map(|edge| (edge.from.clone(), edge.to.clone()))
        .collect();
    edges.retain(|edge, _| {
        edge.kind != Kind::Tests || !always.contains(&(edge.from.clone(), edge.to.clone()))
    });
    edges
}

/// Returns the name of a package of this workspace without the prefix that all of them have.
fn own_name(package: &str) -> String {
    package.strip_prefix("passbook-").unwrap_or(package).to_owned()
}

/// Returns the folder of each package of the workspace, by the name under which other packages import it.
fn folders(tree: &Tree) -> BTreeMap<String, String> {
    let workspace: Table = tree.text("Cargo.toml").and_then(|text| text.parse().ok()).unwrap_or_default();
    let dependencies = workspace.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let entries = dependencies.and_then(Value::as_table).into_iter().flatten();
    let folder = |value: &Value| {
        let path = value.get("path").and_then(Value::as_str)?;
        path.rsplit('/').next().map(str::to_owned)
    };
    entries.filter_map(|(name, value)| Some((name.clone(), folder(value)?))).collect()
}

/// Finds packages and dependencies that are missing in the drawing.
fn undrawn(
    drawing: &Drawing,
    members: &[Manifest],
    edges: &BTreeMap<Edge, (&Manifest, usize)>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in members.iter().filter(|member| !drawing.packages.contains_key(member.folder())) {
        let advice = format!("draw {} and the packages it uses in {MAP}", member.folder());
        findings.push(Finding::new(&member.path, 1, RULE, advice));
    }
    for (edge, (member, line)) in edges {
        let drawn = drawing.edges.contains_key(edge) || drawing.unrestricted.contains(&edge.from);
        if !drawn && drawing.packages.contains_key(&edge.from) {
            let Edge { from, to, kind } = edge;
            let advice = format!(
                "remove the dependency, or draw `{from} {} {to}` in {MAP} with a reason",
                kind.arrow()
            );
            findings.push(Finding::new(&member.path, *line, RULE, advice));
        }
    }
    findings
}

/// Finds packages and arrows in the drawing that do not exist.
fn missing(
    drawing: &Drawing,
    members: &[Manifest],
    edges: &BTreeMap<Edge, (&Manifest, usize)>,
) -> Vec<Finding> {
    let own: BTreeSet<&str> = members.iter().map(Manifest::folder).collect();
    let mut findings = Vec::new();
    for (package, line) in drawing.packages.iter().filter(|(package, _)| !own.contains(package.as_str())) {
        findings.push(Finding::new(MAP, *line, RULE, format!("remove {package}: there is no such package")));
    }
    for (edge, line) in &drawing.edges {
        if own.contains(edge.from.as_str()) && !edges.contains_key(edge) {
            let Edge { from, to, kind } = edge;
            let advice = format!("remove `{from} {} {to}`: no manifest has it", kind.arrow());
            findings.push(Finding::new(MAP, *line, RULE, advice));
        }
    }
    findings
}

/// Finds writing crates on which the server depends without its feature `embedded`.
fn writers_of_server(server: &Manifest, edges: &BTreeMap<Edge, (&Manifest, usize)>) -> Vec<Finding> {
    let always = edges.iter().filter(|(edge, _)| edge.from == "server" && edge.kind == Kind::Always);
    let mut findings: Vec<Finding> = always
        .filter(|(edge, _)| WRITING.contains(&edge.to.as_str()))
        .map(|(edge, (_, line))| {
            let advice = format!("make {} optional, behind the feature `embedded`", edge.to);
            Finding::new(&server.path, *line, RULE, advice)
        })
        .collect();
    let features = server.table.get("features").and_then(Value::as_table);
    let with_writer = |(feature, members): (&String, &Value)| {
        let members = members.as_array().into_iter().flatten().filter_map(Value::as_str);
        let writer = members.map(|member| own_name(member.trim_start_matches("dep:"))).find(|member| {
            // `embedded` is both a feature and a crate: in `default` it is the feature.
            let names_the_feature = member == "embedded" && feature == "default";
            WRITING.iter().any(|writer| member.split('/').next() == Some(*writer)) && !names_the_feature
        })?;
        let line = server.line_of("features", feature);
        let advice = format!("move {writer} to the feature `embedded`");
        (feature != "embedded").then(|| Finding::new(&server.path, line, RULE, advice))
    };
    findings.extend(features.into_iter().flat_map(Table::iter).filter_map(with_writer));
    findings
}

/// Returns a finding if a serving crate or an example reaches a writing crate through its dependencies. Development
/// dependencies do not count.
fn path_to_writer(member: &Manifest, edges: &BTreeMap<Edge, (&Manifest, usize)>) -> Option<Finding> {
    let is_example = EXAMPLE_FOLDERS.iter().any(|folder| member.path.starts_with(folder));
    if !SERVING.contains(&member.folder()) && !is_example {
        return None;
    }
    let mut open = vec![vec![member.folder()]];
    let mut visited = BTreeSet::new();
    while let Some(path) = open.pop() {
        let last = *path.last()?;
        if WRITING.contains(&last) || (last == LISTING && !is_example) {
            let advice =
                format!("remove a dependency of {}: serving code must not reach a writer", path.join(" → "));
            return Some(Finding::new(&member.path, 1, RULE, advice));
        }
        for edge in edges.keys().filter(|edge| edge.from == last && edge.kind != Kind::Tests) {
            if visited.insert(edge.to.as_str()) {
                open.push(path.iter().copied().chain([edge.to.as_str()]).collect());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    fn findings(drawing: &str, files: &[(&str, &str)]) -> Vec<String> {
        let map = format!("<!-- a drawing -->\n```text\n{drawing}\n```\n");
        lines(&check(&Tree::of(&[files, &[(MAP, &map)]].concat())))
    }

    #[test]
    fn undrawn_dependency_is_found_with_its_path_to_a_writer() {
        let found = findings(
            "rest, store, ingest ──► nothing",
            &[
                (
                    "crates/rest/Cargo.toml",
                    "[dependencies]\nserde.workspace = true\nstore.workspace = true\n",
                ),
                ("crates/store/Cargo.toml", "[dependencies.ingest]\nworkspace = true\n"),
                ("crates/ingest/Cargo.toml", "[dependencies]\n"),
            ],
        );
        let undrawn = |edge: &str| {
            format!("edge: remove the dependency, or draw `{edge}` in docs/architecture.md with a reason")
        };
        let path =
            |path: &str| format!("edge: remove a dependency of {path}: serving code must not reach a writer");
        assert_eq!(
            found,
            [
                format!("crates/rest/Cargo.toml:3: {}", undrawn("rest ──► store")),
                format!("crates/store/Cargo.toml:1: {}", undrawn("store ──► ingest")),
                format!("crates/rest/Cargo.toml:1: {}", path("rest → store → ingest")),
                format!("crates/store/Cargo.toml:1: {}", path("store → ingest")),
            ]
        );
    }

    #[test]
    fn only_jobs_may_list_people() {
        let manifest = "[dependencies]\npeople.workspace = true\n";
        let found = findings(
            "rest ──► people\ntests/hosts/mail ──► people\npeople ──► nothing",
            &[
                ("crates/rest/Cargo.toml", manifest),
                ("tests/hosts/mail/Cargo.toml", manifest),
                ("crates/people/Cargo.toml", ""),
            ],
        );
        let advice = "remove a dependency of rest → people: serving code must not reach a writer";
        assert_eq!(found, [format!("crates/rest/Cargo.toml:1: edge: {advice}")]);
    }

    #[test]
    fn drawn_arrow_and_package_without_a_manifest_are_found() {
        let store = [("crates/store/Cargo.toml", "")];
        assert_eq!(
            findings("store ──► domain\nviews ──► nothing", &store),
            [
                "docs/architecture.md:4: edge: remove views: there is no such package",
                "docs/architecture.md:3: edge: remove `store ──► domain`: no manifest has it",
            ]
        );
    }

    #[test]
    fn kind_of_arrow_must_be_the_kind_of_dependency() {
        let files = [
            (
                "crates/domain/Cargo.toml",
                "[dev-dependencies]\nsupport = { path = \"../../tests/support\" }\n",
            ),
            ("tests/support/Cargo.toml", ""),
        ];
        assert_eq!(findings("domain ··► support\nsupport ──► nothing", &files), [""; 0]);
        assert_eq!(findings("domain ──► support\nsupport ──► nothing", &files).len(), 2);
    }

    #[test]
    fn second_entry_for_tests_needs_no_arrow() {
        let manifest = "[dependencies]\njson.workspace = true\n[dev-dependencies]\njson.workspace = true\n";
        let files = [("crates/auth/Cargo.toml", manifest), ("crates/json/Cargo.toml", "")];
        assert_eq!(findings("auth ──► json\njson ──► nothing", &files), [""; 0]);
    }

    #[test]
    fn imported_names_are_resolved_to_folders() {
        let files = [
            ("Cargo.toml", "[workspace.dependencies]\nledger = { path = \"tests/support\" }\n"),
            ("crates/auth/Cargo.toml", "[dependencies]\nledger.workspace = true\n"),
            ("tests/support/Cargo.toml", ""),
        ];
        assert_eq!(findings("auth ──► tests/support\nsupport ──► nothing", &files), [""; 0]);
    }

    #[test]
    fn server_has_writers_only_behind_its_feature() {
        let drawing = "server ┄┄► ingest\nserver ──► ingest\ningest, embedded ──► nothing";
        let server = |dependencies: &str| {
            let found = findings(
                drawing,
                &[
                    ("bins/server/Cargo.toml", dependencies),
                    ("crates/ingest/Cargo.toml", ""),
                    ("crates/embedded/Cargo.toml", ""),
                ],
            );
            found.into_iter().filter(|line| line.starts_with("bins/")).collect::<Vec<_>>()
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
    fn package_that_is_not_drawn_is_found() {
        let found =
            findings("store ──► nothing", &[("crates/new/Cargo.toml", ""), ("crates/store/Cargo.toml", "")]);
        assert_eq!(
            found,
            ["crates/new/Cargo.toml:1: edge: draw new and the packages it uses in docs/architecture.md"]
        );
    }
}
