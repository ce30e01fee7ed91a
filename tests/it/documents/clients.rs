//! `docs/clients.md`: the query and the programs return what the page shows, from the demo household of 2026-11-21.
//! `tests/system/client_programs.rs` runs the programs in shell and Python, and `cargo lab clients` that in TypeScript.

use std::process::{Command, Output};

use tests::app::App;

use crate::rest::contract::json::Json;
use tests::documents::blocks::Block;

const RUST_PROGRAM: &str = "tests/clients/paging_client/src/main.rs";
const RUST_MANIFEST: &str = "tests/clients/paging_client/Cargo.toml";

/// Runs a program with the two environment variables that the page sets.
fn run(app: &App, token: &str, program: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(arguments).envs([("BASE", app.base_url.as_str()), ("TOKEN", token)]);
    command.output().unwrap_or_else(|error| panic!("{program}: {error}"))
}

/// Returns the standard output of a program, which must have succeeded.
#[track_caller]
fn printed(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_of_clients_work_as_shown() {
    let blocks = tests::documents::blocks_of("docs/clients.md");
    let [variables, query, answer, _shell, _python, typescript, manifest, rust, totals] = blocks[..] else {
        panic!("{} blocks", blocks.len())
    };
    let kinds = blocks.iter().map(|block| (block.language, block.note)).collect::<Vec<_>>();
    let from = format!("from {RUST_PROGRAM}");
    let expected = [
        ("sh", Some("with the address and the token of the server")),
        ("sh", Some("run")),
        ("json", Some("returned by the query")),
        ("sh", Some("run with jq")),
        ("python", Some("run")),
        ("typescript", Some("run by cargo lab clients")),
        ("toml", Some("dependencies of the program in Rust")),
        ("rust", Some(from.as_str())),
        ("text", Some("printed by the programs")),
    ];
    assert_eq!(kinds, expected);
    assert_variables(&variables);
    assert!(typescript.text.contains("process.env.TOKEN"), "{}", typescript.place());
    rust.assert_from(RUST_PROGRAM);
    assert!(rust.text.starts_with("use ") && read(RUST_PROGRAM).ends_with(rust.text), "{}", rust.place());
    assert_manifest(&manifest);

    let app = App::demo_household().await;
    let token = app.token(passbook_demo::USER_ID).await;
    let body = printed(run(&app, &token, "sh", &["-c", query.text]));
    let body: Json = serde_json::from_str(&body).expect("JSON");
    answer.assert_shows(&body.pretty());

    let client = tests::binary("passbook-paging-client");
    let client = client.to_str().expect("UTF-8");
    totals.assert_shows(&printed(run(&app, &token, client, &[])));
    assert_fails(&run(&app, "pbk_wrong", client, &[]));
}

/// A program that receives an error must not print a total, which would be wrong.
#[track_caller]
fn assert_fails(output: &Output) {
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && !printed.contains(" transactions"), "{output:?}");
}

fn read(path: &str) -> String {
    std::fs::read_to_string(tests::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The page names the dependencies of the program, at the versions of the workspace.
fn assert_manifest(shown: &Block<'_>) {
    let dependencies = |text: &str, path: &[&str]| -> toml::Table {
        let table: toml::Table = text.parse().expect("TOML");
        path.iter().fold(table, |table, key| table[*key].as_table().expect("a table").clone())
    };
    let shown_ones = dependencies(shown.text, &["dependencies"]);
    let used = dependencies(&read(RUST_MANIFEST), &["dependencies"]);
    let workspace = dependencies(&read("Cargo.toml"), &["workspace", "dependencies"]);
    assert!(shown_ones.keys().eq(used.keys()), "{}: {shown_ones:?}", shown.place());
    let version = |dependency: &toml::Value| dependency.get("version").unwrap_or(dependency).clone();
    for (name, dependency) in &shown_ones {
        assert_eq!(version(dependency), version(&workspace[name]), "{}: {name}", shown.place());
    }
}

/// The page sets both variables to the values that a server prints, apart from the token.
fn assert_variables(variables: &Block<'_>) {
    assert_eq!(
        variables.text,
        format!("export BASE='{}/api'\nexport TOKEN='pbk_…'\n", crate::rest::contract::ORIGIN),
        "{}",
        variables.place()
    );
}
