//! `docs/client-guide.md`: the query and the Python program return what the page shows, from the demo household of
//! 2026-11-21. `cargo xtask clients` runs the TypeScript program.

use std::io::ErrorKind;
use std::process::Command;

use tests::app::App;

use super::blocks::Block;
use crate::contract::demo_household;
use crate::contract::json::Json;

/// Runs a program with the two environment variables that the page sets. Returns its standard output; `None` if the
/// program is not installed.
fn run(app: &App, token: &str, program: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(arguments).envs([("BASE", app.base_url.as_str()), ("TOKEN", token)]);
    let output = match command.output() {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        output => output.unwrap_or_else(|error| panic!("{program}: {error}")),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_of_client_guide_work_as_shown() {
    let documents = super::documents();
    let blocks = super::blocks::read("docs/client-guide.md", &documents["docs/client-guide.md"]);
    let [variables, query, answer, python, typescript, printed] = blocks[..] else {
        panic!("{} blocks", blocks.len())
    };
    let kinds = blocks.iter().map(|block| (block.language, block.note)).collect::<Vec<_>>();
    let expected = [
        ("sh", Some("with the address and the token of the server")),
        ("sh", Some("run")),
        ("json", Some("returned by the query")),
        ("python", Some("run")),
        ("typescript", Some("run by cargo xtask clients")),
        ("text", Some("printed by the programs")),
    ];
    assert_eq!(kinds, expected);
    assert_variables(&variables);
    assert!(typescript.text.contains("process.env.TOKEN"), "{}", typescript.place());

    let app = demo_household().await;
    let token = app.token(demo::USER_ID).await;
    let body = run(&app, &token, "sh", &["-c", query.text]).expect("a shell");
    let body: Json = serde_json::from_str(&body).expect("JSON");
    answer.assert_shows(&body.pretty());
    // The tests need no Python. `cargo xtask clients`, which needs it, runs this program in any case.
    if let Some(totals) = run(&app, &token, "python3", &["-c", python.text]) {
        printed.assert_shows(&totals);
    }
}

/// The page sets both variables to the values that a server prints, apart from the token.
fn assert_variables(variables: &Block<'_>) {
    assert_eq!(
        variables.text,
        format!("export BASE='{}/api'\nexport TOKEN='pbk_…'\n", crate::contract::ORIGIN),
        "{}",
        variables.place()
    );
}
