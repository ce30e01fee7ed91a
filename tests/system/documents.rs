//! The programs, statements and first commands of the documents that need bash, git, jq, psql or Python.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use passbook_auth::Authenticator;
use passbook_auth::personal_access_token::PlainToken;
use passbook_operations::Service;
use passbook_operations::cashflow_summary::{CashflowSummary, Params};
use passbook_store::Store;
use tests::app::App;
use tests::database::execute;
use tests::demo_totals::assert_try_line_totals;
use tests::documents::cluster::Cluster;
use tests::documents::{Block, noted};
use tests::household::day;
use tests::server_process::{Running, assert_startup_lines, postgres_pid, run, signal, wait_until_ended};
use tests::temporary::Folder;
use uuid::Uuid;

/// Each program: the note and language of its block, and the interpreter.
const PROGRAMS: [(&str, &str, &str); 2] = [("run with jq", "sh", "sh"), ("run", "python", "python3")];

/// Runs a program of a document with the address and the token of a server.
fn run_program(app: &App, token: &str, interpreter: &str, program: &str) -> Output {
    let mut command = Command::new(interpreter);
    command.args(["-c", program]).envs([("BASE", app.base_url.as_str()), ("TOKEN", token)]);
    command.output().unwrap_or_else(|error| panic!("{interpreter}: {error}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_in_shell_and_python_print_the_shown_totals() {
    let blocks = tests::documents::blocks_of("docs/clients.md");
    let totals = blocks.iter().find(|block| block.note == Some("printed by the programs")).expect("totals");
    let app = App::demo_household().await;
    let token = app.token(passbook_demo::USER_ID).await;
    for (note, language, interpreter) in PROGRAMS {
        let is_program = |block: &&Block<'_>| (block.note, block.language) == (Some(note), language);
        let block = blocks.iter().find(is_program).expect("a program");
        let output = run_program(&app, &token, interpreter, block.text);
        assert!(output.status.success(), "{}: {output:?}", block.place());
        totals.assert_shows(&String::from_utf8(output.stdout).expect("UTF-8"));
        // A program that receives an error must not print a total, which would be wrong.
        let output = run_program(&app, "pbk_wrong", interpreter, block.text);
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(!output.status.success() && !printed.contains(" transactions"), "{output:?}");
    }
}

/// The first block of shell commands in the README.
fn first_command(readme: &str) -> &str {
    let block = readme.split("```sh\n").nth(1).expect("a shell block");
    block.split("```").next().expect("the end of the block").trim()
}

/// Clones the repository that this test is built from.
fn clone(into: &Path) -> PathBuf {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned();
    let clone = into.join("passbook");
    let mut git = Command::new("git");
    git.args(["clone", "--quiet", "--local"]).args([&repository, &clone]);
    let ended = run(git);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    clone
}

/// Writes a cargo configuration above the clone that sets one profile option for each package of this workspace. Cargo
/// then reuses the dependencies from the build folder of these tests, but builds the code of the clone separately.
fn keep_apart(clone: &Path, above: &Path) {
    let lock = std::fs::read_to_string(clone.join("Cargo.lock")).expect("the lock file is committed");
    let mut config = String::new();
    for package in lock.split("[[package]]").skip(1).filter(|package| !package.contains("\nsource = ")) {
        let name = package.lines().find_map(|line| line.strip_prefix("name = ")).expect("a name");
        writeln!(config, "[profile.dev.package.{name}]\ndebug = false")
            .expect("writing to a string succeeds");
    }
    std::fs::create_dir(above.join(".cargo")).expect("the folder is created");
    std::fs::write(above.join(".cargo/config.toml"), config).expect("the file is written");
}

/// The build folder of these tests.
fn build_folder() -> PathBuf {
    let program = std::env::current_exe().expect("the path of this program");
    program.ancestors().nth(3).expect("a folder, a profile, deps").to_owned()
}

#[tokio::test]
async fn first_command_of_the_readme_starts_the_demo() {
    let folder = Folder::on_disk();
    let clone = clone(folder.path());
    keep_apart(&clone, folder.path());
    let readme = std::fs::read_to_string(clone.join("README.md")).expect("the README is read");
    let mut command = Command::new("sh");
    command.args(["-c", first_command(&readme)]).current_dir(&clone);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("PASSBOOK_") && name != "PASSBOOK_POSTGRES_BIN" {
            command.env_remove(name.as_ref());
        }
    }
    command.env("PASSBOOK_LISTEN", "127.0.0.1:0").env("PASSBOOK_DATA_DIR", folder.data_dir());
    command.env("XDG_CONFIG_HOME", folder.path().join("settings"));
    command
        .env("CARGO_TARGET_DIR", folder.path().join("target"))
        .env("CARGO_BUILD_BUILD_DIR", build_folder());

    let mut cargo = Running::start(command);
    let lines = cargo.lines(6);
    assert_startup_lines(&lines);
    assert_try_line_totals(&lines).await;
    let demo_folder = folder.data_dir().join("demo");
    let postgres = postgres_pid(&demo_folder);
    let server = std::fs::read_to_string(demo_folder.join("postgres/lock")).expect("the lock file is read");
    assert!(signal("TERM", server.trim().parse::<u32>().expect("a number")), "the server runs");
    let ended = cargo.end();
    assert_eq!((ended.code, ended.stdout), (Some(0), vec![]), "{}", ended.stderr);
    wait_until_ended(postgres);
}

#[tokio::test]
async fn blocks_of_schema_work_as_shown() {
    let blocks = tests::documents::blocks_of("docs/schema.md");
    let [roles, migrate, logins, serve, doctor, administrator, other_reader, dump, restore, session, rows] =
        blocks[..]
    else {
        panic!("{} blocks", blocks.len())
    };
    let grants = tests::documents::blocks_of("docs/grants.md");
    let keys = noted(&grants, "own API keys");
    for block in [roles, logins, administrator, other_reader, session, keys, rows] {
        assert_eq!(block.language, "sql", "{}", block.place());
    }
    for block in [migrate, serve, doctor, dump, restore] {
        assert_eq!(block.language, "sh", "{}", block.place());
    }
    let cluster = Cluster::start().await;
    cluster.run(&roles, passbook_embedded::SUPERUSER, "postgres").await;
    cluster.folder.done(&cluster.here(&migrate), &["passbook-admin"]);
    cluster.run(&logins, "operator", "passbook").await;
    cluster.serve(&cluster.here(&serve));
    cluster.folder.done(&cluster.here(&doctor), &["passbook-admin"]);
    let superuser = cluster.connect(passbook_embedded::SUPERUSER, "passbook").await;
    execute(&superuser, "set role operator; set role passbook_writer").await;

    let cluster = Cluster::start().await;
    cluster.run(&administrator, passbook_embedded::SUPERUSER, "postgres").await;
    cluster.folder.done(&cluster.here(&migrate), &["passbook-admin"]);
    cluster.serve(&cluster.here(&serve));
    cluster.run(&other_reader, passbook_embedded::SUPERUSER, "passbook").await;
    cluster.serve(&cluster.here(&serve).replace("passbook_reader", "money_web"));

    let ada = ada(&session);
    cluster.run(&rows, passbook_schema::WRITER, "passbook").await;
    assert_november(&cluster, ada).await;
    assert_session_shows(&cluster, &session).await;
    assert_own_keys(&cluster, &keys, ada).await;

    let restored = Cluster::start().await;
    cluster.folder.done(&cluster.here(&dump), &[]);
    assert_restores(&cluster.folder, &restored.here(&restore));
    restored.folder.done(&restored.here(&doctor), &["passbook-admin"]);
    assert_november(&restored, ada).await;
    assert_session_shows(&restored, &session).await;
}

/// The person named in the session of the page.
fn ada(session: &Block<'_>) -> Uuid {
    let named = session.text.split('\'').nth(3).expect("the person's identifier");
    Uuid::parse_str(named).expect("a UUID")
}

/// Runs the commands that restore the dump in a folder. The only error is the documented one.
fn assert_restores(folder: &Folder, script: &str) {
    let output = folder.run(script, &[]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{script}: {errors}");
    let errors: Vec<&str> = errors.lines().filter(|line| line.contains("ERROR")).collect();
    assert!(
        matches!(errors[..], [error] if error.ends_with("role \"postgres\" already exists")),
        "{errors:#?}"
    );
}

/// Checks the documented totals: "November's income is then 89.90, the refund, and its expenses are 194.60."
async fn assert_november(cluster: &Cluster, ada: Uuid) {
    let reader = cluster.connect(passbook_schema::READER, "passbook").await;
    let person = format!("select set_config('app.user_id', '{ada}', false)");
    execute(&reader, &person).await;
    let sum = "select sum(converted_cents)::bigint \
               from passbook_read.counted_transactions($1, $2, true, false, null, null, null) where type = $3";
    for (kind, cents) in [("INCOME", 8_990), ("EXPENSE", 19_460)] {
        let parameters: &[&(dyn tokio_postgres::types::ToSql + Sync)] =
            &[&day("2026-11-01"), &day("2026-11-30"), &kind];
        let row = reader.query_one(sum, parameters).await.expect("the query runs");
        assert_eq!(row.get::<_, i64>(0), cents, "{kind}");
    }
}

/// Checks that the reader sees the rows of the named person, and no rows without a named person.
async fn assert_session_shows(cluster: &Cluster, session: &Block<'_>) {
    let reader = cluster.connect(passbook_schema::READER, "passbook").await;
    let rows = async |text: &str| {
        let messages = reader.simple_query(text).await.expect("the query runs");
        let rows = messages.iter().filter_map(|message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => row.try_get("title").ok().flatten(),
            _ => None,
        });
        rows.map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(rows(session.text).await.len(), 6, "seven rows, less one pending row that is replaced");
    let unnamed: String = session
        .text
        .lines()
        .filter(|line| !line.contains("set_config"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(rows(&unnamed).await, [""; 0]);
}

/// Checks tokens in a table of the host application, as the page's example stores them.
async fn assert_own_keys(cluster: &Cluster, grants: &Block<'_>, ada: Uuid) {
    let superuser = cluster.connect(passbook_embedded::SUPERUSER, "passbook").await;
    execute(&superuser, "create schema app; create table app.api_keys (id uuid, person uuid, sha256 bytea, areas text[], ends_at timestamptz, blocked boolean)").await;
    cluster.run(grants, passbook_embedded::SUPERUSER, "passbook").await;
    let key = PlainToken::generate("pbk_");
    let insert =
        "insert into app.api_keys values ($1, $2, $3, '{cashflow}', now() + interval '1 day', false)";
    let hash = key.hash();
    superuser
        .execute(insert, &[&Uuid::new_v4(), &ada, &&hash.as_bytes()[..]])
        .await
        .expect("a superuser can run the statement");
    let connection = cluster.address().connect(passbook_schema::READER, "passbook").into();
    let config = passbook_store::StoreConfig::new(connection).with_connections_max(1);
    let store = Arc::new(Store::connect(config).await.expect("the start-up check passes"));
    let tokens = passbook_auth::AuthenticatorConfig::default();
    let caller = Authenticator::new(tokens, store.clone()).credential(key.reveal()).await.expect("a key");
    let service = Service::new(store);
    let cashflow =
        service.call::<CashflowSummary>(&caller, Params::default()).await.expect("the operation succeeds");
    assert_eq!(cashflow.net.amount_cents, 8_990 - 19_460);
    let refused = service.call::<passbook_operations::preferences::Preferences>(&caller, ()).await;
    assert!(matches!(refused, Err(passbook_operations::Error::InsufficientScope(_))), "{refused:?}");
    execute(&superuser, "update app.api_keys set blocked = true").await;
    let refused = service.call::<CashflowSummary>(&caller, Params::default()).await;
    assert!(matches!(refused, Err(passbook_operations::Error::Unauthorized { .. })), "{refused:?}");
}
