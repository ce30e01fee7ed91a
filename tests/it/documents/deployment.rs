//! `docs/deployment.md` and `docs/first-hour.md`: the commands run on the programs of this working tree, the settings are
//! valid, and unit, image and proxy use existing settings.

use std::os::unix::fs::PermissionsExt as _;

use bytes::Bytes;
use hyper::Method;
use passbook_server::settings::{SETTINGS, Settings};
use serde_json::json;
use tests::database::Database;
use tests::documents::blocks_of;
use tests::documents::noted;
use tests::documents::runner::read_settings;
use tests::documents::shell::Serving;
use tests::http::{Http, Reply};
use tests::http::{assert_signs_in_once, exchange_code};
use tests::temporary::Folder;

use super::{ADMIN, TOKEN};
use crate::rest::contract::Json;

const PAGE: &str = "docs/deployment.md";
const SETTINGS_FILE: &str = "/etc/passbook/config.toml";
const PROGRAM: &str = "/usr/bin/passbook-server";
/// Names in the text that no setting has: the common start, and names that both programs ignore.
const NOT_SETTINGS: [&str; 3] = ["PASSBOOK_", "PASSBOOK_TOKEN", "PASSBOOK_TEST_"];
const UNIT: &str = include_str!("../../../docs/deploy/passbook.service");
const SOCKET: &str = include_str!("../../../docs/deploy/passbook.socket");
const IMAGE: &str = include_str!("../../../docs/deploy/Containerfile");
const COMPOSE: &str = include_str!("../../../docs/deploy/compose.yaml");

#[tokio::test]
async fn commands_of_deployment_set_up_a_database_that_passes_doctor() {
    let blocks = tests::documents::blocks_of(PAGE);
    let found: Vec<&str> = blocks.iter().map(|block| block.note.unwrap_or_default()).collect();
    let [migrate, login, create] = ["as the administrator", "login", "as the administrator, after the login"];
    assert_eq!(found, [SETTINGS_FILE, migrate, login, create, "nginx", "Caddyfile"]);
    let [migrate, login, create] = [migrate, login, create].map(|note| noted(&blocks, note).text);
    let database = Database::bare().await;
    let folder = Folder::create();
    let file = folder.path().join("config.toml");
    let settings = noted(&blocks, SETTINGS_FILE).text;
    let shown = "postgresql://passbook_reader:password@db.example/money";
    assert!(settings.contains(shown), "{settings}");
    folder.write("config.toml", &settings.replace(shown, &database.url("passbook_reader")));
    let commands = |text: &str| {
        let shown = "postgresql://postgres:password@db.example/money";
        assert!(text.contains(shown), "{text}");
        let file = file.to_str().expect("UTF-8");
        text.replace(shown, &database.url("postgres")).replace(SETTINGS_FILE, file)
    };
    folder.done(&commands(migrate), ADMIN);
    database.connect("postgres").await.batch_execute(login).await.expect("the statement runs");
    let printed = folder.done(&commands(create), ADMIN);
    for subject in ["database", "admin", "provider"] {
        let is_ok = |line: &str| line.split_whitespace().take(2).eq(["ok", subject]);
        assert!(printed.lines().any(is_ok), "{subject}: {printed}");
    }
}

#[test]
fn settings_of_deployment_are_valid_with_both_databases() {
    let blocks = tests::documents::blocks_of(PAGE);
    let shown = noted(&blocks, SETTINGS_FILE).text;
    let line = shown.lines().find(|line| line.starts_with("database_url")).expect("a line");
    let embedded = "data_dir = \"/var/lib/passbook\"";
    assert!(
        tests::documents::text(PAGE).contains(&format!("replace the line `database_url` by `{embedded}`"))
    );
    let folder = Folder::create();
    for text in [shown.to_owned(), shown.replace(line, embedded)] {
        let settings = read_settings(&folder, &text, PAGE);
        assert_eq!(settings.origin.as_deref(), Some("https://money.example"));
        assert_eq!(settings.database.is_none(), text.contains("data_dir"));
    }
}

