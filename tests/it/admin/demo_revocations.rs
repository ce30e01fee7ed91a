//! Revocations by `passbook-admin` in the database of the demo, which is installed again at every start.

use jiff::ToSpan as _;
use passbook_auth::personal_access_token::PlainToken;
use passbook_demo::{EMAIL, USER_ID, install};
use passbook_domain::scope::Scope;
use passbook_ingest::tokens::NewToken;
use serde_json::Value;
use tests::app::{App, TODAY};
use tests::database::Database;

use tests::admin::admin;

#[tokio::test]
async fn demo_keeps_revocations_when_it_is_installed_again() {
    let database = Database::fresh().await;
    let mut writer = database.connect(passbook_schema::WRITER).await;
    install(&mut writer, TODAY).await.expect("the demo is installed");
    let plain = PlainToken::generate("pbk_");
    let live = PlainToken::generate("pbk_");
    let new = |name| NewToken {
        user_id: USER_ID,
        name,
        scopes: Scope::ALL,
        rest: true,
        mcp: true,
        expires_in_days: 1,
    };
    let id =
        passbook_ingest::tokens::create(&writer, &new("revoked"), &plain).await.expect("the token is stored");
    passbook_ingest::tokens::create(&writer, &new("live"), &live).await.expect("the token is stored");
    let clients = format!(
        "insert into passbook.oauth_clients (client_id, kind, user_id, name, scopes) values \
         ('own', 'personal_dashboard', '{USER_ID}', 'own', '{{banks:read}}'), \
         ('all', 'known_mcp', null, 'all', '{{banks:read}}'); \
         insert into passbook.oauth_sessions (user_id, session_id) values ('{USER_ID}', 'open')"
    );
    writer.batch_execute(&clients).await.expect("the writer can run the statement");
    let run = |words: &[&str]| admin(&database, words).done();
    run(&["token", "revoke", &id.to_string()]);
    run(&["client", "revoke", "own"]);
    run(&["consent", "revoke", "all", "--user", EMAIL]);
    run(&["session", "revoke", "ended", "--user", EMAIL]);
    let lists =
        || ["token", "client", "consent", "session"].map(|kind| run(&[kind, "list", "--output", "json"]));
    let mut before = lists().map(|list| serde_json::from_str::<Vec<Value>>(&list).expect("JSON"));
    before[0].retain(|token| token["name"] == "revoked");
    before[3].retain(|session| session["session_id"] == "ended");

    install(&mut writer, TODAY + 1.day()).await.expect("the demo is installed again");

    let after = lists().map(|list| serde_json::from_str::<Vec<Value>>(&list).expect("JSON"));
    assert_eq!(after, before);
    for (name, list) in ["token", "client", "consent", "session"].into_iter().zip(&after) {
        assert!(list.iter().any(|entry| entry["state"] == "revoked"), "{name}: {list:?}");
    }
    let app = App::start_on_day(database, TODAY).await;
    for token in [&plain, &live] {
        assert_eq!(app.get("/v1/me", token.reveal()).await.status, 401);
    }
}
