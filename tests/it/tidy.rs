//! The repository's own rules, run with the tests, so that documents and architecture stay in step with the code.

use std::process::Command;

use xtask::tidy;

#[test]
fn tidy_finds_no_problems() {
    let findings = tidy::run(&xtask::root());
    let listed: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(listed.is_empty(), "{} findings:\n{}", listed.len(), listed.join("\n"));
}

/// The packages in the build of a package, as cargo resolves them for that package alone.
fn packages(package: &str, features: &[&str]) -> Vec<String> {
    let options = ["--locked", "--edges", "normal", "--prefix", "none", "--package", package];
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.arg("tree").args(options).args(features).current_dir(xtask::root());
    let output = command.output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let mut packages: Vec<String> =
        tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    packages.sort();
    packages.dedup();
    packages
}

/// The names that are among the packages.
fn among<'a>(names: &[&'a str], packages: &[String]) -> Vec<&'a str> {
    names.iter().copied().filter(|name| packages.iter().any(|package| package == name)).collect()
}

/// The crates of this repository among the packages, without the prefix of their names.
fn crates(packages: &[String]) -> Vec<&str> {
    packages.iter().filter_map(|package| package.strip_prefix("passbook-")).collect()
}

/// The crates of the server without its default feature. None of them writes.
const SERVER: [&str; 12] = [
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
    "web",
];
/// The crates that the feature `embedded` adds to the server.
const EMBEDDED: [&str; 5] = ["demo", "embedded", "formats", "ingest", "schema"];

#[test]
fn server_without_embedded_feature_has_no_writing_crate() {
    assert_eq!(crates(&packages("passbook-server", &["--no-default-features"])), SERVER);
    let mut all = [&SERVER[..], &EMBEDDED].concat();
    all.sort_unstable();
    assert_eq!(crates(&packages("passbook-server", &[])), all);
}

/// Each example host or adapter, and the crates of this repository in its build: itself, the crates in its manifest, and
/// the crates that these need.
const EXAMPLES: [(&str, &[&str]); 5] = [
    (
        "hyper-host",
        &[
            "auth",
            "domain",
            "fault",
            "hyper-host",
            "json",
            "mcp",
            "oauth",
            "operations",
            "rest",
            "store",
            "web",
        ],
    ),
    (
        "axum-host",
        &["auth", "axum-host", "domain", "fault", "json", "oauth", "operations", "rest", "store", "web"],
    ),
    ("direct-host", &["auth", "direct-host", "domain", "fault", "operations", "store"]),
    (
        "own-ledger-host",
        &["auth", "domain", "fault", "json", "oauth", "operations", "own-ledger-host", "rest", "web"],
    ),
    ("report", &["auth", "domain", "fault", "operations", "report", "web"]),
];

/// Features are unified within a workspace, so each example is resolved alone, as an embedder would build it.
#[test]
fn example_is_built_only_of_the_crates_that_it_names() {
    const FORBIDDEN: [&str; 3] = ["clap", "proptest", "tracing-subscriber"];
    const DATABASE: [&str; 2] = ["deadpool-postgres", "tokio-postgres"];
    for (example, expected) in EXAMPLES {
        let packages = packages(&format!("passbook-{example}"), &[]);
        assert_eq!(crates(&packages), expected, "{example}");
        assert_eq!(among(&FORBIDDEN, &packages), [""; 0], "{example}");
        let database = if expected.contains(&"store") { &DATABASE[..] } else { &[] };
        assert_eq!(among(&DATABASE, &packages), database, "{example}");
        let serves_http = expected.contains(&"web");
        assert_eq!(among(&["hyper"], &packages).is_empty(), !serves_http, "{example}");
        assert_eq!(among(&["axum"], &packages).is_empty(), example != "axum-host", "{example}");
    }
}
