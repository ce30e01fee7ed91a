//! Hosts that mount the adapters beside routes of their own, and hosts with sessions of their own.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Request;
use passbook_domain::access::Credential;
use passbook_domain::category::ExpenseCategory;
use passbook_domain::scope::Scope;
use passbook_mcp::{BaseUrl, HostCaller, Mcp, Pipeline, PipelineConfig, Router};
use passbook_operations::Service;
use serde_json::json;
use tests::app::{App, store_config, token_credential};
use tests::household::Household;
use tests::http::Reply;
use tests::mcp::{Era, failure, payload};
use tests::server_process;

use super::{Host, assert_fails, command, targets};

const HOSTS: [&str; 2] = ["passbook-hyper-host", "passbook-axum-host"];

async fn app() -> (App, Household) {
    let app = App::start_today().await;
    let mut household = Household::new();
    household.expense("2026-11-03", ExpenseCategory::Books, 2_150, "EUR").merchant_name =
        Some("Librairie".to_owned());
    household.expense("2026-11-04", ExpenseCategory::Coffee, 450, "USD");
    app.load(household.records()).await;
    (app, household)
}

fn start(host: &str, app: &App) -> Host {
    Host::start(host, &[("DATABASE_URL", &app.database.url("passbook_reader"))])
}

#[tokio::test]
async fn host_returns_what_the_server_returns_beside_its_own_routes() {
    let (app, household) = app().await;
    let token = app.token(household.user.user_id).await;
    let bearer = format!("Bearer {token}");
    for host in HOSTS {
        let running = start(host, &app);
        let own = running.get("/", &[]).await;
        assert_eq!((own.status.as_u16(), &own.body[..]), (200, &b"The host's own page.\n"[..]), "{host}");
        for elsewhere in ["/moneyv1/me", "/v1/me", "/money", "/api/v1/me"] {
            let reply = running.get(elsewhere, &[]).await;
            let expected = (404, &b"The host has no such page.\n"[..]);
            assert_eq!((reply.status.as_u16(), &reply.body[..]), expected, "{host}{elsewhere}");
        }
        for target in targets() {
            let expected = app.get(&target, &token).await.ok();
            let found = running.get(&format!("/money{target}"), &[("authorization", &bearer)]).await.ok();
            assert_eq!(found, expected, "{host}{target}");
        }
        let ready = running.get("/money/ready", &[]).await.ok();
        let expected = json!({ "status": "ready", "checks": [{ "name": "database", "ok": true }] });
        assert_eq!(ready, expected, "{host}");
    }
}

#[tokio::test]
async fn host_serves_the_tools_of_the_server() {
    let (app, household) = app().await;
    let token = app.token(household.user.user_id).await;
    let bearer = format!("Bearer {token}");
    let host = start(HOSTS[0], &app);
    for era in Era::ALL {
        let params = json!({ "name": "get_top_merchants", "arguments": { "limit": 1 } });
        for (method, params) in [("tools/list", json!({})), ("tools/call", params)] {
            let expected = app.rpc(era, &token, method, params.clone()).await.ok();
            let mut headers = era.headers(method, &params);
            headers.push(("authorization", &bearer));
            let message = era.message(&json!(1), method, params.clone()).to_string();
            let found = host.post("/money/mcp", &headers, message).await.ok();
            assert_eq!(found, expected, "{era:?} {method}");
        }
    }
    let json = ("content-type", "application/json");
    let reply = host.post("/money/mcp", &[json], String::new()).await;
    let document = "/money/.well-known/oauth-protected-resource/mcp";
    let challenge = format!("Bearer resource_metadata=\"{}{document}\"", host.origin);
    assert_eq!((reply.status.as_u16(), reply.header("www-authenticate")), (401, challenge.as_str()));
    assert_eq!(host.get(document, &[]).await.ok()["resource"], format!("{}/money/mcp", host.origin));
    let reply = host.post("/money/mcp", &[("origin", "https://evil.example")], String::new()).await;
    assert_eq!(reply.status, 403);
}

