//! The PostgreSQL of the demo server, and the faults that it can have.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use passbook_auth::personal_access_token::PlainToken;

use crate::command::{read, write};
use crate::server::Server;

/// The password of the role `passbook_reader`.
pub(super) const PASSWORD: &str = "password-of-the-faults";
/// A function of the reading contract, without which no request can be answered.
pub(super) const FUNCTION: &str = "passbook_read.open_session(uuid, text, text, date, date, text, integer, integer, date, text, boolean, boolean)";
/// The token that the demo server has printed.
pub(super) const FIRST_TOKEN: &str =
    "passbook.personal_access_tokens where name <> 'faults' order by created_at limit 1";
/// A user without data.
pub(super) const ANOTHER_USER: &str = "00000000-0000-4000-8000-0000000000aa";
/// Lets the role sign in with its password only. Everybody else who may enter the folder of the socket is trusted.
const SIGN_IN_RULE: &str = "local all passbook_reader scram-sha-256\n";
/// Time limit of a restart, in seconds.
const RUNNING_SECONDS_MAX: u64 = 30;
/// Maximum time of a smart stop: two looks of the servers at their connections (`crates/store/src/lifetime.rs`), and the time
/// for the end of PostgreSQL.
const SMART_STOP_MAX: Duration = Duration::from_secs(15);
/// Time between two looks, in milliseconds.
const POLL_MILLISECONDS: u64 = 20;
/// Exit code of a server whose role or schema has problems.
const CONFIGURATION_CODE: i32 = 64;

/// The database under faults.
pub(super) struct Database {
    cluster: PathBuf,
    socket_folder: String,
    /// The process of the demo server, which restarts PostgreSQL.
    owner: String,
    /// The program of the server, and the folder of its settings.
    server: PathBuf,
    settings: PathBuf,
}

impl Database {
    /// Finds the PostgreSQL of the demo server `owner`, and lets the reading role sign in with a password.
    pub(super) fn prepare(
        data: &Path,
        owner: u32,
        server: &Path,
        settings: &Path,
    ) -> Result<Database, String> {
        let database = Database::find(data, owner, server, settings)?;
        database.execute(&format!("alter role passbook_reader password '{PASSWORD}'"))?;
        let rules = database.cluster.join("pg_hba.conf");
        write(&rules, &format!("{SIGN_IN_RULE}{}", read(&rules)?))?;
        database.execute("select pg_reload_conf()")?;
        Ok(database)
    }

    /// Finds the PostgreSQL of the demo server `owner`.
    pub(super) fn find(data: &Path, owner: u32, server: &Path, settings: &Path) -> Result<Database, String> {
        let address = read(&data.join("postgres/address"))?;
        let socket_folder =
            address.split_once('\n').ok_or("the address file has only one line")?.1.to_owned();
        let cluster = data.join("postgres/cluster");
        let (server, settings) = (server.to_owned(), settings.to_owned());
        Ok(Database { cluster, socket_folder, owner: owner.to_string(), server, settings })
    }

    /// Returns the URL of the reading role.
    pub(super) fn url(&self) -> String {
        format!("postgresql:///passbook?user=passbook_reader&password={PASSWORD}&host={}", self.socket_folder)
    }

    /// Returns the URL of the reading role at another host.
    pub(super) fn url_at(&self, host: &str, port: u16) -> String {
        format!("postgresql://passbook_reader:{PASSWORD}@{host}:{port}/passbook?sslmode=disable")
    }

    /// Returns the path of the Unix socket.
    pub(super) fn socket(&self) -> PathBuf {
        Path::new(&self.socket_folder).join(".s.PGSQL.5432")
    }

    /// Executes statements as the superuser.
    pub(super) fn execute(&self, statements: &str) -> Result<(), String> {
        self.query(statements).map(drop)
    }

