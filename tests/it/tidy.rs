//! The project's own rules hold: run here too, so that neither a document nor the map can drift from the code.

use std::process::Command;

use xtask::tidy;

#[test]
fn the_repository_is_tidy() {
    let findings = tidy::run(&xtask::root());
    let listed: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(listed.is_empty(), "{} findings:\n{}", listed.len(), listed.join("\n"));
}

/// What the manifests promise, asked of cargo: without its default feature the server is built without a writer.
#[test]
fn the_serving_path_is_built_without_a_writer() {
    let options = ["--locked", "--edges", "normal", "--package", "passbook-server", "--prefix", "none"];
    let tree = |features: &[&str]| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.arg("tree").args(options).args(features).current_dir(xtask::root());
        let output = command.output().expect("cargo starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("package names are text")
    };
    let writers = |tree: &str| -> Vec<String> {
        let packages = tree.lines().filter_map(|line| line.split(' ').next());
        let mut found: Vec<String> = packages
            .filter(|name| ["passbook-embedded", "passbook-ingest", "passbook-schema"].contains(name))
            .map(str::to_owned)
            .collect();
        found.sort();
        found.dedup();
        found
    };
    let alone = tree(&["--no-default-features"]);
    assert!(alone.contains("passbook-store"), "{alone}");
    assert_eq!(writers(&alone), [""; 0]);
    // The names above are the right ones: with the feature they are there.
    assert_eq!(writers(&tree(&[])), ["passbook-embedded", "passbook-ingest", "passbook-schema"]);
}
