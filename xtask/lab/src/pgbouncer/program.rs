//! Finds `PgBouncer` on the machine, or downloads and unpacks Debian's package.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::{create_folder, print_line, run_quietly};

/// The path of Debian's installation. It may be missing from the search path.
const DEBIAN_PATH: &str = "/usr/sbin/pgbouncer";
/// The first version of `PgBouncer`, as major and minor number, that keeps prepared statements in transaction mode.
const PREPARED_STATEMENTS_SINCE: (u32, u32) = (1, 21);

pub(crate) struct Program {
    path: PathBuf,
    /// Folders of the downloaded libraries, separated by colons. `None` if `PgBouncer` is installed on the machine.
    libraries: Option<String>,
    /// The version of `PgBouncer`, such as `1.18.0`.
    pub(crate) version: String,
}

impl Program {
    pub(crate) fn command(&self) -> Command {
        command(&self.path, self.libraries.as_deref())
    }

    /// Returns true if this version keeps prepared statements in transaction mode.
    pub(crate) fn keeps_prepared_statements(&self) -> bool {
        let mut numbers = self.version.split('.').map(str::parse);
        match (numbers.next(), numbers.next()) {
            (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= PREPARED_STATEMENTS_SINCE,
            _ => false,
        }
    }

    /// Returns configuration lines for prepared statements. Older versions would refuse to start with them, so for
    /// those the text is empty.
    pub(crate) fn settings(&self) -> &'static str {
        if self.keeps_prepared_statements() { "max_prepared_statements = 100\n" } else { "" }
    }
}

/// Returns the machine's `PgBouncer`, or else the one that was unpacked in `folder`. Downloads the package if needed.
pub(crate) fn find(folder: &Path) -> Result<Program, String> {
    let own = ["pgbouncer", DEBIAN_PATH].into_iter().find_map(|path| runs(PathBuf::from(path), None));
    if let Some(program) = own.or_else(|| unpacked(folder)) {
        return Ok(program);
    }
    print_line("downloading Debian's package pgbouncer");
    let downloaded = download(folder).or_else(|_| {
        // The package lists may be missing or outdated. Updating them needs root.
        run_quietly("apt-get", &["update", "--quiet"], &[]).and_then(|_| download(folder))
    });
    let missing = |problem: &str| {
        format!("install PgBouncer (Debian's package pgbouncer). The download failed: {problem}")
    };
    downloaded.map_err(|problem| missing(&problem))?;
    unpacked(folder).ok_or_else(|| missing("the downloaded program does not start"))
}

/// Downloads and unpacks the package and its libraries. Needs no root.
fn download(folder: &Path) -> Result<(), String> {
    let described = run_quietly("apt-cache", &["show", "--no-all-versions", "pgbouncer"], &[])?;
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    create_folder(folder)?;
    let place = folder.display().to_string();
    let arguments = ["--chdir", &place, "apt-get", "download", "--quiet", "pgbouncer"];
    run_quietly("env", &[&arguments[..], &libraries(&described)].concat(), &[])?;
    let list = std::fs::read_dir(folder).map_err(|error| format!("{place}: {error}"))?;
    for package in list.filter_map(Result::ok).map(|entry| entry.path().display().to_string()) {
        if package.ends_with(".deb") {
            run_quietly("dpkg-deb", &["--extract", &package, &place], &[])?;
        }
    }
    Ok(())
}

/// Returns the libraries on which the package depends, except the C library, which the machine has.
fn libraries(described: &str) -> Vec<&str> {
    let depends = described.lines().find_map(|line| line.strip_prefix("Depends: ")).unwrap_or_default();
    let names = depends.split(',').filter_map(|package| package.split_whitespace().next());
    names.filter(|name| name.starts_with("lib") && *name != "libc6").collect()
}

fn unpacked(folder: &Path) -> Option<Program> {
    let places =
        ["usr/lib", "lib"].into_iter().filter_map(|place| std::fs::read_dir(folder.join(place)).ok());
    let libraries: Vec<String> =
        places.flatten().filter_map(Result::ok).map(|entry| entry.path().display().to_string()).collect();
    runs(folder.join("usr/sbin/pgbouncer"), Some(libraries.join(":")))
}

/// Returns the program if it starts and prints its version.
fn runs(path: PathBuf, libraries: Option<String>) -> Option<Program> {
    let output = command(&path, libraries.as_deref()).arg("--version").output().ok()?;
    let printed = String::from_utf8(output.stdout).ok()?;
    let version = printed.lines().next()?.strip_prefix("PgBouncer ")?.to_owned();
    Some(Program { path, libraries, version })
}

fn command(path: &Path, libraries: Option<&str>) -> Command {
    let mut command = Command::new(path);
    command.envs(libraries.map(|folders| ("LD_LIBRARY_PATH", folders))).stdin(Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        let program =
            |version: &str| Program { path: PathBuf::new(), libraries: None, version: version.to_owned() };
        assert!(program("1.21.0").keeps_prepared_statements() && program("2.0").keeps_prepared_statements());
        assert!(
            !program("1.18.0").keeps_prepared_statements() && !program("1.9.1").keeps_prepared_statements()
        );
        assert_eq!(program("1.18.0").settings(), "");
    }

    #[test]
    fn only_libraries_are_downloaded() {
        let described =
            "Package: pgbouncer\nDepends: lsb-base (>= 3), libc-ares2 (>= 1.12), libc6, libsystemd0 | a\n";
        assert_eq!(libraries(described), ["libc-ares2", "libsystemd0"]);
        assert!(libraries("").is_empty());
    }
}
