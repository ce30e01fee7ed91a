//! `doctor` with an identity provider, a pooler or a standby: a line per check, with a remedy for each problem.

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
async fn doctor_reports_ok_for_a_working_provider() {
    let database = Database::fresh().await;
    let ended = doctor(&database, &[("PASSBOOK_OIDC_ISSUER", &good().await.issuer)]);
    for what in ["database", "database-clock", "pooler", "provider", "keys", "sign-in", "clock"] {
        line(&ended, "ok", what);
    }
    assert_eq!((ended.code, ended.stdout.lines().count(), ended.stderr.as_str()), (0, 7, ""), "{ended:#?}");
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
