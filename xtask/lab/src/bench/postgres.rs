//! A private PostgreSQL for the benchmark: Debian's programs, a data folder below `target/bench`, and a Unix socket.
//!
//! The settings are PostgreSQL's defaults except those of [`SETTINGS`], which `docs/performance.md` lists.

use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::cpu;
use crate::command::{create_folder, print_line, read};

/// Settings that differ from PostgreSQL's defaults. The log has one record per line group, and the prefix lets
/// [`super::capture`] find the start of each.
pub(crate) const SETTINGS: [&str; 4] =
    ["shared_buffers=1GB", "max_wal_size=4GB", "listen_addresses=", "log_line_prefix=@@%p "];
/// Folder in which Debian installs the programs of each version.
const DEBIAN: &str = "/usr/lib/postgresql";
/// The superuser of the cluster. It owns no table of Passbook, and row-level security does not apply to it.
pub(crate) const SUPERUSER: &str = "postgres";
/// Maximum number of lines that an error repeats of a program's standard error.
const ERROR_LINES_MAX: usize = 20;
pub(crate) const PORT: &str = "5432";

/// A running PostgreSQL. Dropping it stops the server.
#[derive(Debug)]
pub(crate) struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    account: Option<u32>,
}

impl Postgres {
    /// Starts the server in `folder`, and creates the cluster if there is none.
    pub(crate) fn start(folder: &Path) -> Result<Postgres, String> {
        let postgres =
            Postgres { programs: find_programs()?, folder: folder.to_path_buf(), account: unprivileged()? };
        create_folder(folder)?;
        postgres.own(folder)?;
        if !postgres.cluster().join("PG_VERSION").is_file() {
            print_line("creating a database cluster");
            let cluster = postgres.cluster().display().to_string();
            postgres.run(
                "initdb",
                &["-D", &cluster, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C"],
            )?;
        }
        if postgres.process().is_ok() {
            // A killed run leaves its server behind.
            postgres.stop()?;
        }
        postgres.resume()?;
        Ok(postgres)
    }

    /// Starts the server of the cluster, after it was stopped or killed.
    pub(crate) fn resume(&self) -> Result<(), String> {
        self.resume_with(&SETTINGS)
    }

    /// Restarts the server, so that clients can also connect over TCP. Returns the host of such a connection.
    pub(super) fn listen(&self) -> Result<&'static str, String> {
        self.stop()?;
        self.resume_with(&[&SETTINGS[..], &["listen_addresses=127.0.0.1"]].concat())?;
        Ok("127.0.0.1")
    }

    /// Starts the server of the cluster with these settings.
    pub(crate) fn resume_with(&self, settings: &[&str]) -> Result<(), String> {
        let mut options: Vec<String> = settings.iter().map(|setting| format!("-c '{setting}'")).collect();
        options.push(format!("-c unix_socket_directories='{}' -c port={PORT}", self.folder.display()));
        let cluster = self.cluster().display().to_string();
        let log = self.log().display().to_string();
        self.run(
            "pg_ctl",
            &["start", "--wait", "--silent", "-D", &cluster, "-l", &log, "-o", &options.join(" ")],
        )
    }

    /// Creates a standby of this running server in `folder`, and starts it.
    pub(crate) fn standby(&self, folder: &Path) -> Result<Postgres, String> {
        let standby = Postgres::copy_of(&self.folder, folder, &["-R"])?;
        standby.resume()?;
        Ok(standby)
    }

    /// Copies the cluster of the server whose socket is in `socket` into `folder`, without starting it. `options` are
    /// those of `pg_basebackup`.
    pub(crate) fn copy_of(socket: &Path, folder: &Path, options: &[&str]) -> Result<Postgres, String> {
        let copy =
            Postgres { programs: find_programs()?, folder: folder.to_path_buf(), account: unprivileged()? };
        create_folder(folder)?;
        copy.own(folder)?;
        let (socket, cluster) = (socket.display().to_string(), copy.cluster().display().to_string());
        let source = ["-h", &socket, "-p", PORT, "-U", SUPERUSER, "-D", &cluster, "-c", "fast", "--no-sync"];
        copy.run("pg_basebackup", &[&source[..], options].concat())?;
        Ok(copy)
    }

    /// Makes a standby the primary, and waits until it is.
    pub(crate) fn promote(&self) -> Result<(), String> {
        let cluster = self.cluster().display().to_string();
        self.run("pg_ctl", &["promote", "--wait", "--silent", "-D", &cluster])
    }

    /// Kills the main process of the server, and waits until it has ended.
    pub(crate) fn kill(&self) -> Result<(), String> {
        let process = self.process()?.to_string();
        output(Command::new("kill").args(["-KILL", &process]))?;
        while Path::new("/proc").join(&process).exists() {
            std::thread::yield_now();
        }
        Ok(())
    }

    /// Returns the account as which PostgreSQL runs; `None` if it is the account of this process.
    pub(crate) fn account(&self) -> Option<u32> {
        self.account
    }

    /// Returns the folder of the server's Unix socket.
    pub(crate) fn socket_folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the log file of the server.
    pub(crate) fn log(&self) -> PathBuf {
        self.folder.join("server.log")
    }