/// A host that has authenticated a person passes the credential: tools need no token. The `Origin` header is still
/// checked, and the grant of the credential is read together with the rows.
#[tokio::test]
async fn tools_accept_a_credential_from_the_host_instead_of_a_token() {
    let (app, household) = app().await;
    let (token, id) = app.token_with(household.user.user_id, &[Scope::SpendingRead], false, true).await;
    let config = store_config(app.database.configuration(passbook_schema::READER));
    let store =
        Arc::new(passbook_store::Store::connect(config).await.expect("role and schema pass the check"));
    let authenticator =
        passbook_auth::Authenticator::new(passbook_auth::AuthenticatorConfig::default(), store.clone());
    let base_url = BaseUrl::parse("https://money.example/money").expect("an address");
    let pipeline = Pipeline::new(Service::new(store), authenticator, PipelineConfig::new(base_url));
    let router = Router::new(&pipeline, Mcp::new(&pipeline).endpoints());
    let elsewhere = Request::get("/money/v1/me").body(Full::<Bytes>::default()).expect("a request");
    assert_eq!(router.handle(elsewhere).await.status(), 404);
    let caller = token_credential(household.user.user_id, id);
    let answer = async |caller: Option<&Credential>, tool: &str, origin: Option<&str>| {
        let params = json!({ "name": tool, "arguments": { "dateTo": "2026-11-21" } });
        let message = Era::Modern.message(&json!(1), "tools/call", params.clone()).to_string();
        let mut request = Request::post("/money/mcp");
        for (name, value) in Era::Modern.headers("tools/call", &params) {
            request = request.header(name, value);
        }
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        let mut request = request.body(Full::new(Bytes::from(message))).expect("a well-formed request");
        if let Some(credential) = caller {
            request.extensions_mut().insert(HostCaller(credential.clone()));
        }
        Reply::read(router.handle(request).await).await
    };
    let behalf = Some(&caller);
    let expected =
        payload(&app.call(Era::Modern, &token, "get_top_merchants", json!({ "dateTo": "2026-11-21" })).await);
    assert_eq!(payload(&answer(behalf, "get_top_merchants", None).await), expected);
    assert!(expected.to_string().contains("Librairie"), "{expected}");
    failure(&answer(behalf, "search_transactions", None).await);
    assert_eq!(answer(behalf, "get_top_merchants", Some("https://evil.example")).await.status, 403);
    // Without a credential from the host, a token is required.
    assert_eq!(answer(None, "get_top_merchants", None).await.status, 401);
    app.revoke_token(id).await;
    assert_eq!(answer(behalf, "get_top_merchants", None).await.status, 401);
}

#[tokio::test]
async fn host_rejects_what_the_server_rejects_and_names_its_own_address() {
    let (app, household) = app().await;
    let (token, id) = app.token_with(household.user.user_id, &[Scope::SpendingRead], true, false).await;
    let token = format!("Bearer {token}");
    let authorization = [("authorization", token.as_str())];
    for host in HOSTS {
        let running = start(host, &app);
        let base = format!("{}/money", running.origin);
        let reply = running.get("/money/v1/me", &[]).await;
        let challenge = format!("Bearer resource_metadata=\"{base}/.well-known/oauth-protected-resource\"");
        assert_eq!(
            (reply.status.as_u16(), reply.header("www-authenticate")),
            (401, challenge.as_str()),
            "{host}"
        );
        let reply = running.get("/money/v1/transactions", &authorization).await;
        reply.assert_error(403, "INSUFFICIENT_SCOPE", host);
        let target = "/money/v1/spending/summary?timeRange=2m&groupBy=year&x=1";
        let reply = running.get(target, &authorization).await;
        assert_eq!(reply.status, 400, "{host}");
        assert_eq!(reply.json()["error"]["details"].as_array().map(Vec::len), Some(3), "{host}");
        for (path, resource) in [
            ("/.well-known/oauth-protected-resource", &running.origin),
            ("/.well-known/oauth-protected-resource/money", &base),
            ("/money/.well-known/oauth-protected-resource", &base),
        ] {
            let document = running.get(path, &[]).await.ok();
            assert_eq!(document["resource"], resource.as_str(), "{host}{path}");
        }
        let document = running.get("/money/openapi.json", &[]).await.ok();
        assert_eq!(document["servers"][0]["url"], base.as_str(), "{host}");
    }
    let host = start(HOSTS[0], &app);
    assert_eq!(host.get("/money/v1/spending/summary", &authorization).await.status, 200);
    app.revoke_token(id).await;
    assert_eq!(host.get("/money/v1/spending/summary", &authorization).await.status, 401);
}

