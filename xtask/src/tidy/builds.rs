//! Finds crates that must be absent from the build of the server or of an example host.
//!
//! `cargo tree` resolves each package alone, as a program outside of this repository does. `deny.toml` restricts who uses a
//! writing crate at all; this rule also knows features.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Finding;
use crate::repository::{Tree, read_cargo};

const RULE: &str = "build";
/// The options for a build of the server, and the crates that must be absent. The feature `embedded`, which is on by
/// default, adds the writers that the private database needs.
const SERVER: [(&str, &str); 3] = [
    ("--no-default-features", "dashboard demo embedded ingest matching records schema"),
    ("--no-default-features --features dashboard", "demo embedded ingest matching records schema"),
    ("", "beancount matching statements"),
];
/// Folders of the example hosts and adapters.
const EXAMPLES: [&str; 2] = ["tests/hosts/", "tests/adapters/"];
/// Crates that must be absent from each example: those that write, and those that a host does not need.
const NOT_IN_EXAMPLES: &str =
    "demo embedded ingest matching records schema clap proptest reqwest tracing-subscriber";
/// Crates that must also be absent without a database. The C code of `aws-lc-sys` takes longer to compile than the rest.
const NOT_WITHOUT_STORE: &str = "aws-lc-sys deadpool-postgres tokio-postgres";
/// Maximum number of crates in the build of an example without and with a database. `docs/embedding.md` states both.
const CRATES_MAX: [usize; 2] = [100, 150];
/// The document that shows the manifest of a host, and the name of the package that is made of it.
const DOCUMENT: &str = "docs/embedding.md";
const SHOWN: &str = "passbook-host";

pub(super) fn check(root: &Path, tree: &Tree) -> Vec<Finding> {
    let build =
        |(options, absent)| crates(root, "passbook-server", options).map(|crates| present(&crates, absent));
    let mut advice: Vec<_> = SERVER.into_iter().map(|row| ("passbook-server", build(row))).collect();
    for (path, manifest) in EXAMPLES.iter().flat_map(|folder| tree.texts_in(folder, "/Cargo.toml")) {
        let package =
            manifest.split("name = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or(path);
        advice.push((package, crates(root, package, "").map(|crates| example(&crates))));
    }
    let shown = shown_host(root, tree.text(DOCUMENT).unwrap_or_default());
    let shown = shown.and_then(|folder| Ok(example(&crates(&folder, SHOWN, "")?)));
    advice.push((DOCUMENT, shown));
    let advice = advice.into_iter().flat_map(|(package, found)| {
        let found = found.unwrap_or_else(|error| vec![error]);
        found.into_iter().map(move |advice| format!("{package}: {advice}"))
    });
    advice.map(|advice| Finding::new("Cargo.toml", 1, RULE, advice)).collect()
}

/// Returns the names of the crates in the build of a package for Linux, with build scripts.
fn crates(folder: &Path, package: &str, options: &str) -> Result<BTreeSet<String>, String> {
    let target = "--target x86_64-unknown-linux-gnu --edges normal,build";
    let options = format!("{options} {}", if package == SHOWN { "--offline" } else { "--locked" });
    let names = read_cargo(folder, &format!("tree --prefix none {target} --package {package} {options}"))?;
    let names = names.lines().filter_map(|line| line.split_whitespace().next());
    Ok(names.map(|name| name.trim_start_matches("passbook-").to_owned()).collect())
}

/// Returns an instruction for each crate that is in a build and must be absent.
fn present(crates: &BTreeSet<String>, absent: &str) -> Vec<String> {
    let found = absent.split_whitespace().filter(|name| crates.contains(*name));
    found.map(|name| format!("remove {name} from the build")).collect()
}

fn example(crates: &BTreeSet<String>) -> Vec<String> {
    let has_store = crates.contains("store");
    let absent = format!("{NOT_IN_EXAMPLES} {}", if has_store { "" } else { NOT_WITHOUT_STORE });
    let mut advice = present(crates, &absent);
    let most = CRATES_MAX[usize::from(has_store)];
    if crates.len() > most {
        advice.push(format!("remove dependencies: the build has {} crates, at most {most}", crates.len()));
    }
    advice
}

/// Creates a package with the manifest that the document shows, outside of this workspace and beside a folder `passbook`.
/// Returns its folder.
fn shown_host(root: &Path, document: &str) -> Result<PathBuf, String> {
    let block =
        document.split_once("<!-- manifest -->\n```toml\n").and_then(|(_, rest)| rest.split_once("```"));
    let (dependencies, _) = block.ok_or("the document shows no manifest")?;
    let folder = root.join("target/tools/shown-manifest");
    let host = folder.join("host");
    let package =
        "[package]\nname = \"passbook-host\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    let create = || {
        std::fs::create_dir_all(host.join("src"))?;
        if !folder.join("passbook").exists() {
            std::os::unix::fs::symlink(root, folder.join("passbook"))?;
        }
        std::fs::write(host.join("Cargo.toml"), format!("{package}{dependencies}"))?;
        std::fs::write(host.join("src/main.rs"), "fn main() {}\n")?;
        std::fs::copy(root.join("Cargo.lock"), host.join("Cargo.lock"))
    };
    create().map_err(|error: std::io::Error| format!("{}: {error}", folder.display()))?;
    Ok(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_that_an_example_must_not_build_are_found() {
        let found = |names: &str| example(&names.split(' ').map(str::to_owned).collect()).join("; ");
        assert_eq!(found("web hyper"), "");
        assert_eq!(found("store tokio-postgres"), "");
        assert_eq!(found("web tokio-postgres"), "remove tokio-postgres from the build");
        assert_eq!(found("ingest records"), "remove ingest from the build; remove records from the build");
        let many = |count: usize| (0..count).map(|number| format!("a{number}")).collect::<Vec<_>>().join(" ");
        assert_eq!(found(&many(100)), "");
        assert_eq!(found(&many(101)), "remove dependencies: the build has 101 crates, at most 100");
        assert_eq!(found(&format!("store {}", many(100))), "");
    }
}