    /// Executes statements as the superuser, and returns the rows as lines.
    pub(super) fn query(&self, statements: &str) -> Result<String, String> {
        let output = self.psql().args(["-c", statements]).stdin(Stdio::null()).output();
        let output = output.map_err(|error| format!("psql: {error}"))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned());
        }
        Err(format!("psql: {statements}: {}", String::from_utf8_lossy(&output.stderr).trim_end()))
    }

    /// Returns `psql` as the superuser, without statements.
    pub(super) fn psql(&self) -> Command {
        let mut command = Command::new("psql");
        command.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", &self.socket_folder]);
        command.args(["-U", "postgres", "-d", "passbook"]);
        command
    }

    /// Returns the folder of the Unix socket.
    pub(super) fn socket_folder(&self) -> &Path {
        Path::new(&self.socket_folder)
    }

    /// Returns the identifier of the demo household.
    pub(super) fn household(&self) -> Result<String, String> {
        self.query(&format!("select user_id from {FIRST_TOKEN}"))
    }

    /// Creates a token of the demo household with these changes, such as `revoked_at = now()`.
    pub(super) fn token(&self, changes: &str) -> Result<String, String> {
        self.token_of(&self.household()?, changes)
    }

    /// Creates a token of the user [`ANOTHER_USER`], who is created too.
    pub(super) fn token_of_another(&self) -> Result<String, String> {
        self.execute(&format!(
            "insert into passbook.users (user_id, email) values ('{ANOTHER_USER}', 'another@faults.example') \
             on conflict do nothing"
        ))?;
        self.token_of(ANOTHER_USER, "")
    }

    fn token_of(&self, user: &str, changes: &str) -> Result<String, String> {
        let token = PlainToken::generate("pbk_");
        let (text, last) = (token.reveal(), token.last_four());
        let change = match changes {
            "" => String::new(),
            _ => format!(
                "; update passbook.personal_access_tokens set {changes} where token_hash = sha256('{text}')"
            ),
        };
        self.execute(&format!(
            "insert into passbook.personal_access_tokens \
             (user_id, token_id, token_hash, name, last_four, scopes, created_at, expires_at) \
             select '{user}', gen_random_uuid(), sha256('{text}'), 'faults', '{last}', scopes, \
             now() - interval '2 days', now() + interval '2 days' from {FIRST_TOKEN}{change}"
        ))?;
        Ok(text.to_owned())
    }

    /// Changes the reading role, and ends its sessions, which signed in before.
    pub(super) fn change_role(&self, change: &str) -> Result<(), String> {
        self.execute(&format!("alter role passbook_reader {change}"))?;
        self.end_sessions()
    }

    /// Ends the sessions of the reading role.
    pub(super) fn end_sessions(&self) -> Result<(), String> {
        self.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'passbook_reader'",
        )
    }

    /// Sends a signal to PostgreSQL's main process.
    pub(super) fn signal(&self, signal: &str) -> Result<(), String> {
        kill(signal, &[self.process()?])
    }

    /// Sends a signal to all processes of PostgreSQL.
    pub(super) fn signal_all(&self, signal: &str) -> Result<(), String> {
        let main = self.process()?;
        let children = Command::new("pgrep").args(["-P", &main]).output();
        let children = children.map_err(|error| format!("pgrep: {error}"))?;
        let children = String::from_utf8_lossy(&children.stdout).into_owned();
        let all: Vec<String> = std::iter::once(main).chain(children.lines().map(str::to_owned)).collect();
        // A session may end between the two commands.
        for process in all {
            let _ = kill(signal, &[process]);
        }
        Ok(())
    }

    /// Begins a smart stop, and waits until PostgreSQL has ended because no client is connected any more.
    pub(super) fn stop_smart(&self) -> Result<(), String> {
        let process = self.process()?;
        kill("-TERM", std::slice::from_ref(&process))?;
        let started = Instant::now();
        while Path::new("/proc").join(&process).exists() {
            if started.elapsed() > SMART_STOP_MAX {
                return Err(format!(
                    "PostgreSQL still waits for clients after {} s",
                    SMART_STOP_MAX.as_secs()
                ));
            }
            sleep(Duration::from_millis(POLL_MILLISECONDS));
        }
        Ok(())
    }

    /// Kills PostgreSQL, which stays down until [`Database::resume`].
    pub(super) fn kill_for_a_while(&self) -> Result<(), String> {
        kill("-STOP", std::slice::from_ref(&self.owner))?;
        self.signal("-KILL")
    }

    /// Lets the demo server restart PostgreSQL, and waits for it.
    pub(super) fn resume(&self) -> Result<(), String> {
        kill("-CONT", std::slice::from_ref(&self.owner))?;
        self.until_running()
    }

    /// Waits until the demo server has restarted PostgreSQL.
    pub(super) fn until_running(&self) -> Result<(), String> {
        let started = Instant::now();
        loop {
            match self.execute("select 1") {
                Ok(()) => return Ok(()),
                Err(problem) if started.elapsed() > Duration::from_secs(RUNNING_SECONDS_MAX) => {
                    return Err(format!("PostgreSQL was not restarted: {problem}"));
                }
                Err(_) => sleep(Duration::from_millis(POLL_MILLISECONDS)),
            }
        }
    }

    /// Starts another server on this database. Returns true if it refuses to start because of role or schema.
    pub(super) fn server_is_refused(&self) -> Result<bool, String> {
        let mut command = Command::new(&self.server);
        command.env("PASSBOOK_DATABASE_URL", self.url()).env("PASSBOOK_LISTEN", "127.0.0.1:0");
        command.env("XDG_CONFIG_HOME", &self.settings).stdin(Stdio::null());
        let mut server =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(|error| error.to_string())?;
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(RUNNING_SECONDS_MAX) {
            if let Some(status) = server.try_wait().map_err(|error| error.to_string())? {
                return Ok(status.code() == Some(CONFIGURATION_CODE));
            }
            sleep(Duration::from_millis(POLL_MILLISECONDS));
        }
        server.kill().and_then(|()| server.wait()).map_err(|error| error.to_string())?;
        Ok(false)
    }

    /// Starts another server on this database, and stops it.
    pub(super) fn server_starts(&self) -> Result<(), String> {
        let settings = ("XDG_CONFIG_HOME", self.settings.clone());
        let environment = [("PASSBOOK_DATABASE_URL", PathBuf::from(self.url())), settings];
        Server::start_with_log(&self.server, &[], &environment, Stdio::null())?.stop().map(drop)
    }

    /// Lets PostgreSQL compile every query of new sessions.
    pub(super) fn compile_every_query(&self) -> Result<(), String> {
        for setting in
            ["jit = on", "jit_above_cost = 0", "jit_inline_above_cost = 0", "jit_optimize_above_cost = 0"]
        {
            self.execute(&format!("alter database passbook set {setting}"))?;
        }
        self.end_sessions()
    }

    /// Returns the identifier of PostgreSQL's main process.
    fn process(&self) -> Result<String, String> {
        let text = read(&self.cluster.join("postmaster.pid"))?;
        text.lines().next().map(|line| line.trim().to_owned()).ok_or("postmaster.pid is empty".to_owned())
    }
}

fn kill(signal: &str, processes: &[String]) -> Result<(), String> {
    let status = Command::new("kill").arg(signal).args(processes).status();
    let status = status.map_err(|error| format!("kill: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("kill {signal} {processes:?}: {status}")) }
}
