//! The limit of open files: a server that reaches it goes on, and accepts connections again after others have ended.

use std::net::TcpStream;
use std::process::Command;

use hyper::Method;
use tests::app::App;
use tests::http::Http;

use tests::server_process::{Running, TestFolder, series, value};

/// Maximum number of open files of the server. It starts with about 30.
const FILES_MAX: u32 = 80;
/// Number of connections, which the server cannot all accept.
const SOCKETS: usize = 100;
/// Number of failures to accept during which the server may write one line.
const ACCEPT_ERRORS: f64 = 10.0;

/// The command with a lower limit of open files.
fn with_few_files(server: &Command) -> Command {
    let mut shell = Command::new("sh");
    let script = format!("ulimit -n {FILES_MAX}; exec \"$0\" \"$@\"");
    shell.args(["-c", &script]).arg(server.get_program()).args(server.get_args()).env_clear();
    shell.envs(server.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell
}

#[tokio::test(flavor = "multi_thread")]
async fn server_without_free_descriptors_accepts_again_after_connections_end() {
    let (folder, app) = (TestFolder::create(), App::start().await);
    let mut server = folder.server(&["--metrics-listen", "127.0.0.1:0"]);
    server.env("PASSBOOK_DATABASE_URL", app.database.url("passbook_reader"));
    let mut server = Running::start(with_few_files(&server));
    let lines = server.lines(5);
    let (base, metrics) = (value(&lines[1], "base"), value(&lines[4], "metrics"));
    let address = base.trim_start_matches("http://").trim_end_matches("/api");
    // This client's connection stays open, so it needs no further descriptor.
    let reader = Http::default();
    let accept_errors = async || {
        let reply = reader.send(Method::GET, metrics, &[]).await;
        let text = String::from_utf8(reply.body.to_vec()).expect("metrics are text");
        series(&text, "passbook_accept_errors_total", &[])
    };
    assert_eq!(accept_errors().await, 0.0);

    let sockets: Vec<TcpStream> =
        (0..SOCKETS).map(|_| TcpStream::connect(address).expect("the server listens")).collect();
    while accept_errors().await < ACCEPT_ERRORS {}
    drop(sockets);
    let health = Http::default().send(Method::GET, &format!("{base}/health"), &[]).await;
    assert_eq!(health.status.as_u16(), 200);

    let ended = server.stop("TERM");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let lines = |text: &str| ended.stderr.lines().filter(|line| line.contains(text)).count();
    assert_eq!(lines("too few open files for PASSBOOK_CONNECTIONS"), 1, "{}", ended.stderr);
    // A line for the first failure, and at most one for every ten seconds after it.
    assert!((1..=3).contains(&lines("cannot accept connections")), "{}", ended.stderr);
}
