//! `doctor`, and the database that each command uses.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use passbook_embedded::Embedded;
use serde_json::{Value, json};
use tests::admin::{Ended, run, start};
use tests::database::{Database, one, url};
use tests::pooler::Pooler;
use tests::postgres::Postgres;
use tests::provider::{IdentityProvider, ResponseMode, suitable_provider};
use tests::temporary::Folder;
use tokio_postgres::NoTls;

use crate::outages::TIMEOUT;

fn doctor(database: &Database, environment: &[(&str, &str)]) -> Ended {
    let url = database.url("passbook_reader");
    let environment: Vec<(&str, &str)> =
        [("PASSBOOK_DATABASE_URL", url.as_str())].iter().chain(environment).copied().collect();
    run(&environment, &["doctor"], "")
}

/// The line of the check `what`, which must have the given state.
#[track_caller]
fn line<'a>(ended: &'a Ended, state: &str, what: &str) -> &'a str {
    lines(ended, state, what).first().copied().unwrap_or_else(|| panic!("no line {state} {what}: {ended:#?}"))
}

/// The lines of the check `what` that have the given state.
fn lines<'a>(ended: &'a Ended, state: &str, what: &str) -> Vec<&'a str> {
    let is_it = |line: &&str| {
        let mut words = line.split_whitespace();
        (words.next(), words.next()) == (Some(state), Some(what))
    };
    ended.stdout.lines().filter(is_it).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_reports_ok_for_a_working_provider() {
    let database = Database::fresh().await;
    let ended = doctor(&database, &[("PASSBOOK_OIDC_ISSUER", &suitable_provider().await.issuer)]);
    for what in ["database", "database-clock", "pooler", "provider", "keys", "sign-in", "clock"] {
        line(&ended, "ok", what);
    }
    assert_eq!((ended.code, ended.stdout.lines().count(), ended.stderr.as_str()), (0, 7, ""), "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_warns_of_a_settings_file_with_secrets_that_everybody_may_read() {
    let database = Database::fresh().await;
    let folder = Folder::create();
    let key = "0".repeat(64);
    for (content, mode, is_exposed) in [
        (format!("session_key = \"{key}\""), 0o644, true),
        (format!("session_key = \"{key}\""), 0o640, false),
        ("listen = \"127.0.0.1:1\"".to_owned(), 0o644, false),
    ] {
        let path = folder.write("config.toml", &content);
        std::fs::set_permissions(&path, Permissions::from_mode(mode)).expect("the mode is set");
        let url = database.url("passbook_reader");
        let ended = run(&[("PASSBOOK_DATABASE_URL", &url)], &["doctor", "--config", &path], "");
        let warnings = lines(&ended, "warn", "settings");
        assert_eq!(warnings.len(), usize::from(is_exposed), "{content} {mode:o} {ended:#?}");
        assert!(
            warnings.iter().all(|warning| warning.ends_with(&format!("chmod o-r {path}`"))),
            "{ended:#?}"
        );
    }
}

/// A provider with one changed member of its discovery document.
async fn with_metadata(member: &str, value: Value) -> IdentityProvider {
    let provider = suitable_provider().await;
    provider.set_metadata(member, value);
    provider
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_reports_each_provider_problem_with_its_remedy() {
    let database = Database::fresh().await;
    let good = suitable_provider().await;
    let hanging_up = suitable_provider().await;
    hanging_up.set_response(ResponseMode::ConnectionClosed);
    let keyless = suitable_provider().await;
    keyless.publish(json!([]));
    let other = with_metadata("issuer", json!("https://other.example")).await;
    let own_page = json!("http://127.0.0.1:8080/api/oauth/authorize");
    let circular = with_metadata("authorization_endpoint", own_page).await;
    let names_issuer = with_metadata("authorization_response_iss_parameter_supported", json!(true)).await;
    // Provider, setting, and the start and a part of the expected line.
    for (provider, setting, expected, part) in [
        (other, "", "broken provider", "https://other.example"),
        (hanging_up, "", "broken provider", "PASSBOOK_OIDC_ISSUER"),
        (keyless, "", "broken keys", "JWT signing keys"),
        (circular, "", "broken sign-in", "go round in circles"),
        (names_issuer, "", "warn sign-in", "PASSBOOK_OAUTH_MODE=direct"),
        (good.clone(), "PASSBOOK_OAUTH_MODE=origin", "warn sign-in", "PASSBOOK_OAUTH_MODE=split"),
        (good, "PASSBOOK_ORIGIN=http://money.example", "warn sign-in", "PASSBOOK_ORIGIN"),
    ] {
        let issuer = ("PASSBOOK_OIDC_ISSUER", provider.issuer.as_str());
        let environment: Vec<(&str, &str)> = [issuer].into_iter().chain(setting.split_once('=')).collect();
        let ended = doctor(&database, &environment);
        let (state, what) = expected.split_once(' ').expect("a state and a check");
        let message = line(&ended, state, what);
        assert!(message.contains(part), "{message}");
        assert_eq!(ended.code, if state == "broken" { 64 } else { 0 }, "{ended:#?}");
        assert_eq!(ended.stderr.is_empty(), state != "broken", "{ended:#?}");
        line(&ended, "ok", "database");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_a_pooler_in_transaction_mode() {
    let database = Database::fresh().await;
    let pooler = Pooler::start(database.configuration("passbook_reader"));
    let url = url(&pooler.configuration());
    for (prepares, state) in [("true", "warn"), ("false", "ok")] {
        let environment =
            [("PASSBOOK_DATABASE_URL", &*url), ("PASSBOOK_DATABASE_PREPARED_STATEMENTS", prepares)];
        let ended = run(&environment, &["doctor"], "");
        assert!(line(&ended, state, "pooler").contains("in transaction mode"), "{ended:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_examines_each_host_of_a_primary_and_its_standby() {
    let mut primary = Postgres::start("").await;
    let standby = primary.standby().await;
    let url = format!("postgresql://passbook_reader@{},{}/money", standby.host(), primary.host());
    let examine = || run(&[("PASSBOOK_DATABASE_URL", url.as_str())], &["doctor"], "");
    let names =
        |line: &str, server: &Postgres| line.contains(&format!("{}: ", server.host().replace("%2F", "/")));
    let ended = examine();
    for what in ["database-clock", "pooler"] {
        let [first, second] = lines(&ended, "ok", what).try_into().unwrap_or_else(|_| panic!("{ended:#?}"));
        assert!(names(first, &standby) && names(second, &primary), "{ended:#?}");
    }
    let [lag] = lines(&ended, "ok", "standby").try_into().unwrap_or_else(|_| panic!("{ended:#?}"));
    assert!(names(lag, &standby) && lag.contains("0 s behind its primary"), "{lag}");
    assert_eq!(ended.code, 0, "{ended:#?}");

    primary.kill();
    let ended = examine();
    let message = line(&ended, "warn", "database-host");
    assert!(names(message, &primary) && message.contains("are not checked: "), "{message}");
    // It receives nothing any more, so nobody knows what it lacks.
    line(&ended, "warn", "standby");
}

#[tokio::test]
async fn several_hosts_lead_to_the_primary_also_after_a_failover() {
    let mut primary = Postgres::start("").await;
    let standby = primary.standby().await;
    // The order of the hosts has no meaning, so the standby comes first.
    let url = format!("postgresql://passbook_writer@{},{}/money", standby.host(), primary.host());
    let admin = |words: &[&str]| run(&[("PASSBOOK_ADMIN_DATABASE_URL", url.as_str())], words, "");
    admin(&["user", "create", "--email", "ada@example.org"]).done();
    assert!(admin(&["user", "list"]).done().contains("ada@example.org"));
    let session = standby.session("postgres").await;
    let people = "select count(*) from passbook.users";
    let replayed = tests::until(async || one::<i64>(&session, people).await > 0);
    tokio::time::timeout(TIMEOUT, replayed).await.expect("the standby follows");
    drop(session);

    primary.kill();
    let message = admin(&["user", "list"]).failed(69);
    assert!(message.contains("PASSBOOK_ADMIN_DATABASE_URL"), "{message}");
    let cluster = standby.cluster();
    standby.run("pg_ctl", &["promote", "-D", cluster.to_str().expect("UTF-8")]);
    assert!(admin(&["user", "list"]).done().contains("ada@example.org"));
    admin(&["user", "create", "--email", "bea@example.org"]).done();
}

#[tokio::test]
async fn command_reports_the_loss_of_a_server_that_another_process_stops() {
    let folder = Folder::create();
    let environment = [("PASSBOOK_DATA_DIR", folder.path().to_str().expect("UTF-8"))];
    run(&environment, &["migrate"], "").done();
    let server = Embedded::start(tests::postgres_programs::config(folder.path().to_owned())).await;
    let server = server.expect("PostgreSQL starts");
    let loading = start(&environment, &["load", "-"]);
    let superuser = server.address().connect(passbook_embedded::SUPERUSER, "passbook").connect(NoTls).await;
    let (client, connection) = superuser.expect("the superuser connects");
    let connection = tokio::spawn(connection);
    // The command waits for standard input after it has connected.
    let at_work = "select count(*) from pg_stat_activity where usename = 'passbook_writer'";
    tests::until(async || one::<i64>(&client, at_work).await > 0).await;
    drop(client);
    connection
        .await
        .expect("the connection ends without a panic")
        .expect("the connection ends without an error");
    server.stop().await.expect("the server stops");
    let message = loading.with_input(r#"{ "format": "passbook-bundle", "version": 1 }"#).failed(69);
    assert!(message.contains("run the command again"), "{message}");
}
