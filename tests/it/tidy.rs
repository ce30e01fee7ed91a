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

const WRITERS: [&str; 5] =
    ["passbook-demo", "passbook-embedded", "passbook-formats", "passbook-ingest", "passbook-schema"];

/// Without its default feature the server is built without a crate that writes.
#[test]
fn server_without_embedded_feature_has_no_writing_crate() {
    let alone = packages("passbook-server", &["--no-default-features"]);
    assert_eq!(among(&["passbook-store"], &alone), ["passbook-store"]);
    assert_eq!(among(&WRITERS, &alone), [""; 0]);
    // With the feature the crates are present, which proves that the names above are right.
    assert_eq!(among(&WRITERS, &packages("passbook-server", &[])), WRITERS);
}

/// Features are unified within a workspace, so each host is resolved alone, as an embedder would build it.
#[test]
fn host_is_built_only_of_the_crates_that_it_names() {
    const FORBIDDEN: [&str; 11] = [
        "passbook-demo",
        "passbook-embedded",
        "passbook-formats",
        "passbook-ingest",
        "passbook-schema",
        "passbook-server",
        "passbook-admin",
        "passbook-tests",
        "clap",
        "proptest",
        "tracing-subscriber",
    ];
    const DATABASE: [&str; 3] = ["deadpool-postgres", "passbook-store", "tokio-postgres"];
    const WEB: [&str; 3] = ["axum", "hyper", "passbook-rest"];
    for (host, database, web) in [
        ("passbook-hyper-host", &DATABASE[..], &WEB[1..]),
        ("passbook-axum-host", &DATABASE[..], &WEB[..]),
        ("passbook-direct-host", &DATABASE[..], &[][..]),
        ("passbook-own-ledger-host", &[][..], &WEB[1..]),
        ("passbook-report", &[][..], &WEB[1..2]),
    ] {
        let packages = packages(host, &[]);
        assert_eq!(among(&FORBIDDEN, &packages), [""; 0], "{host}");
        assert_eq!(among(&DATABASE, &packages), database, "{host}");
        assert_eq!(among(&WEB, &packages), web, "{host}");
    }
}
