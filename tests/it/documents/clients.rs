//! `docs/clients.md` and `docs/connecting-assistants.md`: queries, programs and tokens work as shown. The picture of the
//! README, and the sizes of the screenshots.

use std::fmt::Write as _;
use std::process::{Command, Output};

use serde_json::json;
use tests::app::App;
use tests::documents::Block;
use tests::household::Household;
use tests::mcp::{Era, failure, payload};
use tests::temporary::Folder;
use tests::text_of;

use super::{ADMIN, TOKEN, announcement, as_writer};
use crate::rest::contract::{Json, ORIGIN, compare};

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
    assert!(rust.text.starts_with("use ") && text_of(RUST_PROGRAM).ends_with(rust.text), "{}", rust.place());
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

/// The page names the dependencies of the program, at the versions of the workspace.
fn assert_manifest(shown: &Block<'_>) {
    let dependencies = |text: &str, path: &[&str]| -> toml::Table {
        let table: toml::Table = text.parse().expect("TOML");
        path.iter().fold(table, |table, key| table[*key].as_table().expect("a table").clone())
    };
    let shown_ones = dependencies(shown.text, &["dependencies"]);
    let used = dependencies(&text_of(RUST_MANIFEST), &["dependencies"]);
    let workspace = dependencies(&text_of("Cargo.toml"), &["workspace", "dependencies"]);
    assert!(shown_ones.keys().eq(used.keys()), "{}: {shown_ones:?}", shown.place());
    let version = |dependency: &toml::Value| dependency.get("version").unwrap_or(dependency).clone();
    for (name, dependency) in &shown_ones {
        assert_eq!(version(dependency), version(&workspace[name]), "{}: {name}", shown.place());
    }
}

/// The page sets both variables to the values that a server prints, apart from the token.
fn assert_variables(variables: &Block<'_>) {
    let expected = format!("export BASE='{ORIGIN}/api'\nexport TOKEN='{TOKEN}'\n");
    assert_eq!(variables.text, expected, "{}", variables.place());
}

const ADDRESS: &str = "http://127.0.0.1:8080/api/mcp";

#[tokio::test]
async fn blocks_of_connecting_assistants_work_as_shown() {
    let (mut commands, mut by_others, mut by_makers) = (Vec::new(), 0, 0);
    for block in tests::documents::blocks_of("docs/connecting-assistants.md") {
        match (block.language, block.note) {
            ("sh", Some("run" | "run with the identifier of the token")) => commands.push(block.text),
            // `server/demo.rs` runs the request and compares the shape of the response.
            ("sh" | "json", Some("run against a demo")) => by_others += 1,
            ("sh" | "json" | "python", Some("run by cargo lab clients")) => by_others += 1,
            ("sh", Some("a program of its maker alone")) => {
                by_makers += 1;
                assert!(block.text.contains(ADDRESS), "{}", block.place());
                assert!(block.text.contains("'Authorization: Bearer pbk_…'"), "{}", block.place());
            }
            other => panic!("{}: no test covers {other:?}", block.place()),
        }
    }
    assert_eq!((by_others, by_makers), (5, 1));
    let [create, revoke] = commands[..] else { panic!("{} blocks of commands", commands.len()) };
    assert_token_serves_until_revoked(create, revoke).await;
}

/// The page names the versions of clients that are installed for measuring.
#[test]
fn versions_on_the_page_are_the_measured_versions() {
    let read = |name: &str| text_of(&format!("xtask/lab/clients/{name}"));
    let packages: serde_json::Value = serde_json::from_str(&read("shared/package.json")).expect("JSON");
    let packages = packages["dependencies"].as_object().expect("packages").clone();
    let mut measured: Vec<String> = packages
        .iter()
        // The validator is a tool of the measurement. The other packages are for clients of REST.
        .filter(|(name, _)| {
            !["ajv", "openapi", "typescript", "@types"].iter().any(|own| name.starts_with(own))
        })
        .map(|(name, version)| format!("`{name}` {}", version.as_str().expect("a version")))
        .collect();
    for (list, clients) in [
        ("python-sdk-1.txt", &["mcp", "langchain-mcp-adapters", "openai-agents"][..]),
        ("python-sdk-2.txt", &["mcp", "tdqs", "fastmcp", "pydantic-ai-slim"]),
        ("on-demand-1.txt", &["smolagents", "mcpo"]),
        ("on-demand-2.txt", &["llama-index-tools-mcp"]),
    ] {
        let pinned = read(list);
        let pinned = pinned.lines().filter_map(|line| line.split_once("=="));
        let own: Vec<_> = pinned.filter(|(name, _)| clients.contains(name)).collect();
        assert_eq!(own.len(), clients.len(), "{list} must pin {clients:?}");
        let own = own.into_iter();
        measured.extend(own.map(|(name, version)| format!("`{name}` {version}")));
    }
    for (list, host) in
        [("pictures/package.json", "@modelcontextprotocol/ext-apps"), ("sunpeak/package.json", "sunpeak")]
    {
        let packages: serde_json::Value = serde_json::from_str(&read(list)).expect("JSON");
        let version = packages["dependencies"][host].as_str().expect("a version");
        measured.push(format!("`{host}` {version}"));
    }
    let page = tests::documents::text("docs/connecting-assistants.md");
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for measured in measured {
        assert!(page.contains(&measured), "{measured} is not on the page");
    }
}

