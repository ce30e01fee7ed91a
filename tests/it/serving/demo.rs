//! `--demo`: prints five lines, returns correct totals, shuts down cleanly, and starts again on the same folder.

use super::mcp_example::{assert_mcp_example_works, page};
use super::program::{Running, TestFolder, assert_startup_lines, postgres_pid, run, wait_until_ended};
use super::totals::assert_try_line_totals;

#[tokio::test]
async fn demo_prints_five_lines_with_correct_totals_and_restarts() {
    let folder = TestFolder::new();
    let mut tokens = Vec::new();
    for (signal, round) in [("TERM", 1), ("INT", 2)] {
        let mut demo = Running::start(folder.server(&["--demo"]));
        let lines = demo.lines(5);
        assert_startup_lines(&lines);
        assert_try_line_totals(&lines).await;
        assert_mcp_example_works(&page(), &lines).await;
        tokens.push(lines[3].clone());
        let postgres = postgres_pid(&folder.data_dir().join("demo"));
        let ended = demo.stop(signal);
        assert_eq!((ended.code, ended.stdout), (Some(0), vec![]), "round {round}: {}", ended.stderr);
        assert!(!ended.stderr.contains("pbk_"), "the log contains a token: {}", ended.stderr);
        wait_until_ended(postgres);
    }
    assert_ne!(tokens[0], tokens[1], "each start must create a new token");
    assert!(
        !folder.data_dir().join("postgres/cluster").exists(),
        "the demo must not use the folder of real data"
    );
}

#[test]
fn demo_is_refused_with_an_external_database() {
    let folder = TestFolder::new();
    let mut server = folder.server(&["--demo"]);
    server.env("PASSBOOK_DATABASE_URL", "postgresql://passbook_reader@localhost/money");
    let ended = run(server);
    assert_eq!((ended.code, ended.stdout.as_slice()), (Some(64), &[][..]), "{}", ended.stderr);
    assert!(ended.stderr.starts_with("--demo: "), "{}", ended.stderr);
    assert!(!folder.data_dir().exists());
}
