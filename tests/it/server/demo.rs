//! `--demo`: prints six lines, returns correct totals, shuts down cleanly, and starts again on the same folder.

use super::mcp_example::{assert_mcp_example_works, page};
use super::sign_in_code::assert_code_signs_in_once;
use tests::demo_totals::assert_try_line_totals;
use tests::server_process::{
    Running, TestFolder, assert_startup_lines, postgres_pid, run, signal, wait_until_ended,
};

#[tokio::test]
async fn demo_prints_six_lines_with_correct_totals_and_restarts() {
    let folder = TestFolder::create();
    let mut tokens = Vec::new();
    for (signal, round) in [("TERM", 1), ("INT", 2)] {
        let mut demo = Running::start(folder.server(&["--demo"]));
        let lines = demo.lines(6);
        assert_startup_lines(&lines);
        assert_try_line_totals(&lines).await;
        assert_mcp_example_works(&page(), &lines).await;
        assert_code_signs_in_once(&lines).await;
        tokens.push((lines[3].clone(), lines[4].clone()));
        let postgres = postgres_pid(&folder.data_dir().join("demo"));
        let ended = demo.stop(signal);
        assert_eq!((ended.code, ended.stdout), (Some(0), vec![]), "round {round}: {}", ended.stderr);
        assert!(!ended.stderr.contains("pbk_"), "the log contains a token: {}", ended.stderr);
        let (_, code) = lines[3].split_once("#code=").expect("a code");
        assert!(!ended.stderr.contains(code), "the log contains the code: {}", ended.stderr);
        wait_until_ended(postgres);
    }
    assert_ne!(tokens[0].0, tokens[1].0, "each start must create a new code");
    assert_ne!(tokens[0].1, tokens[1].1, "each start must create a new token");
    assert!(
        !folder.data_dir().join("postgres/cluster").exists(),
        "the demo must not use the folder of real data"
    );
}

/// PostgreSQL is killed under a running server, which starts it again and goes on.
#[tokio::test]
async fn killed_embedded_database_is_restarted() {
    let folder = TestFolder::create();
    let mut demo = Running::start(folder.server(&["--demo"]));
    let lines = demo.lines(6);
    let field = |name: &str| {
        let line = lines.iter().find_map(|line| line.strip_prefix(name)).expect("the line is printed");
        line.trim().to_owned()
    };
    let (url, bearer) = (format!("{}/v1/me", field("base ")), format!("Bearer {}", field("token ")));
    let (http, headers) = (tests::http::Http::default(), [("authorization", bearer.as_str())]);
    let send = || http.send(hyper::Method::GET, &url, &headers);
    send().await.ok();
    let killed = postgres_pid(&folder.data_dir().join("demo"));
    signal("KILL", killed);
    wait_until_ended(killed);
    let served = async { while send().await.status != 200 {} };
    tokio::time::timeout(std::time::Duration::from_secs(60), served).await.expect("PostgreSQL runs again");
    let ended = demo.stop("TERM");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("PostgreSQL has ended by itself"), "{}", ended.stderr);
}

#[test]
fn demo_is_refused_with_an_external_database() {
    let folder = TestFolder::create();
    let mut server = folder.server(&["--demo"]);
    server.env("PASSBOOK_DATABASE_URL", "postgresql://passbook_reader@localhost/money");
    let ended = run(server);
    assert_eq!((ended.code, ended.stdout.as_slice()), (Some(64), &[][..]), "{}", ended.stderr);
    assert!(ended.stderr.starts_with("--demo: "), "{}", ended.stderr);
    assert!(!folder.data_dir().exists());
}

/// Before the first release, a newer program may find the demo of another development version.
#[tokio::test]
async fn demo_of_another_development_version_is_created_anew() {
    let folder = TestFolder::create();
    let mut demo = Running::start(folder.server(&["--demo"]));
    demo.lines(6);
    let address = passbook_embedded::running_in(&folder.data_dir().join("demo")).await.expect("readable");
    let config = address.expect("the database runs").connect(passbook_embedded::SUPERUSER, "passbook");
    let (superuser, connection) = config.connect(tokio_postgres::NoTls).await.expect("the server accepts");
    tokio::spawn(connection);
    superuser
        .batch_execute("update passbook.migrations set sha256 = repeat('0', 64)")
        .await
        .expect("a superuser can change the record");
    drop(superuser);
    assert_eq!(demo.stop("TERM").code, Some(0));
    let mut demo = Running::start(folder.server(&["--demo"]));
    assert_try_line_totals(&demo.lines(6)).await;
    assert_eq!(demo.stop("TERM").code, Some(0));
}
