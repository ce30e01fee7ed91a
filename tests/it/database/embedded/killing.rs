//! After kills no process keeps running, and no committed data is lost.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use passbook_embedded::{Embedded, Error, SUPERUSER};
use tests::database::execute;
use tests::server_process::{postgres_pid, signal};
use tests::temporary::Folder;
use tokio_postgres::NoTls;

use super::{config, is_alive, query_text, session, start};

/// Environment variable with the folder for the second copy of this program.
const HOLD: &str = "PASSBOOK_TEST_HOLD";
const LIMIT: Duration = Duration::from_secs(30);

/// The test starts a second copy of itself, which is the process that is killed.
#[tokio::test]
async fn postgres_stops_when_its_starter_is_killed() {
    if let Some(folder) = std::env::var_os(HOLD) {
        return hold(folder.as_ref()).await;
    }
    let folder = Folder::create();
    let this = std::env::current_exe().expect("a program");
    let name = "database::embedded::killing::postgres_stops_when_its_starter_is_killed";
    let mut holder = Command::new(this)
        .args([name, "--exact", "--nocapture"])
        .env(HOLD, folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a second copy");
    let words = BufReader::new(holder.stdout.take().expect("piped"));
    let holding = words.lines().map_while(Result::ok).any(|line| line.contains("holding"));
    assert!(holding, "the second copy has a server");

    let pid = postgres_pid(folder.path());
    let address = passbook_embedded::running_in(folder.path()).await.expect("readable").expect("it runs");
    let superuser = address.connect(SUPERUSER, "postgres");
    let (_client, connection) = superuser.connect(NoTls).await.expect("a session");
    holder.kill().expect("SIGKILL");
    holder.wait().expect("it is dead");
    let last_words = tokio::time::timeout(LIMIT, connection).await.expect("the session ends");
    let interrupted = last_words.expect_err("in the midst of it");
    assert_eq!(interrupted.code().map(|code| code.code()), Some("57P01"), "{interrupted}");

    // Succeeds only after the other server has released the cluster.
    start(folder.path()).await.stop().await.expect("a clean end");
    assert!(!is_alive(pid));
}

async fn hold(folder: &Path) {
    let server = start(folder).await;
    let mut output = std::io::stdout();
    writeln!(output, "holding").and_then(|()| output.flush()).expect("somebody reads");
    // The parent never writes and never closes this pipe: only the kill ends this process.
    std::io::stdin().lines().for_each(drop);
    drop(server);
}

#[tokio::test]
async fn killed_server_is_restarted_at_the_same_address() {
    let folder = Folder::create();
    let mut server = start(folder.path()).await;
    let address = server.address().clone();
    let client = session(&address, "postgres").await;
    execute(&client, "set synchronous_commit = on").await;
    execute(&client, "create table stored as select 'still here' as word").await;
    let first = postgres_pid(folder.path()).to_string();
    assert!(signal("KILL", &first));
    let answering = async {
        // The server is killed a second time as soon as its restart has begun.
        let mut second = String::new();
        tests::until(async || {
            let pid_file = std::fs::read_to_string(folder.path().join("postgres/cluster/postmaster.pid"));
            second = pid_file.unwrap_or_default().lines().next().unwrap_or_default().to_owned();
            !second.is_empty() && second != first
        })
        .await;
        assert!(signal("KILL", &second));
        let superuser = address.connect(SUPERUSER, "postgres");
        // The killed server still has sessions for a moment.
        tests::until(async || {
            superuser.connect(NoTls).await.is_ok()
                && ![&first, &second].contains(&&postgres_pid(folder.path()).to_string())
        })
        .await;
        query_text(&session(&address, "postgres").await, "select word from stored").await
    };
    let word = tokio::select! {
        error = server.keep_running() => panic!("{error}"),
        word = tokio::time::timeout(LIMIT, answering) => word.expect("the server runs again"),
    };
    assert_eq!(word, "still here");
    server.stop().await.expect("a clean end");
}

#[tokio::test]
async fn killed_server_recovers_committed_data() {
    let folder = Folder::create();
    let server = start(folder.path()).await;
    let client = session(server.address(), "postgres").await;
    execute(&client, "create table kept as select 'still here' as word; checkpoint").await;
    execute(&client, "set synchronous_commit = on; insert into kept values ('and this')").await;
    assert!(signal("KILL", postgres_pid(folder.path())));
    let error = server.stop().await.expect_err("it did not end well");
    assert!(matches!(error, Error::Ended { .. }), "{error}");

    let server = Embedded::start(config(folder.path())).await.expect("recovery");
    let client = session(server.address(), "postgres").await;
    let words = query_text(&client, "select string_agg(word, ' ' order by word desc) from kept").await;
    assert_eq!(words, "still here and this");
    server.stop().await.expect("a clean end");
}

#[tokio::test]
async fn cancelled_start_leaves_no_process() {
    let folder = Folder::create();
    start(folder.path()).await.stop().await.expect("a cluster to start on");
    let running = {
        let starting = Embedded::start(config(folder.path()));
        tokio::pin!(starting);
        let pid_file = folder.path().join("postgres/cluster/postmaster.pid");
        tokio::select! {
            biased;
            () = until_file_contains(&pid_file, "\n") => postgres_pid(folder.path()),
            started = &mut starting => panic!("too fast to give up on: {started:?}"),
        }
    };
    assert!(!is_alive(running));
}

/// The supervisor pauses in a process of its own, which must not outlive the server: an account cannot be removed while
/// it has processes.
#[tokio::test]
async fn stopped_server_leaves_no_process() {
    let folder = Folder::create();
    let server = start(folder.path()).await;
    let supervisor = stat(&postgres_pid(folder.path()).to_string(), PARENT).expect("the server runs");
    server.stop().await.expect("a clean end");
    let processes = std::fs::read_dir("/proc").expect("the processes can be listed").flatten();
    let left = processes.filter(|process| {
        let name = process.file_name();
        stat(&name.to_string_lossy(), GROUP).is_some_and(|group| group == supervisor)
    });
    assert_eq!(left.count(), 0);
}

/// Position of the parent, and of the process group, after the name of the program in `/proc/<pid>/stat`.
const PARENT: usize = 1;
const GROUP: usize = 2;

/// Returns a field of `/proc/<pid>/stat`; none if there is no such process.
fn stat(pid: &str, field: usize) -> Option<String> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program is in parentheses, and may contain spaces.
    let (_, fields) = text.rsplit_once(") ")?;
    fields.split(' ').nth(field).map(str::to_owned)
}