    /// Returns the connection URL of a role and a database.
    pub(crate) fn url(&self, role: &str, database: &str) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgresql://{role}@{folder}:{PORT}/{database}")
    }

    /// Returns the options with which `psql` and `pgbench` connect.
    pub(crate) fn connect_options(&self, role: &str) -> [String; 6] {
        let folder = self.folder.display().to_string();
        ["-h".into(), folder, "-p".into(), PORT.to_owned(), "-U".into(), role.to_owned()]
    }

    /// Returns the path of a client program.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.programs.join(name)
    }

    /// Executes a statement as a superuser, and returns its result: rows as lines, columns separated by a tab.
    pub(crate) fn query(&self, database: &str, statement: &str) -> Result<String, String> {
        let arguments = ["-X", "-A", "-t", "-q", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", statement];
        let mut command = Command::new(self.program("psql"));
        command.args(self.connect_options(SUPERUSER)).args(arguments).arg(database);
        output(&mut command).map(|text| text.trim_end().to_owned())
    }

    /// Executes a file of statements with variables of `psql`.
    pub(crate) fn execute_file(
        &self,
        database: &str,
        file: &Path,
        variables: &[(&str, String)],
    ) -> Result<(), String> {
        let mut command = Command::new(self.program("psql"));
        command.args(self.connect_options(SUPERUSER)).args(["-X", "-q", "-o", "/dev/null", "-f"]).arg(file);
        for (name, value) in variables {
            command.arg("-v").arg(format!("{name}={value}"));
        }
        output(command.arg(database)).map(drop)
    }

    /// Executes a file of statements with variables of `psql`, and writes the values of their rows into a file.
    pub(crate) fn select_into(
        &self,
        database: &str,
        file: &Path,
        variables: &[(&str, String)],
        target: &Path,
    ) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", target.display());
        let mut command = Command::new(self.program("psql"));
        command.args(self.connect_options(SUPERUSER));
        command.args(["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-f"]).arg(file);
        for (name, value) in variables {
            command.arg("-v").arg(format!("{name}={value}"));
        }
        command.arg(database).stdin(Stdio::null()).stdout(std::fs::File::create(target).map_err(failed)?);
        let status = command.status().map_err(|error| format!("psql: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("psql: {}: {status}", file.display())) }
    }

    /// Returns true if the database exists.
    pub(crate) fn has_database(&self, database: &str) -> Result<bool, String> {
        let found =
            self.query("postgres", &format!("select 1 from pg_database where datname = '{database}'"))?;
        Ok(!found.is_empty())
    }

    /// Returns the processor time of all processes of the server so far, in seconds.
    pub(crate) fn cpu_seconds(&self) -> Result<f64, String> {
        cpu::of_family(self.process()?)
    }

    /// Returns the identifier of the server's main process.
    pub(crate) fn process(&self) -> Result<u32, String> {
        let file = self.cluster().join("postmaster.pid");
        let text = read(&file)?;
        let process = text.lines().next().and_then(|line| line.trim().parse().ok());
        process.ok_or_else(|| format!("{}: the first line is not a process id", file.display()))
    }

    pub(crate) fn cluster(&self) -> PathBuf {
        self.folder.join("cluster")
    }

    fn stop(&self) -> Result<(), String> {
        let cluster = self.cluster().display().to_string();
        self.run("pg_ctl", &["stop", "--wait", "--silent", "-m", "fast", "-D", &cluster])
    }

    /// Runs a program that reads or writes the cluster.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<(), String> {
        let mut command = Command::new(self.program(program));
        command.args(arguments).current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null());
        if let Some(account) = self.account {
            command.uid(account).gid(account);
        }
        let status = command.status().map_err(|error| format!("{program}: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("{program} {}: {status}", arguments.join(" "))) }
    }

    /// Gives the folder to the account that PostgreSQL runs as.
    pub(crate) fn own(&self, folder: &Path) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        if let Some(account) = self.account {
            chown(folder, Some(account), Some(account)).map_err(failed)?;
        }
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700)).map_err(failed)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Err(problem) = self.stop() {
            print_line(&format!("PostgreSQL was not stopped: {problem}"));
        }
    }
}

/// Runs a client program and returns its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return String::from_utf8(output.stdout).map_err(|error| format!("{program}: {error}"));
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let first: Vec<&str> = stderr.lines().take(ERROR_LINES_MAX).collect();
    Err(format!("{program}: {}\n{}", output.status, first.join("\n")))
}

/// Returns the folder of the newest installed programs.
fn find_programs() -> Result<PathBuf, String> {
    let versions = Path::new(DEBIAN).read_dir().map_err(|error| format!("{DEBIAN}: {error}"))?;
    let mut versions: Vec<(u32, PathBuf)> = versions
        .filter_map(Result::ok)
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .filter(|(_, programs): &(u32, PathBuf)| programs.join("pgbench").is_file())
        .collect();
    versions.sort();
    let newest = versions.pop().map(|(_, programs)| programs);
    newest.ok_or_else(|| "install Debian's packages postgresql and postgresql-contrib".to_owned())
}

/// Returns the account `postgres` if this process is root, because PostgreSQL refuses to run as root.
fn unprivileged() -> Result<Option<u32>, String> {
    let id = |arguments: &[&str]| -> Result<u32, String> {
        let printed = output(Command::new("id").args(arguments))?;
        printed.trim().parse().map_err(|_| format!("id {arguments:?} printed {printed:?}"))
    };
    if id(&["-u"])? == 0 { id(&["-u", "postgres"]).map(Some) } else { Ok(None) }
}
