//! Three nodes of PostgreSQL under Patroni, with one etcd, on loopback addresses.

use std::fs::File;
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::setting::{DATABASE, READER, Setting};
use crate::bench::postgres::output;
use crate::command::{create_folder, print_line, read, write};

const NODES: usize = 3;
/// Time limit of the start of a program, and of a change of roles.
const CHANGE_TIME_MAX: Duration = Duration::from_secs(120);
/// Time between two looks, in milliseconds.
const LOOK_MILLISECONDS: u64 = 20;

/// The running cluster. Dropping it kills all its processes, whose data are temporary.
pub(super) struct Cluster {
    etcd: Child,
    nodes: Vec<Node>,
    psql: PathBuf,
}

/// A Patroni with its PostgreSQL.
pub(super) struct Node {
    patroni: Child,
    folder: PathBuf,
    port: u16,
}

impl Cluster {
    /// Starts everything in an empty folder, and waits until there are a primary and two standbys.
    pub(super) fn start(setting: &Setting) -> Result<Cluster, String> {
        let folder = setting.work.join("patroni");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let etcd_program = crate::debian::find("etcd", "etcd-server")?;
        crate::debian::find("patroni", "patroni")?;
        create_folder(&folder.join("etcd"))?;
        setting.postgres.own(&folder)?;
        setting.postgres.own(&folder.join("etcd"))?;
        let [client, peer] = [free_port()?, free_port()?].map(|port| format!("http://127.0.0.1:{port}"));
        let mut etcd = Command::new(etcd_program);
        etcd.arg("--data-dir").arg(folder.join("etcd")).args(["--listen-client-urls", &client]);
        etcd.args(["--advertise-client-urls", &client, "--listen-peer-urls", &peer]);
        etcd.args(["--initial-advertise-peer-urls", &peer, "--initial-cluster", &format!("default={peer}")]);
        let etcd = spawn(setting, etcd, &folder.join("etcd.log"))?;
        let mut cluster = Cluster { etcd, nodes: Vec::new(), psql: setting.postgres.program("psql") };
        let template = read(&setting.root.join("xtask/lab/load/patroni.yml"))?;
        for number in 0..NODES {
            cluster.add_node(setting, &folder.join(format!("node{number}")), &template, &client)?;
            if number == 0 {
                // Otherwise the nodes would compete for the first start.
                cluster.until("a primary runs", |cluster| cluster.primary().is_some())?;
            }
        }
        cluster.until("two standbys follow", |cluster| cluster.standbys().len() + 1 == NODES)?;
        Ok(cluster)
    }

    fn add_node(
        &mut self,
        setting: &Setting,
        folder: &Path,
        template: &str,
        etcd: &str,
    ) -> Result<(), String> {
        create_folder(folder)?;
        setting.postgres.own(folder)?;
        let (api, port) = (free_port()?, free_port()?);
        let programs = self.psql.parent().unwrap_or(Path::new("/"));
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let text = template
            .replace("NAME", &name)
            .replace("FOLDER", &folder.display().to_string())
            .replace("PROGRAMS", &programs.display().to_string())
            .replace("127.0.0.1:ETCD", etcd.trim_start_matches("http://"))
            .replace("API", &api.to_string())
            .replace("PORT", &port.to_string());
        let file = folder.join("patroni.yml");
        write(&file, &text)?;
        let mut patroni = Command::new("patroni");
        patroni.arg(&file);
        let patroni = spawn(setting, patroni, &folder.join("patroni.log"))?;
        self.nodes.push(Node { patroni, folder: folder.to_path_buf(), port });
        Ok(())
    }

    /// Waits until a condition is met.
    pub(super) fn until(&self, what: &str, is_met: impl Fn(&Cluster) -> bool) -> Result<Instant, String> {
        let started = Instant::now();
        while !is_met(self) {
            if started.elapsed() > CHANGE_TIME_MAX {
                return Err(format!("after {} s it is not true that {what}", CHANGE_TIME_MAX.as_secs()));
            }
            std::thread::sleep(Duration::from_millis(LOOK_MILLISECONDS));
        }
        Ok(Instant::now())
    }