#[test]
fn unit_of_deployment_is_valid_and_passes_valid_flags() {
    let command = UNIT.lines().find_map(|line| line.strip_prefix("ExecStart=")).expect("a command");
    let words: Vec<&str> = command.split(' ').collect();
    assert_eq!(words, [PROGRAM, "--config", SETTINGS_FILE]);
    assert_settings_exist(UNIT);
    // Seconds of the unit and of the default must be in this order.
    let seconds: u64 = number_after(UNIT, "TimeoutStopSec=");
    assert!(
        seconds > default_of("PASSBOOK_DRAIN_SECONDS") + default_of("PASSBOOK_STOP_NOTICE_SECONDS"),
        "{seconds}"
    );
    assert!(SOCKET.contains("ListenStream=127.0.0.1:8080"), "the default of PASSBOOK_LISTEN: {SOCKET}");
    // Each line that the page explains is in the unit.
    let explained =
        tests::documents::text(PAGE).lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let lines: Vec<&str> = explained.filter(|line| line.contains('=') && !line.contains(' ')).collect();
    assert!(lines.len() > 4 && lines.iter().all(|line| UNIT.contains(line)), "{lines:?}");
}

#[test]
fn image_of_deployment_uses_existing_settings_and_programs() {
    assert_settings_exist(IMAGE);
    assert_settings_exist(COMPOSE);
    let copied = IMAGE.lines().find_map(|line| line.strip_prefix("COPY --from=build "));
    let copied = copied.expect("the programs are copied");
    for program in ["passbook-server", "passbook-admin"] {
        assert!(copied.contains(&format!("target/distribution/{program} ")), "{copied}");
        assert!(tests::binary(program).exists(), "{program}");
    }
    // The settings of the image are valid with the origin that the page requires.
    let set = IMAGE.lines().find_map(|line| line.strip_prefix("ENV ")).expect("settings");
    let pairs = set.split(' ').map(|pair| pair.split_once('=').expect("a setting"));
    let environment = pairs.chain([("PASSBOOK_ORIGIN", "https://money.example")]);
    let sources = passbook_server::settings::Sources::from_environment(environment);
    Settings::resolve(&sources, false).expect("the settings are valid");
}

#[test]
fn passwords_of_deployment_reach_neither_the_builder_nor_a_command_line() {
    for (ignored, name) in [
        (include_str!("../../../.dockerignore"), "**/.env"),
        (include_str!("../../../.containerignore"), "**/.env"),
        (include_str!("../../../.gitignore"), ".env"),
    ] {
        assert!(ignored.lines().any(|line| line == name), "{ignored}");
    }
    // psql reads the password from the environment: every account of the machine can read command lines.
    assert!(!include_str!("../../../docs/deploy/create-reader.sh").contains("$READER_PASSWORD"));
}

#[test]
fn proxies_of_deployment_pass_requests_to_the_listening_address() {
    let blocks = tests::documents::blocks_of(PAGE);
    let settings = noted(&blocks, SETTINGS_FILE).text;
    let (nginx, caddy) = (noted(&blocks, "nginx").text, noted(&blocks, "Caddyfile").text);
    let listen = settings.lines().find_map(|line| line.strip_prefix("listen = ")).expect("an address");
    let listen = listen.trim_matches('"');
    assert!(nginx.contains(&format!("proxy_pass http://{listen};")), "{nginx}");
    assert!(caddy.contains(&format!("reverse_proxy {listen}\n")), "{caddy}");
    for text in [nginx, caddy] {
        assert!(text.contains("money.example"), "{text}");
        assert_eq!(text.matches('{').count(), text.matches('}').count(), "{text}");
    }
    let seconds: u64 = number_after(nginx, "proxy_read_timeout ");
    assert!(seconds > default_of("PASSBOOK_REQUEST_SECONDS"), "{seconds}");
}

#[track_caller]
fn assert_settings_exist(text: &str) {
    let names = text.split(|character: char| !(character.is_ascii_uppercase() || character == '_'));
    let is_setting = |name: &&str| name.starts_with("PASSBOOK_") && !NOT_SETTINGS.contains(name);
    let names: Vec<&str> = names.filter(is_setting).collect();
    assert!(!names.is_empty(), "{text}");
    for name in names {
        assert!(SETTINGS.iter().any(|setting| setting.name == name), "{name} is not a setting");
    }
}

#[track_caller]
fn number_after(text: &str, start: &str) -> u64 {
    let rest = text.split(start).nth(1).unwrap_or_else(|| panic!("{start} is absent"));
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}

#[track_caller]
fn default_of(name: &str) -> u64 {
    let setting = SETTINGS.iter().find(|setting| setting.name == name).expect("a setting");
    setting.default.parse().expect("a number")
}

#[test]
fn setting_names_in_the_text_of_deployment_exist() {
    assert_settings_exist(tests::documents::text(PAGE));
}

/// Maximum number of commands that the reader types.
const COMMANDS_MAX: usize = 10;

