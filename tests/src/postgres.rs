//! A PostgreSQL cluster of one test, for tests that stop it, change its settings, reach it by TCP or replicate it. All
//! other tests share the cluster of [`crate::database`].

use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tokio_postgres::{Client, Config, NoTls};

use crate::database::{connect, one, url};
use crate::postgres_programs;
use crate::server_process::{cluster_pid, signal};
use crate::temporary::Folder;

/// Runs a program and interrupts it when this process closes a pipe or ends, so that no server outlives the tests.
const SUPERVISOR: &str = include_str!("../../crates/embedded/src/supervisor.sh");
/// Settings of every cluster: fast instead of durable.
const SETTINGS: &str = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\njit = off\n\
                        unix_socket_permissions = 0777\nlog_min_messages = warning\n";
/// Time limit of a start or an end.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The name of the database with the schema.
const DATABASE: &str = "money";
const SUPERUSER: &str = "postgres";
/// Files of a cluster that belong to its running process.
const PROCESS_FILES: [&str; 2] = ["postmaster.pid", "postmaster.opts"];
/// Names of the accounts that run PostgreSQL if this process is root, in order of preference.
const ACCOUNTS: [&str; 3] = ["postgres", "_postgres", "nobody"];

/// A cluster, whose server runs or not. Dropping the value stops the server.
#[derive(Debug)]
pub struct Postgres {
    folder: Folder,
    port: u16,
    server: Option<Child>,
}