/// The token of the page works for the tool server only, with the scopes that the page names, until it is revoked.
async fn assert_token_serves_until_revoked(create: &str, revoke: &str) {
    let app = App::start().await;
    let mut household = Household::new();
    household.user.email = "you@example.org".to_owned();
    app.load(household.records()).await;
    let folder = Folder::create();
    let run = |script: &str| folder.done(&as_writer(&app.database, script), ADMIN);
    let output = run(create);
    let token = output.split_whitespace().find(|word| word.starts_with("pbk_")).expect("a token is printed");
    payload(&app.call(Era::Legacy, token, "get_cashflow_summary", json!({})).await);
    payload(&app.call(Era::Modern, token, "get_spending_by_category", json!({})).await);
    let sentence = failure(&app.call(Era::Modern, token, "search_transactions", json!({})).await);
    assert!(sentence.contains("transactions:read"), "{sentence}");
    assert_eq!(app.get("/v1/me", token).await.status, 403);

    run(revoke);
    assert_eq!(app.get("/v1/me", token).await.status, 401);
}

const PICTURE: &str = "docs/images/terminal.svg";
/// Folder of the pictures in the documents.
const IMAGES: &str = "docs/images";
/// Maximum size of a screenshot in bytes, so that a page loads quickly.
const SCREENSHOT_BYTES_MAX: usize = 200_000;
/// Characters on a line of the picture.
const COLUMNS: u32 = 108;
/// Width of a character of the font size 14, in pixels. Every usual monospaced font has about this width.
const CHARACTER_WIDTH: f64 = 8.43;
/// Distance of two lines of text, in pixels.
const LINE_HEIGHT: u32 = 20;
/// Distance of the text from the edges, in pixels.
const MARGIN: u32 = 20;
/// Height of the title bar of the drawn window, in pixels.
const BAR_HEIGHT: u32 = 32;

/// A line of the terminal.
enum Line {
    Typed(String),
    Printed(String),
}

#[tokio::test(flavor = "multi_thread")]
async fn picture_of_the_readme_shows_the_commands_and_the_answer_of_a_server() {
    let blocks = tests::documents::blocks_of("README.md");
    let first_command = blocks.first().expect("the first command").text.trim_end();

    let app = App::demo_household().await;
    let token = app.token(passbook_demo::USER_ID).await;
    let announcement = announcement();
    let lines = announcement.lines();
    let query = lines.last().and_then(|line| line.strip_prefix("try     ")).expect("the printed query");
    let real = query.replace(&announcement.base_url(), &app.base_url).replace(TOKEN, &token);
    let answer = printed(run(&app, &token, "sh", &["-c", &real]));
    assert!(answer.contains("\"expenseTotal\":"), "{answer}");

    let mut shown = vec![Line::Typed(first_command.to_owned())];
    shown.extend(lines.iter().cloned().map(Line::Printed));
    shown.extend([Line::Typed(query.to_owned()), Line::Printed(answer)]);
    let picture = draw(&shown);
    assert!(!picture.contains(&token), "the picture must not contain the token");
    std::fs::create_dir_all(tests::root().join(IMAGES)).expect("the folder exists");
    compare(PICTURE, &picture);
}

#[test]
fn screenshots_are_small_and_shown_by_a_document() {
    let documents = tests::documents::documents();
    let mut screenshots = 0;
    for entry in std::fs::read_dir(tests::root().join(IMAGES)).expect("the folder exists") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8").to_owned();
        if !name.ends_with(".png") {
            continue;
        }
        screenshots += 1;
        let picture = std::fs::read(&path).expect("the file is readable");
        assert!(picture.starts_with(b"\x89PNG"), "{name}");
        assert!(picture.len() <= SCREENSHOT_BYTES_MAX, "{name} has {} bytes", picture.len());
        let shown = format!("images/{name})");
        assert!(documents.values().any(|text| text.contains(&shown)), "no document shows {name}");
    }
    assert_eq!(screenshots, 3);
}

/// Draws the lines as text in a window. Long lines are wrapped.
fn draw(lines: &[Line]) -> String {
    let columns = usize::try_from(COLUMNS).expect("a small number");
    let mut rows: Vec<(bool, String)> = Vec::new();
    for line in lines {
        let (typed, text) = match line {
            Line::Typed(command) => (true, format!("$ {command}")),
            Line::Printed(text) => (false, text.clone()),
        };
        let characters: Vec<char> = text.trim_end().chars().collect();
        rows.extend(characters.chunks(columns).map(|row| (typed, row.iter().collect())));
    }
    let width = (f64::from(COLUMNS) * CHARACTER_WIDTH).ceil() + f64::from(2 * MARGIN);
    let baseline = |row: usize| BAR_HEIGHT + u32::try_from(row).expect("a small number") * LINE_HEIGHT + 14;
    let height = baseline(rows.len()) + 6;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n\
         <title>A terminal that starts the demo and queries the totals of the last month</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1d2330\"/>\n\
         <circle cx=\"22\" cy=\"16\" r=\"5\" fill=\"#56b4e9\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" \
         font-size=\"14\" xml:space=\"preserve\">\n"
    );
    for (index, (typed, row)) in rows.iter().enumerate() {
        let y = baseline(index);
        let colour = if *typed { "#8fd3a8" } else { "#e6e9ef" };
        writeln!(svg, "<text x=\"{MARGIN}\" y=\"{y}\" fill=\"{colour}\">{}</text>", escaped(row))
            .expect("writing to a string succeeds");
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
