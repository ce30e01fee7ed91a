//! `docs/first-hour.md`: a reader types the commands of [`COMMANDS`], and gets the shown answers. The test runs them
//! against the programs of this working tree, on their private PostgreSQL.

use std::os::unix::fs::PermissionsExt as _;

use bytes::Bytes;
use hyper::Method;
use serde_json::json;
use tests::http::{Http, Reply};

use crate::rest::contract::json::Json;
use tests::documents::blocks::noted;
use tests::documents::blocks_of;
use tests::documents::shell::{Folder, Serving};

/// Maximum number of commands that the reader types.
const COMMANDS_MAX: usize = 12;
/// Every command that the reader types, in order.
const COMMANDS: [&str; 12] = [
    "cargo install --locked --path bins/server",
    "cargo install --locked --path bins/admin",
    "passbook-admin migrate",
    "passbook-admin user create --email you@example.org --currency EUR --time-zone Europe/Paris",
    "passbook-admin rates load eurofxref-hist.csv",
    "passbook-admin import beancount money.beancount --user you@example.org",
    "passbook-admin token create --user you@example.org --name laptop",
    "passbook-admin doctor",
    "passbook-server",
    "curl -H 'Authorization: Bearer pbk_…' 'http://127.0.0.1:8080/api/v1/cashflow/summary?dateFrom=2026-10-01&dateTo=2026-10-31'",
    "claude mcp add --transport http passbook http://127.0.0.1:8080/api/mcp --header 'Authorization: Bearer pbk_…'",
    "passbook-admin backup passbook.tar.gz",
];
const PROGRAMS: &[&str] = &["passbook-server", "passbook-admin"];
/// Address and token on the page. The test replaces them by those of its server.
const ADDRESS: &str = "http://127.0.0.1:8080";
const TOKEN: &str = "pbk_…";
const PAGE: &str = "docs/first-hour.md";

#[test]
fn reader_of_the_first_hour_types_at_most_twelve_commands() {
    let typed: Vec<String> = blocks_of(PAGE)
        .iter()
        .filter(|block| block.language == "sh")
        .flat_map(|block| block.text.replace(" \\\n  ", " ").lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert_eq!(typed, COMMANDS);
    assert!(COMMANDS.len() <= COMMANDS_MAX, "{}", COMMANDS.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn first_hour_ends_with_an_assistant_that_reads_the_loaded_data() {
    let blocks = blocks_of(PAGE);
    let known = ["printed", "returned by the query", "returned by the tool"];
    let folder = Folder::create();
    for block in blocks.iter().filter(|block| block.language != "sh") {
        match block.note.and_then(|note| note.strip_prefix("file ")) {
            Some(name) => folder.write(name, block.text),
            None => assert!(block.note.is_some_and(|note| known.contains(&note)), "{}", block.place()),
        }
    }
    let [server, admin, migrate, user, rates, import, token, doctor, serve, query, connect, backup] =
        COMMANDS;
    assert_installs(server, "passbook-server");
    assert_installs(admin, "passbook-admin");
    for command in [migrate, user, rates, import] {
        folder.done(command, PROGRAMS);
    }
    let created = folder.done(token, PROGRAMS);
    let token = created.split_whitespace().find(|word| word.starts_with("pbk_")).expect("a printed token");
    let findings = folder.done(doctor, PROGRAMS);
    assert!(!findings.is_empty() && findings.lines().all(|line| line.starts_with("ok ")), "{findings}");

    let serving = folder.start(serve, PROGRAMS, |line| line.starts_with("page "));
    let origin = origin(&serving);
    let lines = serving.lines.join("\n").replace(&origin, ADDRESS);
    noted(&blocks, "printed").assert_shows(&lines);
    let filled_in = |command: &str| command.replace(ADDRESS, &origin).replace(TOKEN, token);
    noted(&blocks, "returned by the query").assert_shows(&folder.done(&filled_in(query), PROGRAMS));
    let result = call_as_the_assistant(&filled_in(connect)).await.json();
    let text = result["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"));
    let payload: Json = serde_json::from_str(text).expect("JSON");
    noted(&blocks, "returned by the tool").assert_shows(&payload.pretty());
    folder.done(backup, PROGRAMS);
    let file = std::fs::metadata(folder.path().join("passbook.tar.gz")).expect("the backup exists");
    assert_eq!(file.permissions().mode() & 0o777, 0o600, "only the owner may read the backup");
    serving.stop();
}

/// The origin that the server has printed.
fn origin(serving: &Serving) -> String {
    let base = serving.lines.iter().find_map(|line| line.strip_prefix("base    "));
    let base = base.unwrap_or_else(|| panic!("{:?}", serving.lines));
    base.strip_suffix("/api").expect("the base address ends in /api").to_owned()
}

/// Checks that the command installs the program. The programs are already built for the tests, and an installation would
/// build them a second time. `serving/readme.rs` builds and runs the server of a fresh clone.
fn assert_installs(command: &str, program: &str) {
    let folder = command.strip_prefix("cargo install --locked --path ").expect("a path");
    let manifest = std::fs::read_to_string(tests::root().join(folder).join("Cargo.toml")).expect("a package");
    assert!(manifest.contains(&format!("name = \"{program}\"\n")), "{folder}");
    assert!(tests::binary(program).is_file(), "{program}");
}

/// Calls the tool of the page at the address and with the header that the command gives to the assistant.
async fn call_as_the_assistant(command: &str) -> Reply {
    let words = command.strip_prefix("claude mcp add --transport http passbook ").expect("the command");
    let (address, header) = words.split_once(" --header ").expect("a header");
    let (name, value) = header.trim_matches('\'').split_once(": ").expect("name and value");
    let headers = [
        (name, value),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2025-11-25"),
    ];
    let days = json!({ "dateFrom": "2026-10-01", "dateTo": "2026-10-31" });
    let params = json!({ "name": "get_spending_by_category", "arguments": days });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    Http::default().send_body(Method::POST, address, &headers, Bytes::from(message.to_string())).await
}
