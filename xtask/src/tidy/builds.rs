//! Compares the crates in the build of the server, and of each example, with the expected ones.
//!
//! Cargo unifies features within a workspace, so `cargo tree` resolves each package alone, as a program outside of this
//! repository does.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use super::Finding;
use crate::tree::Tree;

const RULE: &str = "build";
/// The prefix of the names of this workspace's packages.
const PREFIX: &str = "passbook-";
/// Crates that no example may need.
const FORBIDDEN: [&str; 4] = ["clap", "proptest", "reqwest", "tracing-subscriber"];
/// Clients of PostgreSQL.
const DATABASE: [&str; 2] = ["deadpool-postgres", "tokio-postgres"];

/// The crates of the server without its default features. None of them writes, and none serves pictures.
const SERVER: &[&str] = &[
    "auth",
    "domain",
    "fault",
    "json",
    "mcp",
    "oauth",
    "operations",
    "rest",
    "server",
    "settings",
    "store",
    "transport",
    "web",
];
/// The crates that the feature `dashboard` adds to the server.
const DASHBOARD: &[&str] = &["dashboard", "views"];
/// The crates that the feature `embedded` adds to the server.
const EMBEDDED: &[&str] = &["demo", "embedded", "formats", "ingest", "schema"];

/// Each example host or adapter with the crates of this repository in its build, besides itself: those in its manifest,
/// and those that these need.
const EXAMPLES: [(&str, &[&str]); 10] = [
    (
        "hyper-host",
        &["auth", "domain", "fault", "json", "mcp", "oauth", "operations", "rest", "store", "web"],
    ),
    ("axum-host", &["auth", "domain", "fault", "oauth", "operations", "rest", "store", "web"]),
    ("direct-host", &["auth", "domain", "fault", "operations", "store"]),
    ("own-ledger-host", &["auth", "domain", "fault", "oauth", "operations", "rest", "web"]),
    ("session-host", &["auth", "domain", "fault", "oauth", "operations", "own-ledger-host", "rest", "web"]),
    (
        "operation-host",
        &[
            "auth",
            "domain",
            "fault",
            "json",
            "json-rpc",
            "mcp",
            "oauth",
            "operations",
            "own-ledger-host",
            "rest",
            "web",
        ],
    ),
    ("table-cli", &["auth", "domain", "fault", "oauth", "operations", "own-ledger-host", "rest", "web"]),
    ("weekly-mail-job", &["domain", "fault", "operations", "people", "store"]),
    ("json-rpc", &["auth", "domain", "fault", "operations", "web"]),
    ("report", &["auth", "domain", "fault", "operations", "web"]),
];

/// The document that shows the manifest of a host.
const DOCUMENT: &str = "docs/embedding.md";
/// The crates that the shown manifest names, and those that these need.
const SHOWN: &[&str] =
    &["auth", "domain", "fault", "json", "mcp", "oauth", "operations", "rest", "store", "web"];

pub(super) fn check(root: &Path, tree: &Tree) -> Vec<Finding> {
    let builds = [
        (&["--no-default-features"][..], [SERVER].concat()),
        (&["--no-default-features", "--features", "dashboard"], [SERVER, DASHBOARD].concat()),
        (&[], [SERVER, DASHBOARD, EMBEDDED].concat()),
    ];
    let servers = builds.iter().map(|(features, expected)| {
        names(root, "passbook-server", features).map(|names| own_crates("bins/server", &names, expected))
    });
    let examples = EXAMPLES.iter().map(|(example, others)| {
        let expected = [others, &[*example][..]].concat();
        names(root, &format!("{PREFIX}{example}"), &[]).map(|names| {
            let mut findings = own_crates(example, &names, &expected);
            findings.extend(foreign_crates(example, &names, &expected));
            findings
        })
    });
    let shown = names_of_shown(root, tree.text(DOCUMENT).unwrap_or_default())
        .map(|names| own_crates(DOCUMENT, &names, &[SHOWN, &["host"]].concat()));
    let all = servers.chain(examples).chain([shown]);
    all.flat_map(|found| found.unwrap_or_else(|error| vec![Finding::new("Cargo.toml", 1, RULE, error)]))
        .collect()
}

