//! `docs/connecting-assistants.md`: the token is created and revoked as shown and has the documented rights. Every other
//! block is run by `cargo lab clients`, or is the command line of a program that is not publicly available.

use serde_json::json;
use tests::app::App;
use tests::household::Household;
use tests::mcp::{Era, failure, payload};
use uuid::Uuid;

use tests::documents::shell::Folder;

const ADDRESS: &str = "http://127.0.0.1:8080/api/mcp";

#[tokio::test]
async fn blocks_of_connecting_assistants_work_as_shown() {
    let (mut commands, mut by_others, mut by_makers) = (Vec::new(), 0, 0);
    for block in tests::documents::blocks_of("docs/connecting-assistants.md") {
        match (block.language, block.note) {
            ("sh", Some("run" | "run with the identifier of the token")) => commands.push(block.text),
            // `serving/mcp_example.rs` runs the request and compares the shape of the response.
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
    let folder = tests::root().join("xtask/lab/clients");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a committed list");
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
    let writer = app.database.url(passbook_schema::WRITER);
    let folder = Folder::create();
    let run = |script: &str| {
        folder.done(&format!("export PASSBOOK_ADMIN_DATABASE_URL='{writer}'\n{script}"), &["passbook-admin"])
    };
    let output = run(create);
    let token = output.split_whitespace().find(|word| word.starts_with("pbk_")).expect("a token is printed");
    payload(&app.call(Era::Legacy, token, "get_cashflow_summary", json!({})).await);
    payload(&app.call(Era::Modern, token, "get_spending_by_category", json!({})).await);
    let sentence = failure(&app.call(Era::Modern, token, "search_transactions", json!({})).await);
    assert!(sentence.contains("transactions:read"), "{sentence}");
    assert_eq!(app.get("/v1/me", token).await.status, 403);

    let (list, _) = revoke.split_once('\n').expect("two commands");
    let listed = run(list);
    let id = listed
        .split_whitespace()
        .find(|word| Uuid::parse_str(word).is_ok())
        .expect("an identifier is listed");
    assert!(revoke.contains("TOKEN_ID"), "{revoke}");
    run(&revoke.replace("TOKEN_ID", id));
    assert_eq!(app.get("/v1/me", token).await.status, 401);
}
