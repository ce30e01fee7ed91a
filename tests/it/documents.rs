//! Every code block, command, query and file in the documents is run, compared or parsed. A block that no test expects
//! fails, so no block is skipped.

mod administration;
mod clients;
mod deployment;
mod grants;
mod loading;

use passbook_domain::bank::BankStatus;
use passbook_domain::portfolio::AccountType;
use passbook_server::announce::{Announcement, Page};
use tests::app::App;
use tests::assets::Assets;
use tests::database::Database;
use tests::documents::documents;
use tests::documents::runner::Runner;
use tests::documents::{Block, blocks_in};
use tests::household::Household;
use tests::provider::suitable_provider;
use tests::temporary::Folder;

use crate::rest::contract::{Json, ORIGIN};
use crate::rest::snapshots::{LIST_TOKENS_MAX, READ_TOKENS_MAX};

/// The only program that the commands of most documents run.
const ADMIN: &[&str] = &["passbook-admin"];

/// A script with the connection URL of the writer role.
fn as_writer(database: &Database, script: &str) -> String {
    format!("export PASSBOOK_ADMIN_DATABASE_URL='{}'\n{script}", database.url(passbook_schema::WRITER))
}

/// Text in place of a token.
const TOKEN: &str = "pbk_…";

/// The announcement of a demo at its start, with placeholders for the token and the code of the page.
fn announcement() -> Announcement<'static> {
    Announcement {
        origin: ORIGIN.to_owned(),
        metrics: None,
        token: Some(TOKEN),
        page: Some(Page { code: Some("…".to_owned()) }),
    }
}

/// The documents with blocks, and the tests that cover them.
const CHECKED: &[(&str, &str)] = &[
    ("CONTRIBUTING.md", "documents.rs"),
    ("README.md", "documents.rs, documents/clients.rs, tests/system/documents.rs"),
    ("docs/adding-an-operation.md", "documents.rs"),
    ("docs/administration.md", "documents/administration.rs"),
    ("docs/clients.md", "documents/clients.rs, cargo lab clients"),
    ("docs/connecting-assistants.md", "documents/clients.rs, server/demo.rs, cargo lab clients"),
    ("docs/deployment.md", "documents/deployment.rs"),
    ("docs/embedding.md", "documents.rs"),
    ("docs/figures.md", "documents.rs"),
    ("docs/first-hour.md", "documents/deployment.rs"),
    ("docs/grants.md", "documents/grants.rs, tests/system/documents.rs"),
    ("docs/importing.md", "documents/loading.rs"),
    ("docs/loading-data.md", "documents/loading.rs"),
    ("docs/oauth.md", "documents.rs, xtask/lab/src/clients/sign_in/page.rs"),
    ("docs/operating.md", "documents/administration.rs"),
    ("docs/schema.md", "tests/system/documents.rs"),
];

/// The document whose blocks are covered by tests in `tests/it/rest/contract`.
const COVERED_BY_CONTRACT: &str = "docs/api.md";

#[test]
fn every_document_with_blocks_is_covered_by_a_test() {
    let mut found: Vec<String> = Vec::new();
    for (path, text) in documents() {
        let blocks = blocks_in(&path, &text);
        // A drawing contains nothing to run.
        let drawn = |block: &Block<'_>| block.language == "text" && block.note == Some("a drawing");
        if !blocks.iter().all(drawn) && path != COVERED_BY_CONTRACT {
            found.push(path);
        }
    }
    assert_eq!(found, CHECKED.iter().map(|(path, _)| *path).collect::<Vec<_>>());
}

const DOCUMENT: &str = "docs/adding-an-operation.md";
/// Number of blocks of the document that change a file.
const CHANGES: usize = 18;

#[test]
fn blocks_of_adding_an_operation_are_applied_or_compared() {
    let (mut changes, mut of_snapshots) = (0, 0);
    for block in tests::documents::blocks_of(DOCUMENT) {
        let note = block.note.unwrap_or_else(|| panic!("{}: the block has no note", block.place()));
        if let Some(path) = note.strip_prefix("from ") {
            block.assert_from(path);
        } else if note.starts_with("part of tests/it/rest/snapshots/") {
            // The snapshot of the example exists only in a copy: `cargo lab checklist` compares the block.
            of_snapshots += 1;
        } else {
            changes += 1;
        }
    }
    assert_eq!((changes, of_snapshots), (CHANGES, 1));
}

#[test]
fn limits_of_the_list_of_tools_are_stated() {
    let text = tests::documents::text(DOCUMENT).split_whitespace().collect::<Vec<_>>().join(" ");
    for limit in [READ_TOKENS_MAX, LIST_TOKENS_MAX] {
        let stated = format!("at most {},{:03} tokens", limit / 1_000, limit % 1_000);
        assert!(text.contains(&stated), "{DOCUMENT} does not state `{stated}`");
    }
}

/// Maximum length of the subject of a commit, in characters.
const SUBJECT_CHARACTERS_MAX: usize = 72;

#[test]
fn example_commit_follows_the_rule_of_the_page() {
    let page = tests::documents::text("CONTRIBUTING.md");
    let blocks = blocks_in("CONTRIBUTING.md", page);
    let [commit] = blocks[..] else { panic!("{} blocks", blocks.len()) };
    let mut lines = commit.text.lines();
    let subject = lines.next().expect("a subject");
    assert!(subject.contains(": ") && subject.chars().count() <= SUBJECT_CHARACTERS_MAX, "{subject}");
    assert_eq!(lines.next(), Some(""), "an empty line separates subject and body");
    assert!(page.contains(&format!("{SUBJECT_CHARACTERS_MAX} characters")), "the page states the limit");
}

