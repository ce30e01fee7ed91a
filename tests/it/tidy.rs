//! The project's own rules hold: run here too, so that neither a document nor the map can drift from the code.

use std::process::Command;

use xtask::tidy;

#[test]
fn the_repository_is_tidy() {
    let findings = tidy::run(&xtask::root());
    let listed: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(listed.is_empty(), "{} findings:\n{}", listed.len(), listed.join("\n"));
}

/// The packages that a build of a package consists of, as cargo resolves them for it alone.
fn packages(package: &str, features: &[&str]) -> Vec<String> {
    let options = ["--locked", "--edges", "normal", "--prefix", "none", "--package", package];
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.arg("tree").args(options).args(features).current_dir(xtask::root());
    let output = command.output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("package names are text");
    let mut packages: Vec<String> =
        tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    packages.sort();
    packages.dedup();
    packages
}

/// Those of some names that are among the packages.
fn among<'a>(names: &[&'a str], packages: &[String]) -> Vec<&'a str> {
    names.iter().copied().filter(|name| packages.iter().any(|package| package == name)).collect()
}

const WRITERS: [&str; 5] =
    ["passbook-demo", "passbook-embedded", "passbook-formats", "passbook-ingest", "passbook-schema"];

/// What the manifests promise, asked of cargo: without its default feature the server is built without a writer.
#[test]
fn the_serving_path_is_built_without_a_writer() {
    let alone = packages("passbook-server", &["--no-default-features"]);
    assert_eq!(among(&["passbook-store"], &alone), ["passbook-store"]);
    assert_eq!(among(&WRITERS, &alone), [""; 0]);
    // The names above are the right ones: with the feature they are there.
    assert_eq!(among(&WRITERS, &packages("passbook-server", &[])), WRITERS);
}

/// Members of a workspace share their features, so what an embedder gets is asked for each host alone.
#[test]
fn a_host_is_built_of_what_it_names_and_nothing_else() {
    const STRANGERS: [&str; 11] = [
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
        assert_eq!(among(&STRANGERS, &packages), [""; 0], "{host}");
        assert_eq!(among(&DATABASE, &packages), database, "{host}");
        assert_eq!(among(&WEB, &packages), web, "{host}");
    }
}