/// Returns the crates in the build of a package, with their versions. `options` are options of `cargo tree`.
///
/// # Errors
/// The output of cargo, if it cannot resolve the package.
pub(super) fn crates(folder: &Path, package: &str, options: &[&str]) -> Result<BTreeSet<String>, String> {
    let mut cargo = Command::new(crate::repository::cargo());
    cargo.args(["tree", "--prefix", "none", "--package", package]).args(options);
    let output =
        cargo.current_dir(folder).output().map_err(|error| format!("cargo did not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("fix {package}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let name_and_version = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let lines = String::from_utf8_lossy(&output.stdout);
    Ok(lines.lines().filter(|line| !line.is_empty()).map(name_and_version).collect())
}

/// Returns the names of the crates in the build of a package, without build scripts.
fn names(root: &Path, package: &str, features: &[&str]) -> Result<BTreeSet<String>, String> {
    Ok(names_in(&crates(root, package, &[&["--edges", "normal", "--locked"], features].concat())?))
}

fn names_in(crates: &BTreeSet<String>) -> BTreeSet<String> {
    crates.iter().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// Returns the names of the crates in the build of a package with the manifest that the document shows. The package lies
/// outside of this workspace, in a folder beside a folder `passbook`.
fn names_of_shown(root: &Path, document: &str) -> Result<BTreeSet<String>, String> {
    let block =
        document.split_once("<!-- manifest -->\n```toml\n").and_then(|(_, rest)| rest.split_once("```"));
    let (dependencies, _) = block.ok_or_else(|| format!("{DOCUMENT} shows no manifest"))?;
    let folder = root.join("target/tools/shown-manifest");
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let host = folder.join("host");
    std::fs::create_dir_all(host.join("src")).map_err(failed)?;
    if !folder.join("passbook").exists() {
        std::os::unix::fs::symlink(root, folder.join("passbook")).map_err(failed)?;
    }
    let package =
        "[package]\nname = \"passbook-host\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    std::fs::write(host.join("Cargo.toml"), format!("{package}{dependencies}")).map_err(failed)?;
    std::fs::write(host.join("src/main.rs"), "fn main() {}\n").map_err(failed)?;
    std::fs::copy(root.join("Cargo.lock"), host.join("Cargo.lock")).map_err(failed)?;
    let crates = crates(&host, "passbook-host", &["--edges", "normal", "--offline"])?;
    Ok(names_in(&crates))
}

/// Compares the crates of this workspace in a build with the expected ones.
fn own_crates(package: &str, names: &BTreeSet<String>, expected: &[&str]) -> Vec<Finding> {
    let expected: BTreeSet<&str> = expected.iter().copied().collect();
    let found: BTreeSet<&str> = names.iter().filter_map(|name| name.strip_prefix(PREFIX)).collect();
    if found == expected {
        return Vec::new();
    }
    let list = |names: Vec<&&str>| names.iter().map(|name| **name).collect::<Vec<_>>().join(", ");
    let (more, less) = (found.difference(&expected).collect(), expected.difference(&found).collect());
    let advice = format!(
        "the build of {package} has other crates than xtask/src/tidy/builds.rs lists: more [{}], less [{}]",
        list(more),
        list(less)
    );
    vec![Finding::new("Cargo.toml", 1, RULE, advice)]
}

/// Compares the crates of others in the build of an example with what the example does.
fn foreign_crates(example: &str, names: &BTreeSet<String>, expected: &[&str]) -> Vec<Finding> {
    let (has_database, serves_http) = (expected.contains(&"store"), expected.contains(&"web"));
    let has_axum = ["axum-host", "session-host"].contains(&example);
    let mut rules: Vec<(&str, bool)> = FORBIDDEN.iter().map(|name| (*name, false)).collect();
    rules.extend(DATABASE.iter().map(|name| (*name, has_database)));
    rules.extend([("hyper", serves_http), ("axum", has_axum)]);
    if !has_database {
        rules.push(("aws-lc-sys", false));
    }
    let broken = rules.into_iter().filter(|(name, wanted)| names.contains(*name) != *wanted);
    broken
        .map(|(name, wanted)| {
            let advice =
                format!("the build of {example} must {}contain {name}", if wanted { "" } else { "not " });
            Finding::new("Cargo.toml", 1, RULE, advice)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn missing_and_additional_crates_are_found() {
        let names = set(&["passbook-rest", "passbook-ingest", "hyper"]);
        assert_eq!(own_crates("a", &names, &["rest", "ingest"]), []);
        let advice =
            "the build of a has other crates than xtask/src/tidy/builds.rs lists: more [ingest], less [web]";
        assert_eq!(
            lines(&own_crates("a", &names, &["rest", "web"])),
            [format!("Cargo.toml:1: build: {advice}")]
        );
    }

    #[test]
    fn example_with_heavy_or_absent_crates_is_found() {
        let found = |names: &[&str], expected: &[&str]| lines(&foreign_crates("a", &set(names), expected));
        assert_eq!(found(&["hyper"], &["web"]), [""; 0]);
        assert_eq!(
            found(&["hyper", "tokio-postgres", "deadpool-postgres", "aws-lc-sys"], &["web", "store"]),
            [""; 0]
        );
        let advice = ["must not contain clap", "must contain hyper", "must not contain aws-lc-sys"];
        assert_eq!(
            found(&["clap", "aws-lc-sys"], &["web"]),
            advice.map(|advice| format!("Cargo.toml:1: build: the build of a {advice}"))
        );
    }
}