#[tokio::test]
async fn host_does_not_start_with_a_role_that_can_write() {
    let (app, _) = app().await;
    for host in HOSTS {
        let url = app.database.url("passbook_writer");
        let ended = server_process::run(command(host, &[("DATABASE_URL", &url)], &[]));
        assert_fails(&ended, "the role passbook_writer may write");
    }
}

/// Starts the host with the sessions of Ada, who has one expense of 2,150 cents.
fn start_session_host() -> Host {
    let rows = "ada|2026-11-03|EXPENSE|BOOKS|2150|EUR|posted|CARD BOOKS|Librairie\n";
    Host::with_ledger("passbook-session-host", rows)
}

/// Signs in with the code that the host prints. Returns the cookie.
async fn sign_in(host: &mut Host) -> String {
    let code = host.line().strip_prefix("ada ").expect("name and code").to_owned();
    let reply = host.post("/sign-in", &[], format!("code={code}")).await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/"));
    let cookie = reply.header("set-cookie");
    assert!(cookie.ends_with("; HttpOnly; SameSite=Lax; Path=/"), "{cookie}");
    cookie.split(';').next().expect("the pair").to_owned()
}

#[tokio::test]
async fn caller_without_a_session_reads_where_to_sign_in() {
    let host = start_session_host();
    for token in ["", "Bearer pbk_nothing"] {
        let reply = host.get("/money/v1/me", &[("authorization", token)]).await;
        reply.assert_error(401, "UNAUTHORIZED", token);
        assert_eq!(reply.json()["error"]["message"], "There is no session: sign in at /sign-in.", "{token}");
        let challenge = "Cookie form-action=\"/sign-in\", cookie-name=\"session\"";
        assert_eq!(reply.header("www-authenticate"), challenge, "{token}");
    }
    let page = host.get("/money/v1/me", &[("accept", "text/html,*/*")]).await;
    assert_eq!((page.status.as_u16(), page.header("content-type")), (401, "text/html; charset=utf-8"));
    assert_eq!(page.header("www-authenticate"), "Cookie form-action=\"/sign-in\", cookie-name=\"session\"");
    assert_eq!(page.header("cache-control"), "no-store");
    assert!(!page.header("x-request-id").is_empty(), "the page has the identifier of its log line");
    let text = String::from_utf8_lossy(&page.body);
    assert!(text.contains("<h1>Our money</h1>") && text.contains("<a href=\"/sign-in\">"), "{text}");
    assert_eq!(host.get("/", &[]).await.header("location"), "/sign-in");
    let start_page = host.get("/money/openapi.json", &[]).await.ok();
    assert_eq!(start_page["info"]["title"], "Our money");
    let schemes = start_page["components"]["securitySchemes"].as_object().expect("schemes");
    assert_eq!(schemes.keys().collect::<Vec<_>>(), ["session"]);
    assert_eq!(
        (&schemes["session"]["in"], &schemes["session"]["name"]),
        (&json!("cookie"), &json!("session"))
    );
    assert_eq!(start_page["paths"]["/v1/me"]["get"]["security"], json!([{ "session": [] }]));
}

#[tokio::test]
async fn session_reads_data_and_gets_pages_of_the_host() {
    let mut host = start_session_host();
    let cookie = sign_in(&mut host).await;
    let in_session = [("cookie", cookie.as_str())];
    let page = host.get("/", &in_session).await;
    assert_eq!(String::from_utf8_lossy(&page.body), "-2150 cents are left.\n");
    let merchants = host.get("/money/v1/spending/merchants/top", &in_session).await.ok();
    assert_eq!(merchants["merchants"][0]["merchant"], "Librairie");
    let target = "/money/v1/transactions?pageSize=0";
    assert_eq!(host.get(target, &in_session).await.json()["error"]["details"][0]["parameter"], "pageSize");
    let page = host.get(target, &[("cookie", &cookie), ("accept", "text/html")]).await;
    let text = String::from_utf8_lossy(&page.body);
    assert_eq!(page.status.as_u16(), 400);
    assert!(text.contains("<li>must be a whole number from 1 to 200"), "{text}");
}
