//! Tests of the private PostgreSQL with real binaries and processes. Each test uses a folder of its own.

mod failing;
mod fetching;
mod folders;
mod killing;
mod living;

use std::path::Path;
use std::process::Command;

use passbook_embedded::{Address, Config, Embedded, SUPERUSER};
use tempfile::TempDir;
use tokio_postgres::{Client, NoTls};

/// Creates the data folder of a server.
fn folder() -> TempDir {
    tests::temporary::folder()
}

fn config(data_dir: &Path) -> Config {
    tests::postgres_programs::config(data_dir.to_owned())
}

async fn start(data_dir: &Path) -> Embedded {
    Embedded::start(config(data_dir)).await.expect("a server")
}

async fn session(address: &Address, database: &str) -> Client {
    let (client, connection) = address.connect(SUPERUSER, database).connect(NoTls).await.expect("a session");
    tokio::spawn(connection);
    client
}

async fn query_text(client: &Client, query: &str) -> String {
    client.query_one(query, &[]).await.expect("an answer").get(0)
}

/// Returns the process id of PostgreSQL.
fn postmaster(data_dir: &Path) -> String {
    let text = std::fs::read_to_string(data_dir.join("postgres/cluster/postmaster.pid")).expect("it runs");
    text.lines().next().expect("a first line").to_owned()
}

fn is_alive(pid: &str) -> bool {
    signal("-0", pid)
}

fn signal(signal: &str, pid: &str) -> bool {
    let kill = format!("kill {signal} {pid}");
    Command::new("sh").args(["-c", &kill]).output().expect("a shell").status.success()
}
