//! Who may call which tool: scopes, surfaces, revocation, and never another person's rows.

use bytes::Bytes;
use domain::scope::Scope;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::SendRequest;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tests::app::App;
use tests::catalogue::tools;
use tests::database::Database;
use tests::household::Household;
use tests::mcp::{Era, failure, payload};
use tokio::net::TcpStream;

use super::app;

/// Every message that is answered to any live token.
const OPEN: [(Era, &str); 5] = [
    (Era::Legacy, "initialize"),
    (Era::Legacy, "ping"),
    (Era::Legacy, "tools/list"),
    (Era::Modern, "server/discover"),
    (Era::Modern, "tools/list"),
];

fn parameters(method: &str) -> Value {
    if method == "initialize" { json!({ "protocolVersion": "2025-11-25" }) } else { json!({}) }
}

#[tokio::test]
async fn a_tool_answers_with_its_own_scope_and_names_it_when_it_is_missing() {
    let (app, household, _) = app().await;
    let user = household.user.user_id;
    for (name, tool) in tools() {
        let scope = tool.spec.scope.expect("a tool reads data");
        let (only, _) = app.token_with(user, &[scope], false, true).await;
        let others: Vec<Scope> = Scope::ALL.iter().copied().filter(|other| *other != scope).collect();
        let (without, _) = app.token_with(user, &others, true, true).await;
        for era in Era::ALL {
            payload(&app.call(era, &only, name, json!({})).await);
            let reply = app.call(era, &without, name, json!({})).await;
            assert_eq!(reply.status, 200, "{name}");
            assert_eq!(reply.header("www-authenticate"), "", "{name}");
            let sentence = failure(&reply);
            assert!(sentence.contains(&format!("the scope {scope}: enable it")), "{name}: {sentence}");
            let challenges = &reply.json()["result"]["_meta"]["mcp/www_authenticate"];
            let challenge = challenges[0].as_str().expect("a challenge");
            assert!(challenge.starts_with("Bearer error=\"insufficient_scope\""), "{name}: {challenge}");
            assert!(!challenge.contains("scope="), "{name}: {challenge}");
            assert!(challenge.contains("error_description="), "{name}: {challenge}");
            let metadata = format!("{}/.well-known/oauth-protected-resource/mcp\"", app.base_url);
            assert!(challenge.ends_with(&metadata), "{name}: {challenge}");
        }
        for (era, method) in OPEN {
            app.rpc(era, &only, method, parameters(method)).await.ok();
        }
    }
}

#[tokio::test]
async fn a_scope_that_can_be_asked_for_is_also_an_http_refusal() {
    let settings =
        tests::app::settings(&[("PASSBOOK_OAUTH_REQUESTABLE_SCOPES", "budgets:read,transactions:read")]);
    let app = App::start_with(Database::fresh().await, settings).await;
    let household = Household::new();
    app.load(household.records()).await;
    let (token, _) = app.token_with(household.user.user_id, &[Scope::PreferencesRead], true, true).await;
    for (name, tool) in tools() {
        let scope = tool.spec.scope.expect("a tool reads data");
        let requestable = matches!(scope, Scope::BudgetsRead | Scope::TransactionsRead);
        let reply = app.call(Era::Legacy, &token, name, json!({})).await;
        let status = if requestable { 403 } else { 200 };
        assert_eq!(reply.status, status, "{name}");
        if scope == Scope::PreferencesRead {
            continue;
        }
        failure(&reply);
        let told = reply.json()["result"]["_meta"]["mcp/www_authenticate"][0].clone();
        let header = reply.header("www-authenticate");
        assert_eq!(header, if requestable { told.as_str().expect("text") } else { "" }, "{name}");
    }
}

#[tokio::test]
async fn a_grant_that_is_gone_or_for_another_surface_answers_nothing() {
    for (what, change, status, code) in [
        ("revoked", "set revoked_at = now()", 401, "UNAUTHORIZED"),
        (
            "expired",
            "set created_at = now() - interval '2 days', expires_at = now() - interval '1 second'",
            401,
            "UNAUTHORIZED",
        ),
        ("for REST alone", "set mcp = false", 403, "FORBIDDEN"),
    ] {
        let (app, household, _) = app().await;
        let (token, id) = app.token_with(household.user.user_id, Scope::ALL, true, true).await;
        // The owner of the token is remembered from here on; what the token may do must not be.
        app.rpc(Era::Legacy, &token, "ping", json!({})).await.ok();
        app.write(&format!("update passbook.personal_access_tokens {change} where token_id = '{id}'")).await;
        let mut replies = Vec::new();
        for (era, method) in OPEN {
            replies.push((method, app.rpc(era, &token, method, parameters(method)).await));
        }
        for (name, _) in tools() {
            for era in Era::ALL {
                replies.push((name, app.call(era, &token, name, json!({})).await));
            }
        }
        let bearer = format!("Bearer {token}");
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        replies.push(("notification", app.post("/mcp", &headers, notification).await));
        for (place, reply) in replies {
            assert_eq!((reply.status.as_u16(), reply.code().as_str()), (status, code), "{place}, {what}");
            assert_eq!(reply.header("www-authenticate").is_empty(), status == 403, "{place}, {what}");
        }
    }
}

