//! Access to tools: scopes, surfaces and revocation, and no rows of another person.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::SendRequest;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use passbook_domain::scope::Scope;
use serde_json::{Value, json};
use tests::app::App;
use tests::catalogue::tools;
use tests::database::Database;
use tests::household::Household;
use tests::mcp::{Era, failure, payload};
use tokio::net::TcpStream;

use super::app;

/// Messages that need a valid token but no scope.
const WITHOUT_SCOPE: [(Era, &str); 9] = [
    (Era::Legacy, "initialize"),
    (Era::Legacy, "ping"),
    (Era::Legacy, "tools/list"),
    (Era::Modern, "server/discover"),
    (Era::Modern, "tools/list"),
    (Era::Legacy, "resources/list"),
    (Era::Modern, "resources/list"),
    (Era::Legacy, "resources/templates/list"),
    (Era::Modern, "resources/templates/list"),
];

fn parameters(method: &str) -> Value {
    if method == "initialize" { json!({ "protocolVersion": "2025-11-25" }) } else { json!({}) }
}

#[tokio::test]
async fn tool_requires_its_own_scope_and_names_the_missing_one() {
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
        for (era, method) in WITHOUT_SCOPE {
            app.rpc(era, &only, method, parameters(method)).await.ok();
        }
    }
}

#[tokio::test]
async fn missing_requestable_scope_returns_403_with_challenge() {
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
        let challenge = reply.json()["result"]["_meta"]["mcp/www_authenticate"][0].clone();
        let header = reply.header("www-authenticate");
        assert_eq!(header, if requestable { challenge.as_str().expect("text") } else { "" }, "{name}");
    }
}

#[tokio::test]
async fn revoked_expired_or_rest_only_token_is_rejected_for_every_message() {
    for (state, change, status, code) in [
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
        // The server caches the owner of the token from here on. It must not cache the token's rights.
        app.rpc(Era::Legacy, &token, "ping", json!({})).await.ok();
        app.write(&format!("update passbook.personal_access_tokens {change} where token_id = '{id}'")).await;
        let mut replies = Vec::new();
        for (era, method) in WITHOUT_SCOPE {
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
            assert_eq!((reply.status.as_u16(), reply.code().as_str()), (status, code), "{place}, {state}");
            assert_eq!(reply.header("www-authenticate").is_empty(), status == 403, "{place}, {state}");
        }
    }
}

/// Calls a tool over an open connection. Returns the status.
async fn call_over(connection: &mut SendRequest<Full<Bytes>>, host: &str, token: &str) -> StatusCode {
    let params = json!({ "name": "get_preferences", "arguments": {} });
    let message = Era::Legacy.message(&json!(1), "tools/call", params.clone()).to_string();
    let mut request = Request::post("/api/mcp").header("host", host);
    for (name, value) in Era::Legacy.headers("tools/call", &params) {
        request = request.header(name, value);
    }
    let request = request.header("authorization", format!("Bearer {token}")).body(Full::new(message.into()));
    connection.ready().await.expect("the connection is still open");
    let response = connection
        .send_request(request.expect("the request is well formed"))
        .await
        .expect("the server sends a response");
    let status = response.status();
    response.into_body().collect().await.expect("the body arrives");
    status
}

#[tokio::test]
async fn revoked_token_is_refused_on_open_connection() {
    let (app, household, _) = app().await;
    let (token, id) = app.token_with(household.user.user_id, Scope::ALL, true, true).await;
    let host = app.base_url.trim_start_matches("http://").trim_end_matches("/api").to_owned();
    let stream = TcpStream::connect(&host).await.expect("the server listens");
    let (mut connection, driver) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
        .await
        .expect("the connection is established");
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
async fn removed_scope_is_missing_on_the_next_call() {
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
async fn concurrent_tool_calls_of_twenty_people_return_own_rows_only() {
    const PEOPLE: usize = 20;
    const CALLS: usize = 200;
    const ATTEMPTS: usize = 10;
    let app = App::start().await;
    let mut people = Vec::new();
    for _ in 0..PEOPLE {
        let mut household = Household::new();
        let mark = household.user.user_id.simple().to_string();
        for day in 1..=5 {
            let date = format!("2026-11-{day:02}");
            let row = household.expense(
                &date,
                passbook_domain::category::ExpenseCategory::Books,
                1_000 + day,
                "EUR",
            );
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
        // A request waits for a permit of its user and for a database connection for a limited time only, so a call may
        // fail.
        for _ in 1..ATTEMPTS {
            if reply.status == 200 && reply.json()["result"]["isError"] != true {
                break;
            }
            reply = app.call(Era::ALL[number / 2 % 2], token, tool, json!({})).await;
        }
        let text = payload(&reply).to_string();
        assert!(text.contains(mark), "{tool} must return rows of the caller: {text}");
        for (other, _) in people.iter().filter(|(other, _)| other != mark) {
            assert!(!text.contains(other), "{tool} returned rows of another person");
        }
    });
    futures_util::future::join_all(calls).await;
}