async fn until_file_contains(path: &Path, text: &str) {
    tests::until(async || std::fs::read_to_string(path).unwrap_or_default().contains(text)).await;
}

/// A session that still runs after its server was killed keeps the shared memory of the server.
#[tokio::test]
async fn start_waits_for_sessions_of_a_killed_server() {
    let folder = Folder::create();
    let server = start(folder.path()).await;
    let client = session(server.address(), "postgres").await;
    let straggler = query_text(&client, "select pg_backend_pid()::text").await;
    assert!(signal("STOP", &straggler));
    assert!(signal("KILL", postgres_pid(folder.path())));
    server.stop().await.expect_err("it did not end well");

    let log = folder.path().join("postgres/server.log");
    let release = async {
        until_file_contains(&log, "is still in use").await;
        assert!(signal("CONT", &straggler));
    };
    let (server, ()) = tokio::time::timeout(LIMIT, async { tokio::join!(start(folder.path()), release) })
        .await
        .expect("the first attempt fails and a later one succeeds");
    server.stop().await.expect("a clean end");
}

/// After its parent was killed, a server still answers for a moment. A start must not mistake it for the new server.
#[tokio::test]
async fn stopping_server_is_not_mistaken_for_the_new_one() {
    let folder = Folder::create();
    start(folder.path()).await.stop().await.expect("a cluster to start on");
    let mut stray = stray(folder.path());
    let old = stray.id();
    let pid_file = folder.path().join("postgres/cluster/postmaster.pid");
    until_file_contains(&pid_file, "ready").await;
    let log = folder.path().join("postgres/server.log");
    let end = async {
        until_file_contains(&log, "already exists").await;
        assert!(signal("INT", old));
        stray.wait().expect("it ends");
    };
    let (server, ()) = tokio::time::timeout(LIMIT, async { tokio::join!(start(folder.path()), end) })
        .await
        .expect("the first attempt fails and a later one succeeds");
    assert_ne!(postgres_pid(folder.path()), old);
    server.stop().await.expect("a clean end");
}

/// Starts PostgreSQL on the cluster with the arguments of the last start, but without a supervisor.
fn stray(data_dir: &Path) -> Child {
    let cluster = data_dir.join("postgres/cluster");
    let command_line = std::fs::read_to_string(cluster.join("postmaster.opts")).expect("it ran before");
    let owner = cluster.metadata().expect("it is there");
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(format!("exec {command_line}")).current_dir("/");
    if data_dir.metadata().expect("it is there").uid() != owner.uid() {
        command.uid(owner.uid()).gid(owner.gid());
    }
    command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("a server")
}
