//! Installs the programs that CI needs besides those that the README names.

use std::path::Path;
use std::process::{Command, Stdio};

/// The oldest supported version of PostgreSQL.
const POSTGRES_OLDEST_MAJOR: u32 = 15;
/// Folder of PostgreSQL in Debian: a folder for each version.
const POSTGRES: &str = "/usr/lib/postgresql";

/// A check that a program is present, and the Debian packages that contain it.
type Program = (fn() -> bool, &'static str);

/// `tests/system` uses bash, git, jq, psql, Redis and Python. The suites of `cargo lab` use the others: npm installs
/// programs, Chromium draws, and pgrep finds the processes of PostgreSQL.
const PROGRAMS: [Program; 9] = [
    (|| starts("bash", &["--version"]), "bash"),
    (|| starts("chromium", &["--version"]), "chromium fonts-dejavu-core"),
    (|| starts("git", &["--version"]), "git"),
    (|| starts("jq", &["--version"]), "jq"),
    (|| starts("npm", &["--version"]), "npm"),
    (has_postgres, "postgresql postgresql-client"),
    (|| starts("pgrep", &["--version"]), "procps"),
    // On Debian the module venv exists without its dependencies, so an environment is created.
    (has_python_environments, "python3 python3-venv"),
    (|| starts("redis-server", &["--version"]), "redis-server"),
];

/// Installs what is missing with apt.
///
/// # Errors
/// Something is missing, and this process is not root or there is no apt: the message has the command. Or apt fails.
#[expect(clippy::print_stderr, reason = "the progress is printed for the person at the terminal")]
pub(super) fn install() -> Result<(), String> {
    let missing = PROGRAMS.iter().filter(|(is_present, _)| !is_present());
    let missing: Vec<&str> = missing.flat_map(|(_, packages)| packages.split(' ')).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let command = format!("apt-get install --yes --no-install-recommends {}", missing.join(" "));
    if !starts("apt-get", &["--version"]) || !is_root() {
        return Err(format!("ci needs more programs. Install them: sudo {command}"));
    }
    eprintln!("== {command}");
    // A server that a package starts would occupy its port.
    let script =
        format!("apt-get update --quiet && DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 {command} --quiet");
    let status = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).status();
    let installed =
        status.is_ok_and(|status| status.success()) && PROGRAMS.iter().all(|(is_present, _)| is_present());
    if installed { Ok(()) } else { Err(format!("the installation failed: {command}")) }
}

fn starts(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout == b"0\n")
}

/// Returns true if a supported PostgreSQL with its client programs is in Debian's folder.
fn has_postgres() -> bool {
    let version = |name: &std::ffi::OsStr| name.to_str().and_then(|name| name.parse::<u32>().ok());
    let is_supported =
        |folder: &std::fs::DirEntry| version(&folder.file_name()) >= Some(POSTGRES_OLDEST_MAJOR);
    let folders = Path::new(POSTGRES).read_dir().into_iter().flatten().flatten().filter(is_supported);
    let mut programs =
        folders.map(|folder| ["bin/postgres", "bin/pg_dumpall"].map(|name| folder.path().join(name)));
    programs.any(|paths| paths.iter().all(|path| path.is_file())) && starts("psql", &["--version"])
}

fn has_python_environments() -> bool {
    let folder = std::env::temp_dir().join(format!("passbook-ci-python-{}", std::process::id()));
    let created = starts("python3", &["-m", "venv", &folder.to_string_lossy()]);
    let removed = std::fs::remove_dir_all(&folder);
    created && removed.is_ok()
}