#[test]
fn named_commands_of_xtask_and_lab_exist() {
    for (program, main) in [("xtask", "xtask/src/main.rs"), ("lab", "xtask/lab/src/main.rs")] {
        let usage = tests::text_of(main);
        let (start, mut named) = (format!("`cargo {program} "), 0);
        for (path, text) in tests::documents::documents() {
            for command in text.split(&start).skip(1).filter_map(|rest| rest.split(['`', ' ']).next()) {
                named += 1;
                assert!(usage.contains(&format!("[\"{command}\"")), "{path}: cargo {program} {command}");
            }
        }
        assert!(named > 5, "{named} commands of {program}");
    }
}

#[tokio::test]
async fn blocks_of_embedding_work_as_shown() {
    let blocks = tests::documents::blocks_of("docs/embedding.md");
    let others = Runner::new(&Folder::create(), &[], "").run(&blocks);
    // `cargo xtask tidy` resolves the manifest as a program outside of this repository does.
    let [host, manifest] = others[..] else { panic!("{others:?}") };
    assert_eq!((host.note, manifest.note), (Some("run the host"), Some("manifest")));
    let documented = "postgresql://passbook_reader@127.0.0.1/passbook";
    assert!(host.text.contains(documented), "{}", host.place());
    let database = Database::fresh().await;
    let script = host.text.replace(documented, &database.url(passbook_schema::READER));
    let lines = Folder::create()
        .serve(&script, &["passbook-hyper-host"], |line| line.starts_with("http://127.0.0.1:"));
    assert_eq!(lines.len(), 1, "{lines:?}");
}

#[tokio::test]
async fn response_of_the_history_is_as_shown() {
    let blocks = tests::documents::blocks_of("docs/figures.md");
    let [response] = blocks[..] else { panic!("{} blocks", blocks.len()) };
    assert_eq!(response.language, "json");
    let app = App::start().await;
    let household = Household::new();
    let mut assets = Assets::new(household.user.user_id);
    let bank = assets.bank("Seaside Bank", BankStatus::Manual);
    for (name, cents, day) in [("Checking", 100, "2026-11-01"), ("Savings", 500, "2026-11-19")] {
        let account = assets.account(bank, name, AccountType::Depository, cents, "EUR");
        assets.snapshot(account, day, cents);
    }
    app.load(household.records().into_iter().take(1).chain(assets.records)).await;
    let token = app.token(household.user.user_id).await;
    let reply = app.get("/v1/portfolio/history?dateFrom=2026-11-17&dateTo=2026-11-20", &token).await;
    reply.ok();
    let shown: Json = serde_json::from_slice(&reply.body).expect("JSON");
    response.assert_shows(&shown.pretty());
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_of_oauth_work_as_shown() {
    let blocks = tests::documents::blocks_of("docs/oauth.md");
    let database = Database::fresh().await;
    let folder = Folder::create();
    let provider = suitable_provider().await;
    let environment = format!(
        "export PASSBOOK_DATABASE_URL='{}' PASSBOOK_OIDC_ISSUER='{}' PASSBOOK_ORIGIN=https://money.example",
        database.url(passbook_schema::READER),
        provider.issuer
    );
    let others = Runner::new(&folder, ADMIN, &environment)
        .replacing(&provider.issuer, "https://project.example/auth/v1")
        .run(&blocks);
    assert!(others.is_empty(), "{others:?}");
}

#[tokio::test]
async fn blocks_of_the_readme_work_as_shown() {
    let blocks = tests::documents::blocks_of("README.md");
    let [_run, lines, answer, check] = blocks[..] else { panic!("{} blocks", blocks.len()) };
    let languages = blocks.iter().map(|block| block.language).collect::<Vec<_>>();
    assert_eq!(languages, ["sh", "text", "json", "sh"]);
    // `cargo test` cannot run inside itself, so only the text is compared.
    assert_eq!(check.text, "cargo test --workspace\n");

    assert_eq!(lines.text.lines().collect::<Vec<_>>(), announcement().lines());

    let app = App::demo_household().await;
    let token = app.token(passbook_demo::USER_ID).await;
    let reply = app.get("/v1/cashflow/summary?timeRange=1m", &token).await;
    reply.ok();
    answer.assert_shows(std::str::from_utf8(&reply.body).expect("UTF-8"));
}

#[test]
fn prerequisites_name_the_minimum_rust_version_of_the_workspace() {
    let manifest = tests::text_of("Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \""));
    let version = version.expect("the workspace has a minimum version").trim_end_matches('"');
    let readme = tests::documents::text("README.md");
    assert!(readme.contains(&format!("| Rust {version} or later |")), "{version}");
}

#[test]
fn blocks_are_found_with_language_note_and_place() {
    let text = "a\n<!-- from x -->\n```rust\nlet a;\n\n```\n```sh\n```\n";
    let found = blocks_in("d.md", text);
    let parts: Vec<_> =
        found.iter().map(|block| (block.language, block.note, block.text, block.place())).collect();
    assert_eq!(
        parts,
        [("rust", Some("from x"), "let a;\n\n", "d.md:3".to_owned()), ("sh", None, "", "d.md:7".to_owned())]
    );
    assert!(std::panic::catch_unwind(|| blocks_in("d.md", "```\na\n")).is_err(), "a block without an end");
}