/// Calls a tool over a connection that is open already.
async fn call_over(connection: &mut SendRequest<Full<Bytes>>, host: &str, token: &str) -> StatusCode {
    let params = json!({ "name": "get_preferences", "arguments": {} });
    let message = Era::Legacy.message(&json!(1), "tools/call", params.clone()).to_string();
    let mut request = Request::post("/api/mcp").header("host", host);
    for (name, value) in Era::Legacy.headers("tools/call", &params) {
        request = request.header(name, value);
    }
    let request = request.header("authorization", format!("Bearer {token}")).body(Full::new(message.into()));
    connection.ready().await.expect("the connection is still open");
    let response = connection.send_request(request.expect("a request")).await.expect("an answer");
    let status = response.status();
    response.into_body().collect().await.expect("the body arrives");
    status
}

#[tokio::test]
async fn a_token_revoked_between_two_calls_of_one_connection_is_refused_at_the_second() {
    let (app, household, _) = app().await;
    let (token, id) = app.token_with(household.user.user_id, Scope::ALL, true, true).await;
    let host = app.base_url.trim_start_matches("http://").trim_end_matches("/api").to_owned();
    let stream = TcpStream::connect(&host).await.expect("the server listens");
    let (mut connection, driver) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.expect("a connection");
    tokio::spawn(driver);
    assert_eq!(call_over(&mut connection, &host, &token).await, 200);
    assert_eq!(call_over(&mut connection, &host, &token).await, 200);
    app.write(&format!(
        "update passbook.personal_access_tokens set revoked_at = now() where token_id = '{id}'"
    ))
    .await;
    assert_eq!(call_over(&mut connection, &host, &token).await, 401);
    app.write(&format!(
        "update passbook.personal_access_tokens set revoked_at = null where token_id = '{id}'"
    ))
    .await;
    assert_eq!(call_over(&mut connection, &host, &token).await, 200);
}

#[tokio::test]
async fn a_scope_taken_away_is_missing_at_the_next_call() {
    let (app, household, _) = app().await;
    let (token, id) = app.token_with(household.user.user_id, Scope::ALL, true, true).await;
    payload(&app.call(Era::Legacy, &token, "get_preferences", json!({})).await);
    app.write(&format!(
        "update passbook.personal_access_tokens set scopes = '{{budgets:read}}' where token_id = '{id}'"
    ))
    .await;
    failure(&app.call(Era::Legacy, &token, "get_preferences", json!({})).await);
    payload(&app.call(Era::Legacy, &token, "get_budget_summary", json!({})).await);
}

#[tokio::test]
async fn two_hundred_calls_at_once_by_twenty_people_mix_up_no_rows() {
    const PEOPLE: usize = 20;
    const CALLS: usize = 200;
    const ASKINGS: usize = 10;
    let app = App::start().await;
    let mut people = Vec::new();
    for _ in 0..PEOPLE {
        let mut household = Household::new();
        let mark = household.user.user_id.simple().to_string();
        for day in 1..=5 {
            let date = format!("2026-11-{day:02}");
            let row = household.expense(&date, domain::category::ExpenseCategory::Books, 1_000 + day, "EUR");
            row.merchant_name = Some(mark.clone());
        }
        app.load(household.records()).await;
        people.push((mark, app.token(household.user.user_id).await));
    }
    let (app, people) = (&app, &people);
    let calls = (0..CALLS).map(|number| async move {
        let (mark, token) = &people[number % PEOPLE];
        let tool = ["search_transactions", "get_top_merchants"][number / PEOPLE % 2];
        let mut reply = app.call(Era::ALL[number / 2 % 2], token, tool, json!({})).await;
        // All connections may be taken for longer than a request waits for one.
        for _ in 1..ASKINGS {
            if reply.json()["result"]["isError"] != true {
                break;
            }
            reply = app.call(Era::ALL[number / 2 % 2], token, tool, json!({})).await;
        }
        let said = payload(&reply).to_string();
        assert!(said.contains(mark), "{tool} answers with the caller's own rows: {said}");
        for (other, _) in people.iter().filter(|(other, _)| other != mark) {
            assert!(!said.contains(other), "{tool} answers with another's rows");
        }
    });
    futures_util::future::join_all(calls).await;
}