    /// Returns the number of the node that is the primary now.
    pub(super) fn primary(&self) -> Option<usize> {
        (0..self.nodes.len()).find(|number| self.is_in_recovery(*number) == Some(false))
    }

    /// Returns the numbers of the nodes that follow a primary now.
    pub(super) fn standbys(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|number| self.is_in_recovery(*number) == Some(true)).collect()
    }

    fn is_in_recovery(&self, number: usize) -> Option<bool> {
        let streams = "select not pg_is_in_recovery() or exists (select from pg_stat_wal_receiver where status = 'streaming')";
        let state = self.query(number, "postgres", "select pg_is_in_recovery()").ok()?;
        (self.query(number, "postgres", streams).ok()? == "t").then_some(state == "t")
    }

    /// Executes a statement on a node as a superuser.
    pub(super) fn query(&self, number: usize, database: &str, statement: &str) -> Result<String, String> {
        let url = format!(
            "postgresql://postgres@127.0.0.1:{}/{database}?connect_timeout=2",
            self.nodes[number].port
        );
        let mut command = Command::new(&self.psql);
        output(command.args(["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-c", statement, &url]))
            .map(|text| text.trim_end().to_owned())
    }

    /// Executes a file of statements on the database with the people, on a node.
    pub(super) fn execute_file(&self, number: usize, file: &Path) -> Result<(), String> {
        let url = format!("postgresql://postgres@127.0.0.1:{}/{DATABASE}", self.nodes[number].port);
        output(Command::new(&self.psql).args(["-X", "-q", "-o", "/dev/null", "-f"]).arg(file).arg(url))
            .map(drop)
    }

    /// Returns the URL of a role with all nodes.
    pub(super) fn url(&self, role: &str, database: &str, target: &str) -> String {
        let hosts: Vec<String> = self.nodes.iter().map(|node| format!("127.0.0.1:{}", node.port)).collect();
        format!("postgresql://{role}@{}/{database}?target_session_attrs={target}", hosts.join(","))
    }

    /// Returns the URL with which the server reads.
    pub(super) fn reader_url(&self) -> String {
        self.url(READER, DATABASE, "prefer-standby")
    }

    /// Kills Patroni and PostgreSQL of a node, as the crash of its machine does.
    pub(super) fn kill(&mut self, number: usize) -> Result<(), String> {
        self.nodes[number].kill()
    }
}

impl Node {
    fn kill(&mut self) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("a node cannot be killed: {error}");
        self.patroni.kill().and_then(|()| self.patroni.wait()).map_err(failed)?;
        let file = self.folder.join("data/postmaster.pid");
        let Ok(text) = std::fs::read_to_string(file) else { return Ok(()) };
        let process = text.lines().next().unwrap_or_default().trim().to_owned();
        output(Command::new("kill").args(["-KILL", &process])).map(drop)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for node in &mut self.nodes {
            // A node that was killed before has no processes left.
            if matches!(node.patroni.try_wait(), Ok(None))
                && let Err(problem) = node.kill()
            {
                print_line(&problem);
            }
        }
        let _ = self.etcd.kill();
        let _ = self.etcd.wait();
    }
}

/// Starts a program as the account of PostgreSQL, with its output in a file.
fn spawn(setting: &Setting, mut command: Command, log: &Path) -> Result<Child, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let log = File::create(log).map_err(|error| format!("{}: {error}", log.display()))?;
    let log_copy = log.try_clone().map_err(|error| error.to_string())?;
    command.stdin(Stdio::null()).stdout(log).stderr(log_copy).current_dir("/");
    if let Some(account) = setting.postgres.account() {
        command.uid(account).gid(account);
    }
    command.spawn().map_err(|error| format!("{name}: {error}"))
}

/// Returns a port that is free now.
fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| format!("a free port: {error}"))?;
    listener.local_addr().map(|address| address.port()).map_err(|error| format!("a free port: {error}"))
}