impl Postgres {
    /// Creates a cluster, appends `settings` to its settings file, and starts it with a migrated database.
    pub async fn start(settings: &str) -> Postgres {
        let mut postgres = Postgres::create();
        let cluster = postgres.cluster();
        let cluster = cluster.to_str().expect("UTF-8");
        postgres.run(
            "initdb",
            &["-D", cluster, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
        );
        postgres.append("postgresql.conf", SETTINGS);
        postgres.append("postgresql.conf", settings);
        postgres.resume().await;
        let client = postgres.connect(SUPERUSER, SUPERUSER).await;
        client.batch_execute(&format!("create database {DATABASE}")).await.expect("the database is created");
        let mut client = postgres.connect(SUPERUSER, DATABASE).await;
        passbook_schema::migrate(&mut client).await.expect("the schema is created");
        passbook_schema::allow_local_logins(&client).await.expect("the roles may log in");
        postgres
    }

    /// Creates a standby of this running server by a copy of its data, and starts it.
    pub async fn standby(&self) -> Postgres {
        let mut standby = Postgres::create();
        // pg_basebackup does the same, but a PostgreSQL of npm does not have it.
        let client = self.connect(SUPERUSER, SUPERUSER).await;
        client.execute("select pg_backup_start('standby', true)", &[]).await.expect("the backup starts");
        standby.copy(&self.cluster(), &standby.cluster());
        let label = client.query_one("select labelfile from pg_backup_stop()", &[]).await;
        let label: String = label.expect("the backup ends").get(0);
        standby.write("backup_label", &label);
        standby.write("standby.signal", "");
        let folder = self.folder.path().display();
        let primary = format!("primary_conninfo = 'host=''{folder}'' port={} user={SUPERUSER}'\n", self.port);
        standby.append("postgresql.auto.conf", &primary);
        standby.resume().await;
        // A standby knows how far it is behind after it has replayed a transaction.
        client.batch_execute("create schema replayed; drop schema replayed").await.expect("two transactions");
        let reader = standby.connect(SUPERUSER, SUPERUSER).await;
        let replayed = "select pg_last_xact_replay_timestamp() is not null";
        crate::until(async || one(&reader, replayed).await).await;
        standby
    }

    /// Copies the files of a running cluster, without those of its process.
    fn copy(&self, from: &Path, to: &Path) {
        std::fs::create_dir(to).expect("the folder is created");
        self.own(to, 0o700);
        for entry in from.read_dir().expect("the folder is readable").flatten() {
            let (from, to) = (entry.path(), to.join(entry.file_name()));
            if from.is_dir() {
                self.copy(&from, &to);
            } else if !PROCESS_FILES.iter().any(|name| entry.file_name() == *name) {
                // The server may remove a temporary file or a segment of its log at any time.
                if std::fs::copy(&from, &to).is_ok() {
                    self.own(&to, 0o600);
                }
            }
        }
    }

    /// Creates the folder of a cluster, and finds a port that is free for TCP.
    fn create() -> Postgres {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let folder = Folder::create();
        let postgres = Postgres { folder, port, server: None };
        postgres.own(postgres.folder.path(), 0o755);
        postgres
    }

    /// Starts the server of the cluster, and waits until it accepts connections.
    pub async fn resume(&mut self) {
        let log = std::fs::File::options().create(true).append(true).open(self.log()).expect("a log file");
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SUPERVISOR, "supervisor"]).arg(program("postgres"));
        command.arg("-D").arg(self.cluster()).arg("-k").arg(self.folder.path());
        command.arg("-c").arg(format!("port={}", self.port)).current_dir(self.folder.path());
        command.stdin(Stdio::piped()).stdout(log.try_clone().expect("a second handle")).stderr(log);
        as_account(&mut command);
        self.server = Some(command.process_group(0).spawn().expect("a shell"));
        let started = Instant::now();
        let config = self.configuration(SUPERUSER, SUPERUSER);
        crate::until(async || {
            let ended = self.server.as_mut().and_then(|server| server.try_wait().expect("a child"));
            assert!(ended.is_none() && started.elapsed() < TIMEOUT, "{}", self.log_text());
            config.connect(NoTls).await.is_ok()
        })
        .await;
    }

    /// Sends a signal, such as `KILL`, to the server.
    pub fn signal(&self, name: &str) {
        assert!(signal(name, cluster_pid(&self.cluster())), "the server runs");
    }

    /// Sends a signal to the server and to all its child processes.
    pub fn signal_all(&self, name: &str) {
        let process = cluster_pid(&self.cluster()).to_string();
        let all = Command::new("ps").args(["-eo", "ppid=,pid="]).output().expect("ps is everywhere").stdout;
        let all = String::from_utf8(all).expect("numbers");
        let of_line = |line: &'_ str| {
            line.trim().split_once(' ').map(|(parent, id)| (parent.to_owned(), id.trim().to_owned()))
        };
        let own = |(parent, id): (String, String)| (parent == process).then_some(id);
        let children: Vec<String> = all.lines().filter_map(of_line).filter_map(own).collect();
        for process in std::iter::once(&process).chain(&children) {
            assert!(signal(name, process), "process {process} runs");
        }
    }

    /// Waits until the server has ended.
    pub fn wait(&mut self) {
        let mut server = self.server.take().expect("the server runs");
        server.wait().expect("a child");
    }

    /// Kills the server and all its sessions, as a crash of its machine does.
    pub fn kill(&mut self) {
        self.signal("KILL");
        self.wait();
    }

    /// Runs a program of PostgreSQL with the account that owns the cluster.
    pub fn run(&self, name: &str, arguments: &[&str]) {
        let mut command = Command::new(program(name));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        as_account(&mut command);
        let output = command.output().expect("a program of PostgreSQL runs");
        assert!(output.status.success(), "{name} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Appends a text to a file of the cluster, and creates it if it is absent.
    pub fn append(&self, name: &str, text: &str) {
        let path = self.cluster().join(name);
        let mut whole = std::fs::read_to_string(&path).unwrap_or_default();
        whole.push_str(text);
        self.write(name, &whole);
    }

    /// Writes a file of the cluster that only its account can read.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.cluster().join(name);
        std::fs::write(&path, text).expect("the file is written");
        self.own(&path, 0o600);
    }

    /// Returns settings for a connection over the Unix socket.
    pub fn configuration(&self, role: &str, database: &str) -> Config {
        let mut config = Config::new();
        config.host_path(self.folder.path()).port(self.port).user(role).dbname(database);
        config
    }

    /// Connects over the Unix socket to the database with the schema.
    pub async fn session(&self, role: &str) -> Client {
        self.connect(role, DATABASE).await
    }

    /// Returns the URL of a role and the database with the schema, over the Unix socket.
    pub fn url(&self, role: &str) -> String {
        url(&self.configuration(role, DATABASE))
    }

    /// Returns host and port of the Unix socket, as a part of a URL.
    pub fn host(&self) -> String {
        let folder = self.folder.path().to_str().expect("UTF-8").replace('/', "%2F");
        format!("{folder}:{}", self.port)
    }

    /// Returns the port, of the Unix socket and of TCP.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the folder of the cluster's files.
    pub fn cluster(&self) -> PathBuf {
        self.folder.path().join("cluster")
    }

    async fn connect(&self, role: &str, database: &str) -> Client {
        connect(&self.configuration(role, database)).await
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("server.log")
    }

    fn log_text(&self) -> String {
        std::fs::read_to_string(self.log()).unwrap_or_default()
    }

    fn own(&self, path: &Path, mode: u32) {
        if let Some((user, group)) = account() {
            chown(path, Some(user), Some(group)).expect("root can change owners");
        }
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("the owner can");
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Some(mut server) = self.server.take() {
            drop(server.stdin.take());
            let _ = server.wait();
        }
    }
}

fn program(name: &str) -> PathBuf {
    postgres_programs::folder().join(name)
}

fn as_account(command: &mut Command) {
    if let Some((user, group)) = account() {
        command.uid(user).gid(group);
    }
}

/// Returns user and group id of an account without rights if this process is root, because PostgreSQL refuses to run as
/// root.
fn account() -> Option<(u32, u32)> {
    let own = std::fs::metadata("/proc/self").ok().map(|own| std::os::unix::fs::MetadataExt::uid(&own));
    if own != Some(0) {
        return None;
    }
    let accounts = std::fs::read_to_string("/etc/passwd").expect("a list of accounts");
    let line = |name: &&str| accounts.lines().find(|line| line.split(':').next() == Some(*name));
    let line = ACCOUNTS.iter().find_map(line).expect("an account without rights");
    let mut fields = line.split(':').skip(2);
    let mut number = || fields.next().and_then(|field| field.parse().ok()).expect("a number");
    Some((number(), number()))
}
