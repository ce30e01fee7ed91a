//! Installs the programs that CI needs besides those that the README names.

use std::path::Path;
use std::process::{Command, Stdio};

/// The oldest supported version of PostgreSQL.
const POSTGRES_OLDEST_MAJOR: u32 = 15;
/// Folder of PostgreSQL in Debian: a folder for each version.
const POSTGRES: &str = "/usr/lib/postgresql";

/// A program, and the Debian packages that contain it.
struct Program {
    packages: &'static str,
    is_present: fn() -> bool,
}

/// The programs and their use:
///
/// | program | use |
/// |---|---|
/// | bash, git, jq, psql, Redis | `tests/system` |
/// | npm, Chromium | `cargo lab clients` installs programs, and draws with a browser |
/// | pgrep | `cargo lab faults` stops all processes of PostgreSQL |
/// | PostgreSQL | servers of `cargo lab` |
/// | Python | `tests/system` and most suites of `cargo lab` |
const PROGRAMS: [Program; 9] = [
    Program { packages: "bash", is_present: || starts("bash", &["--version"]) },
    Program { packages: "chromium fonts-dejavu-core", is_present: || starts("chromium", &["--version"]) },
    Program { packages: "git", is_present: || starts("git", &["--version"]) },
    Program { packages: "jq", is_present: || starts("jq", &["--version"]) },
    Program { packages: "npm", is_present: || starts("npm", &["--version"]) },
    Program { packages: "postgresql postgresql-client", is_present: has_postgres },
    Program { packages: "procps", is_present: || starts("pgrep", &["--version"]) },
    // On Debian the module venv exists without its dependencies, so an environment is created.
    Program { packages: "python3 python3-venv", is_present: has_python_environments },
    Program { packages: "redis-server", is_present: || starts("redis-server", &["--version"]) },
];

/// Installs what is missing with apt.
///
/// # Errors
/// Something is missing, and this process is not root or there is no apt: the message has the command. Or apt fails.
#[expect(clippy::print_stderr, reason = "the progress is printed for the person at the terminal")]
pub(super) fn install() -> Result<(), String> {
    let missing = PROGRAMS.iter().filter(|program| !(program.is_present)());
    let missing: Vec<&str> = missing.flat_map(|program| program.packages.split(' ')).collect();
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
        status.is_ok_and(|status| status.success()) && PROGRAMS.iter().all(|program| (program.is_present)());
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
    let versions = Path::new(POSTGRES).read_dir().into_iter().flatten().flatten();
    let supported = versions.filter(|version| {
        version
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
            .is_some_and(|major: u32| major >= POSTGRES_OLDEST_MAJOR)
    });
    let mut folders = supported.map(|version| version.path().join("bin"));
    folders.any(|folder| ["postgres", "pg_dumpall"].iter().all(|name| folder.join(name).is_file()))
        && starts("psql", &["--version"])
}

fn has_python_environments() -> bool {
    let folder = std::env::temp_dir().join(format!("passbook-ci-python-{}", std::process::id()));
    let created = starts("python3", &["-m", "venv", &folder.to_string_lossy()]);
    let removed = std::fs::remove_dir_all(&folder);
    created && removed.is_ok()
}
