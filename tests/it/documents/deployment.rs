//! `docs/deployment.md`: the commands run, the settings are valid, and unit, image and proxy use existing settings.

use passbook_server::settings::{CommandLine, SETTINGS, Settings};
use tests::database::Database;

use tests::documents::blocks::noted;
use tests::documents::shell::Folder;

const PAGE: &str = "docs/deployment.md";
const ADMIN: &[&str] = &["passbook-admin"];
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
        folder.write("config.toml", &text);
        let file = folder.path().join("config.toml");
        let words = ["passbook-server".into(), "--config".into(), file.into_os_string()];
        let command_line = CommandLine::parse(words).expect("the words are valid");
        let settings = Settings::resolve(&command_line.sources([]), false).expect("the settings are valid");
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