/// Every command that the reader types, in order.
const COMMANDS: [&str; 10] = [
    "cargo install --locked --path bins/server",
    "cargo install --locked --path bins/admin",
    "passbook-admin setup downloads --yes --email you@example.org --currency EUR --time-zone Europe/Paris",
    "passbook-admin category set Grocer groceries",
    "passbook-admin category set Bookshop books",
    "passbook-admin doctor",
    "passbook-server",
    "curl -H 'Authorization: Bearer pbk_…' 'http://127.0.0.1:8080/api/v1/cashflow/summary?dateFrom=2026-10-01&dateTo=2026-10-31'",
    "claude mcp add --transport http passbook http://127.0.0.1:8080/api/mcp --header 'Authorization: Bearer pbk_…'",
    "passbook-admin backup passbook.tar.gz",
];

const PROGRAMS: &[&str] = &["passbook-server", "passbook-admin"];
/// The address on the page. The test replaces this address and the token by those of its server.
const ADDRESS: &str = "http://127.0.0.1:8080";
const FIRST_HOUR: &str = "docs/first-hour.md";

#[test]
fn reader_of_the_first_hour_types_at_most_ten_commands() {
    let typed: Vec<String> = blocks_of(FIRST_HOUR)
        .iter()
        .filter(|block| block.language == "sh")
        .flat_map(|block| block.text.replace(" \\\n  ", " ").lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert_eq!(typed, COMMANDS);
    assert!(COMMANDS.len() <= COMMANDS_MAX, "{}", COMMANDS.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn first_hour_ends_with_an_assistant_that_reads_the_loaded_data() {
    let blocks = blocks_of(FIRST_HOUR);
    let known = ["printed by setup", "printed", "returned by the query", "returned by the tool"];
    let folder = Folder::create();
    for block in blocks.iter().filter(|block| block.language != "sh") {
        match block.note.and_then(|note| note.strip_prefix("file ")) {
            Some(name) => drop(folder.write(name, block.text)),
            None => assert!(block.note.is_some_and(|note| known.contains(&note)), "{}", block.place()),
        }
    }
    let [server, admin, setup, grocer, bookshop, doctor, serve, query, connect, backup] = COMMANDS;
    assert_installs(server, "passbook-server");
    assert_installs(admin, "passbook-admin");
    let imported = folder.done(setup, PROGRAMS);
    let balances = imported.lines().skip_while(|line| !line.ends_with("until")).take(2).collect::<Vec<_>>();
    noted(&blocks, "printed by setup").assert_shows(&balances.join("\n"));
    let token = imported.split_whitespace().find(|word| word.starts_with("pbk_")).expect("a printed token");
    for command in [grocer, bookshop] {
        folder.done(command, PROGRAMS);
    }
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
    let here = |printed: &str| {
        printed.lines().find_map(|line| {
            Some(format!(
                "{origin}/#{}",
                line.strip_prefix("then open the page within ten minutes: ")?.split_once('#')?.1
            ))
        })
    };
    assert_signs_in_once(&here(&imported).expect("an address"), "you@example.org").await;
    // The end of the ten minutes, which the file states, is moved into the past.
    let again = here(&folder.done("passbook-admin setup --yes", PROGRAMS)).expect("an address");
    let code = folder.path().join("data/sign-in-code");
    assert_eq!(std::fs::metadata(&code).expect("the file of the code").permissions().mode() & 0o777, 0o600);
    let sealed = std::fs::read_to_string(&code).expect("the file of the code");
    std::fs::write(&code, sealed.replacen(|digit: char| digit.is_ascii_digit(), "0", 1)).expect("written");
    assert_eq!(exchange_code(&again).await.status, 401);
    assert!(!code.exists(), "an expired file is removed");
    serving.stop();
}

/// The origin that the server has printed.
fn origin(serving: &Serving) -> String {
    let base = serving.lines.iter().find_map(|line| line.strip_prefix("base    "));
    let base = base.unwrap_or_else(|| panic!("{:?}", serving.lines));
    base.strip_suffix("/api").expect("the base address ends in /api").to_owned()
}

/// Checks that the command installs the program. The programs are already built for the tests, and an installation would
/// build them a second time. `tests/system/documents.rs` builds and runs the server of a fresh clone.
fn assert_installs(command: &str, program: &str) {
    let folder = command.strip_prefix("cargo install --locked --path ").expect("a path");
    let manifest = tests::text_of(&format!("{folder}/Cargo.toml"));
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
