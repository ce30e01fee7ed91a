//! Copies the demo household from the oldest supported PostgreSQL to the same version and to the newest one, with
//! `pg_dump` and `psql`, and with a backup. Every response of REST must be byte-identical before and after.
//!
//! The work is done by `xtask/lab/programs/copied_databases`, which also lists the ways to copy a database.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::suite::{self, SuiteContext};
use crate::command::{create_folder, print_line, run_quietly, run_shown};

/// The programs of the oldest supported PostgreSQL in Debian's package.
const OLD_PROGRAMS: &str = "/usr/lib/postgresql/15/bin";
/// Debian's package with these programs.
const OLD_PACKAGE: &str = "postgresql-15";
/// Programs that the suite needs in that folder.
const NEEDED: [&str; 5] = ["postgres", "initdb", "pg_dump", "pg_dumpall", "psql"];

pub(super) fn run(context: &SuiteContext<'_>) -> Result<(), String> {
    let programs = find_programs()?;
    let build = ["build", "--quiet", "--features", "passbook-tests/lab", "--example", "copied_databases"];
    run_shown("cargo", &build, context.root)?;
    let folder = context.work.join("dump");
    remove_clusters(&folder)?;
    create_folder(&folder)?;
    let program = context.root.join("target/debug/examples/copied_databases");
    let copied = suite::run(Command::new(program).arg(programs).arg(&folder));
    copied.and(remove_clusters(&folder))
}

/// Returns the folder with the programs of the oldest PostgreSQL. Installs Debian's package if needed, which needs root.
fn find_programs() -> Result<PathBuf, String> {
    let folder = PathBuf::from(OLD_PROGRAMS);
    if is_complete(&folder) {
        return Ok(folder);
    }
    print_line(&format!("installing Debian's package {OLD_PACKAGE}"));
    let install = ["install", "--yes", "--quiet", "--no-install-recommends", OLD_PACKAGE];
    let installed = run_quietly("apt-get", &install, &[]).or_else(|_| {
        // The package lists may be missing or outdated.
        run_quietly("apt-get", &["update", "--quiet"], &[])
            .and_then(|_| run_quietly("apt-get", &install, &[]))
    });
    let missing =
        |problem: &str| format!("install Debian's package {OLD_PACKAGE}. The installation failed: {problem}");
    installed.map_err(|problem| missing(&problem))?;
    if is_complete(&folder) { Ok(folder) } else { Err(missing("programs are missing")) }
}

fn is_complete(folder: &Path) -> bool {
    NEEDED.iter().all(|program| folder.join(program).is_file())
}

/// Removes the clusters and dumps of a run. The downloaded PostgreSQL stays for the next run.
fn remove_clusters(folder: &Path) -> Result<(), String> {
    let Ok(entries) = folder.read_dir() else { return Ok(()) };
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        let removed = match path.file_name().and_then(|name| name.to_str()) {
            Some("newest") => Ok(()),
            _ if path.is_dir() => std::fs::remove_dir_all(&path),
            _ => std::fs::remove_file(&path),
        };
        removed.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
