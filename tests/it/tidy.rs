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
    packages_of("Cargo.toml", package, features)
}

/// The same for a package of the workspace with this manifest.
fn packages_of(manifest: &str, package: &str, features: &[&str]) -> Vec<String> {
    let options = ["--locked", "--edges", "normal", "--prefix", "none", "--package", package];
    let features = &[&["--manifest-path", manifest], features].concat();
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

/// The crates of the server without its default features. None of them writes, and none serves pictures.
const SERVER: [&str; 13] = [
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
const DASHBOARD: [&str; 2] = ["dashboard", "views"];
/// The crates that the feature `embedded` adds to the server.
const EMBEDDED: [&str; 5] = ["demo", "embedded", "formats", "ingest", "schema"];

#[test]
fn server_without_features_has_no_writing_crate_and_no_dashboard() {
    assert_eq!(crates(&packages("passbook-server", &["--no-default-features"])), SERVER);
    let sorted = |mut crates: Vec<&'static str>| {
        crates.sort_unstable();
        crates
    };
    let with_dashboard = packages("passbook-server", &["--no-default-features", "--features", "dashboard"]);
    assert_eq!(crates(&with_dashboard), sorted([&SERVER[..], &DASHBOARD].concat()));
    let all = sorted([&SERVER[..], &DASHBOARD, &EMBEDDED].concat());
    assert_eq!(crates(&packages("passbook-server", &[])), all);
}

/// Each example host or adapter with the folder of its manifest, and the crates of this repository in its build: itself,
/// the crates in its manifest, and the crates that these need.
const EXAMPLES: [(&str, &str, &[&str]); 10] = [
    (
        "hyper-host",
        "tests/hosts/hyper_host",
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
        "tests/hosts/axum_host",
        &["auth", "axum-host", "domain", "fault", "oauth", "operations", "rest", "store", "web"],
    ),
    (
        "direct-host",
        "tests/hosts/direct_host",
        &["auth", "direct-host", "domain", "fault", "operations", "store"],
    ),
    (
        "own-ledger-host",
        "tests/hosts/own_ledger_host",
        &["auth", "domain", "fault", "oauth", "operations", "own-ledger-host", "rest", "web"],
    ),
    (
        "session-host",
        "tests/hosts/session_host",
        &["auth", "domain", "fault", "oauth", "operations", "own-ledger-host", "rest", "session-host", "web"],
    ),
    (
        "operation-host",
        "tests/hosts/operation_host",
        &[
            "auth",
            "domain",
            "fault",
            "json",
            "json-rpc",
            "mcp",
            "oauth",
            "operation-host",
            "operations",
            "own-ledger-host",
            "rest",
            "web",
        ],
    ),
    (
        "table-cli",
        "tests/hosts/table_cli",
        &["auth", "domain", "fault", "oauth", "operations", "own-ledger-host", "rest", "table-cli", "web"],
    ),
    (
        "weekly-mail-job",
        "tests/hosts/weekly_mail_job",
        &["domain", "fault", "operations", "people", "store", "weekly-mail-job"],
    ),
    ("json-rpc", ".", &["auth", "domain", "fault", "json-rpc", "operations", "web"]),
    ("report", ".", &["auth", "domain", "fault", "operations", "report", "web"]),
];

/// Features are unified within a workspace, so each example is resolved alone, as an embedder would build it.
#[test]
fn example_is_built_only_of_the_crates_that_it_names() {
    const FORBIDDEN: [&str; 4] = ["clap", "proptest", "reqwest", "tracing-subscriber"];
    const DATABASE: [&str; 2] = ["deadpool-postgres", "tokio-postgres"];
    for (example, folder, expected) in EXAMPLES {
        let manifest = format!("{folder}/Cargo.toml");
        let packages = packages_of(&manifest, &format!("passbook-{example}"), &[]);
        assert_eq!(crates(&packages), expected, "{example}");
        assert_eq!(among(&FORBIDDEN, &packages), [""; 0], "{example}");
        let has_database = expected.contains(&"store");
        assert!(has_database || among(&["aws-lc-sys"], &packages).is_empty(), "{example}");
        let database = if has_database { &DATABASE[..] } else { &[] };
        assert_eq!(among(&DATABASE, &packages), database, "{example}");
        let serves_http = expected.contains(&"web");
        assert_eq!(among(&["hyper"], &packages).is_empty(), !serves_http, "{example}");
        let has_axum = ["axum-host", "session-host"].contains(&example);
        assert_eq!(among(&["axum"], &packages).is_empty(), !has_axum, "{example}");
    }
}
