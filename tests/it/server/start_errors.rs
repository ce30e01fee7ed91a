//! A port in use: the server reports the address, and stops the embedded database that it has started. Every other
//! start-up error is in a transcript (`server_settings`, `server_database`, `connection_failures`).

use std::net::TcpListener;
use std::process::Command;

use tests::database::Database;

use tests::server_process::{TestFolder, run};

/// Runs a server that must not start. Returns the lines of standard error.
#[track_caller]
fn failed_start(command: Command) -> Vec<String> {
    let ended = run(command);
    assert_eq!((ended.code, ended.stdout.as_slice()), (Some(64), &[][..]), "{}", ended.stderr);
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    ended.stderr.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn port_in_use_exits_with_64() {
    let (folder, database) = (TestFolder::create(), Database::fresh().await);
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let mut server = folder.server(&["--listen", &address]);
    server.env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
    let lines = failed_start(server);
    assert!(lines[0].starts_with(&format!("PASSBOOK_LISTEN: cannot listen on {address}")), "{lines:?}");
    // The embedded database that was started before listening failed is stopped again.
    let lines = failed_start(folder.server(&["--listen", &address]));
    assert!(lines.iter().any(|line| line.starts_with("PASSBOOK_LISTEN: cannot listen")), "{lines:#?}");
    assert!(!folder.data_dir().join("postgres/cluster/postmaster.pid").exists());
}
