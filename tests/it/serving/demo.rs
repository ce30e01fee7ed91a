//! `--demo`: five lines and nothing else, totals that add up, a clean end, and the same folder again.

use super::program::{Place, Running, assert_decided, postgres_pid, run, until_gone};
use super::question::{assert_question_is_answered, readme};
use super::totals::assert_try_line_adds_up;

#[tokio::test]
async fn the_demo_says_five_lines_and_its_totals_add_up() {
    let place = Place::new();
    let mut tokens = Vec::new();
    for (signal, round) in [("TERM", 1), ("INT", 2)] {
        let mut demo = Running::start(place.server(&["--demo"]));
        let lines = demo.lines(5);
        assert_decided(&lines);
        assert_try_line_adds_up(&lines).await;
        assert_question_is_answered(&readme(), &lines).await;
        tokens.push(lines[3].clone());
        let postgres = postgres_pid(&place.data_dir().join("demo"));
        let ended = demo.stop(signal);
        assert_eq!((ended.code, ended.stdout), (Some(0), vec![]), "round {round}: {}", ended.stderr);
        assert!(!ended.stderr.contains("pbk_"), "no token in the log: {}", ended.stderr);
        until_gone(postgres);
    }
    assert_ne!(tokens[0], tokens[1], "each demo has a token of its own");
    assert!(!place.data_dir().join("postgres/cluster").exists(), "real data lies elsewhere");
}

#[test]
fn the_demo_is_not_poured_into_somebodys_database() {
    let place = Place::new();
    let mut server = place.server(&["--demo"]);
    server.env("PASSBOOK_DATABASE_URL", "postgresql://passbook_reader@localhost/money");
    let ended = run(server);
    assert_eq!((ended.code, ended.stdout.as_slice()), (Some(64), &[][..]), "{}", ended.stderr);
    assert!(ended.stderr.starts_with("--demo: "), "{}", ended.stderr);
    assert!(!place.data_dir().exists());
}
