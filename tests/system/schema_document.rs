//! `docs/schema.md`: its statements and commands run in order, in separate clusters because they create roles.

use std::sync::Arc;

use passbook_auth::Authenticator;
use passbook_auth::personal_access_token::PlainToken;
use passbook_operations::Service;
use passbook_operations::cashflow_summary::{CashflowSummary, Params};
use passbook_store::Store;
use tests::documents::blocks::{self, Block};
use tests::documents::cluster::Cluster;
use tests::documents::shell::Folder;
use tests::household::day;
use uuid::Uuid;

#[tokio::test]
async fn blocks_of_schema_work_as_shown() {
    let blocks = tests::documents::blocks_of("docs/schema.md");
    let [roles, migrate, logins, serve, doctor, administrator, other_reader, dump, restore, session, rows] =
        blocks[..]
    else {
        panic!("{} blocks", blocks.len())
    };
    let grants = tests::documents::blocks_of("docs/grants.md");
    let keys = blocks::noted(&grants, "own API keys");
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
    superuser
        .batch_execute("set role operator; set role passbook_writer")
        .await
        .expect("operator may load data");

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
    reader.batch_execute(&person).await.expect("the person is named");
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
    superuser
        .batch_execute(
            "create schema app; create table app.api_keys (id uuid, person uuid, sha256 bytea, areas text[], ends_at timestamptz, blocked boolean)",
        )
        .await
        .expect("a superuser can run the statement");
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
    let config = passbook_store::Config::new(connection).with_connections_max(1);
    let store = Arc::new(Store::connect(config).await.expect("the start-up check passes"));
    let tokens = passbook_auth::Config::default();
    let caller = Authenticator::new(tokens, store.clone()).credential(key.reveal()).await.expect("a key");
    let service = Service::new(store);
    let cashflow =
        service.call::<CashflowSummary>(&caller, Params::default()).await.expect("the operation succeeds");
    assert_eq!(cashflow.net.amount_cents, 8_990 - 19_460);
    let refused = service.call::<passbook_operations::preferences::Preferences>(&caller, ()).await;
    assert!(matches!(refused, Err(passbook_operations::Error::InsufficientScope(_))), "{refused:?}");
    superuser
        .batch_execute("update app.api_keys set blocked = true")
        .await
        .expect("a superuser can run the statement");
    let refused = service.call::<CashflowSummary>(&caller, Params::default()).await;
    assert!(matches!(refused, Err(passbook_operations::Error::Unauthorized { .. })), "{refused:?}");
}
