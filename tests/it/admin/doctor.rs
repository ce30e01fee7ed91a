//! `doctor`: a line per check, with a remedy for each problem, and the exit code.

use serde_json::json;
use tests::database::Database;
use tests::pooler::Pooler;
use tests::postgres::Postgres;
use tests::provider::{IdentityProvider, ResponseMode};
use tests::signer::Signer;

use tests::admin::{Ended, run};

async fn good() -> IdentityProvider {
    let provider = IdentityProvider::start(&[&Signer::new("k1", "ES256")]).await;
    provider.set_metadata("token_endpoint_auth_methods_supported", json!(["none"]));
    provider
}

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
async fn doctor_reports_ok_for_a_working_configuration() {
    let database = Database::fresh().await;
    let ended = doctor(&database, &[("PASSBOOK_OIDC_ISSUER", &good().await.issuer)]);
    for what in ["database", "database-clock", "pooler", "provider", "keys", "sign-in", "clock"] {
        line(&ended, "ok", what);
    }
    assert_eq!((ended.code, ended.stdout.lines().count(), ended.stderr.as_str()), (0, 7, ""), "{ended:#?}");
    let ended = doctor(&database, &[]);
    assert!(line(&ended, "ok", "provider").contains("personal access tokens only"));
    assert_eq!((ended.code, ended.stdout.lines().count()), (0, 4), "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_reports_each_provider_problem_with_its_remedy() {
    let database = Database::fresh().await;
    let broken = |member: &'static str, value: serde_json::Value| async move {
        let provider = good().await;
        provider.set_metadata(member, value);
        provider
    };
    let hanging_up = good().await;
    hanging_up.set_response(ResponseMode::ConnectionClosed);
    let keyless = good().await;
    keyless.publish(json!([]));
    for (provider, environment, state, what, part) in [
        (
            broken("issuer", json!("https://other.example")).await,
            None,
            "broken",
            "provider",
            "https://other.example",
        ),
        (hanging_up, None, "broken", "provider", "PASSBOOK_OIDC_ISSUER"),
        (keyless, None, "broken", "keys", "JWT signing keys"),
        (
            broken("authorization_endpoint", json!("http://127.0.0.1:8080/api/oauth/authorize")).await,
            None,
            "broken",
            "sign-in",
            "go round in circles",
        ),
        (
            broken("authorization_response_iss_parameter_supported", json!(true)).await,
            None,
            "warn",
            "sign-in",
            "PASSBOOK_OAUTH_MODE=direct",
        ),
        (
            good().await,
            Some(("PASSBOOK_OAUTH_MODE", "origin")),
            "warn",
            "sign-in",
            "PASSBOOK_OAUTH_MODE=split",
        ),
        (
            good().await,
            Some(("PASSBOOK_ORIGIN", "http://money.example")),
            "warn",
            "sign-in",
            "PASSBOOK_ORIGIN",
        ),
    ] {
        let issuer = ("PASSBOOK_OIDC_ISSUER", provider.issuer.as_str());
        let environment: Vec<(&str, &str)> = [issuer].into_iter().chain(environment).collect();
        let ended = doctor(&database, &environment);
        let message = line(&ended, state, what);
        assert!(message.contains(part), "{message}");
        assert_eq!(ended.code, if state == "broken" { 64 } else { 0 }, "{ended:#?}");
        assert_eq!(ended.stderr.is_empty(), state != "broken", "{ended:#?}");
        line(&ended, "ok", "database");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_runs_the_start_up_check_of_the_server() {
    let database = Database::fresh().await;
    let writer = database.url("passbook_writer");
    let ended = run(&[("PASSBOOK_DATABASE_URL", writer.as_str())], &["doctor"], "");
    let message = line(&ended, "broken", "database");
    assert!(message.contains("PASSBOOK_DATABASE_URL: connect as passbook_reader"), "{ended:#?}");
    let broken = ended.stdout.lines().filter(|line| line.starts_with("broken")).count();
    assert_eq!((ended.code, broken), (64, 1), "{ended:#?}");
    let elsewhere = format!("{}_elsewhere", database.url("passbook_reader"));
    let ended = run(&[("PASSBOOK_DATABASE_URL", &elsewhere)], &["doctor"], "");
    assert!(line(&ended, "broken", "database").contains("PASSBOOK_DATABASE_URL"), "{ended:#?}");
    let ended = run(&[("PASSBOOK_ADMIN_DATABASE_URL", writer.as_str())], &["doctor"], "");
    assert!(line(&ended, "broken", "database").contains("PASSBOOK_DATABASE_URL is not set"), "{ended:#?}");
    let ended = run(&[], &["doctor"], "");
    assert!(line(&ended, "warn", "database").contains("PASSBOOK_DATA_DIR"), "{ended:#?}");
    assert_eq!(ended.code, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_lists_invalid_settings_without_secrets() {
    let secret = "postgresql://reader:hunter2@h:port/x";
    let environment = [
        ("PASSBOOK_DATABASE_URL", secret),
        ("PASSBOOK_OAUTH_MODE", "both"),
        ("PASSBOOK_OIDC_ISSUER", "http://id.example"),
    ];
    let message = run(&environment, &["doctor"], "").failed(64);
    assert_eq!(message.lines().count(), 3, "{message}");
    assert!(!message.contains("hunter2"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_compares_the_databases_of_both_urls() {
    let (database, other) = (Database::fresh().await, Database::fresh().await);
    let (reader, writer) = (database.url("passbook_reader"), database.url("passbook_writer"));
    let name = |url: &str| {
        let address = passbook_store::DatabaseAddress::of(&url.parse().expect("the URL is valid"));
        format!("database \"{}\" on {}", address.database(), address.hosts())
    };
    let examine = |admin: &str| {
        run(&[("PASSBOOK_DATABASE_URL", &reader), ("PASSBOOK_ADMIN_DATABASE_URL", admin)], &["doctor"], "")
    };
    let ended = examine(&writer);
    assert!(line(&ended, "ok", "admin").contains(&name(&writer)), "{ended:#?}");
    assert_eq!(ended.code, 0, "{ended:#?}");
    // Other words for the same database are no difference.
    let ended = examine(&format!("{writer}?application_name=backup"));
    line(&ended, "ok", "admin");

    let elsewhere = other.url("passbook_writer");
    let ended = examine(&elsewhere);
    let message = line(&ended, "broken", "admin");
    let expected = format!(
        "PASSBOOK_ADMIN_DATABASE_URL names {}, and PASSBOOK_DATABASE_URL names {}: these are different databases; set both \
         to the same one",
        name(&elsewhere),
        name(&reader)
    );
    assert!(message.ends_with(&expected), "{message}");
    assert_eq!(ended.code, 64);

    let ended = examine(&format!("{writer}_elsewhere"));
    assert!(line(&ended, "broken", "admin").contains("the database does not exist"), "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_warns_about_an_embedded_database_beside_the_url_of_the_server() {
    let database = Database::fresh().await;
    let folder = tests::temporary::folder();
    let data_dir = folder.path().to_str().expect("UTF-8");
    run(&[("PASSBOOK_DATA_DIR", data_dir)], &["migrate"], "").done();
    let ended = doctor(&database, &[("PASSBOOK_DATA_DIR", data_dir)]);
    let message = line(&ended, "warn", "admin");
    assert!(message.contains(data_dir) && message.contains("PASSBOOK_ADMIN_DATABASE_URL"), "{message}");
    assert_eq!(ended.code, 0, "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_a_pooler_in_transaction_mode() {
    let database = Database::fresh().await;
    let pooler = Pooler::start(database.configuration("passbook_reader"));
    let config = pooler.configuration();
    let [tokio_postgres::config::Host::Unix(folder)] = config.get_hosts() else { panic!("one socket") };
    let folder = folder.to_str().expect("UTF-8").replace('/', "%2F");
    let (port, name) = (config.get_ports()[0], config.get_dbname().expect("a database"));
    let url = format!("postgresql://passbook_reader@{folder}:{port}/{name}");
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
    line(&ended, "ok", "standby");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_examines_clients_and_certificate() {
    let database = Database::fresh().await;
    let writer = database.connect("passbook_writer").await;
    let clients = "insert into passbook.oauth_clients (client_id, kind, name, redirect_uris, scopes) values
        ('wrong', 'known_mcp', 'Assistant', '{https://user@a.example/callback}', '{banks:read}')";
    writer.batch_execute(clients).await.expect("the client is stored");
    let folder = tests::temporary::folder();
    let file = tests::admin::file(folder.path(), "chain.pem", "no certificate");
    let admin = database.url("passbook_writer");
    let environment = [("PASSBOOK_ADMIN_DATABASE_URL", &*admin), ("PASSBOOK_TLS_CERTIFICATE", &*file)];
    let ended = doctor(&database, &environment);
    assert!(line(&ended, "broken", "clients").contains("wrong: "), "{ended:#?}");
    assert!(line(&ended, "broken", "certificate").contains("chain.pem cannot be read"), "{ended:#?}");
    assert_eq!(ended.code, 64, "{ended:#?}");
}
