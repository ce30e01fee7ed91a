//! The hosts that mount REST beside their own routes.

use domain::category::ExpenseCategory;
use domain::scope::Scope;
use hyper::Method;
use tests::app::App;
use tests::household::Household;
use tests::http::Http;

use super::program::{Host, targets};

const HOSTS: [&str; 2] = ["passbook-hyper-host", "passbook-axum-host"];

async fn app() -> (App, Household) {
    let app = App::start().await;
    let mut household = Household::new();
    household.expense("2026-11-03", ExpenseCategory::Books, 2_150, "EUR").merchant_name =
        Some("Librairie".to_owned());
    household.expense("2026-11-04", ExpenseCategory::Coffee, 450, "USD");
    app.load(household.records()).await;
    (app, household)
}

fn start(host: &str, app: &App) -> (Host, String) {
    let mut host = Host::start(host, &[("DATABASE_URL", &app.database.url("passbook_reader"))]);
    let origin = host.line();
    (host, origin)
}

#[tokio::test]
async fn a_host_serves_what_the_server_does_beside_its_own_routes() {
    let (app, household) = app().await;
    let token = format!("Bearer {}", app.token(household.user.user_id).await);
    let http = Http::default();
    for host in HOSTS {
        let (_running, origin) = start(host, &app);
        let own = http.send(Method::GET, &format!("{origin}/"), &[]).await;
        assert_eq!((own.status.as_u16(), &own.body[..]), (200, &b"The host's own page.\n"[..]), "{host}");
        for elsewhere in ["/moneyv1/me", "/v1/me", "/money", "/api/v1/me"] {
            let reply = http.send(Method::GET, &format!("{origin}{elsewhere}"), &[]).await;
            let expected = (404, &b"The host has no such page.\n"[..]);
            assert_eq!((reply.status.as_u16(), &reply.body[..]), expected, "{host}{elsewhere}");
        }
        let asked = [("authorization", token.as_str())];
        for target in targets() {
            let expected = app.send(Method::GET, &target, &asked).await.ok();
            let found = http.send(Method::GET, &format!("{origin}/money{target}"), &asked).await.ok();
            assert_eq!(found, expected, "{host}{target}");
        }
        let ready = http.send(Method::GET, &format!("{origin}/money/ready"), &[]).await.ok();
        let expected =
            serde_json::json!({ "status": "ready", "checks": [{ "name": "database", "ok": true }] });
        assert_eq!(ready, expected, "{host}");
    }
}

#[tokio::test]
async fn a_host_refuses_what_the_server_does_and_names_its_own_address() {
    let (app, household) = app().await;
    let (token, id) = app.token_with(household.user.user_id, &[Scope::SpendingRead], true, false).await;
    let token = format!("Bearer {token}");
    let asked = [("authorization", token.as_str())];
    let http = Http::default();
    for host in HOSTS {
        let (_running, origin) = start(host, &app);
        let base = format!("{origin}/money");
        let reply = http.send(Method::GET, &format!("{base}/v1/me"), &[]).await;
        let challenge = format!("Bearer resource_metadata=\"{base}/.well-known/oauth-protected-resource\"");
        assert_eq!(
            (reply.status.as_u16(), reply.header("www-authenticate")),
            (401, challenge.as_str()),
            "{host}"
        );
        let reply = http.send(Method::GET, &format!("{base}/v1/transactions"), &asked).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (403, "INSUFFICIENT_SCOPE"), "{host}");
        let target = format!("{base}/v1/spending/summary?timeRange=2m&groupBy=year&x=1");
        let reply = http.send(Method::GET, &target, &asked).await;
        assert_eq!(reply.status, 400, "{host}");
        assert_eq!(reply.json()["error"]["details"].as_array().map(Vec::len), Some(3), "{host}");
        for (path, resource) in [
            ("/.well-known/oauth-protected-resource", &origin),
            ("/.well-known/oauth-protected-resource/money", &base),
            ("/money/.well-known/oauth-protected-resource", &base),
        ] {
            let document = http.send(Method::GET, &format!("{origin}{path}"), &[]).await.ok();
            assert_eq!(document["resource"], resource.as_str(), "{host}{path}");
        }
        let document = http.send(Method::GET, &format!("{base}/openapi.json"), &[]).await.ok();
        assert_eq!(document["servers"][0]["url"], base.as_str(), "{host}");
    }
    let (_running, origin) = start(HOSTS[0], &app);
    let target = format!("{origin}/money/v1/spending/summary");
    assert_eq!(http.send(Method::GET, &target, &asked).await.status, 200);
    app.write(&format!(
        "update passbook.personal_access_tokens set revoked_at = now() where token_id = '{id}'"
    ))
    .await;
    assert_eq!(http.send(Method::GET, &target, &asked).await.status, 401);
}

#[tokio::test]
async fn a_host_does_not_start_over_a_role_that_could_write() {
    let (app, _) = app().await;
    for host in HOSTS {
        let url = app.database.url("passbook_writer");
        let mut command = super::program::command(host, &[("DATABASE_URL", &url)], &[]);
        let ended = command.stderr(std::process::Stdio::piped()).output().expect("the host starts and ends");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!((ended.status.code(), &ended.stdout[..]), (Some(1), &b""[..]), "{host}: {said}");
        assert!(said.contains("passbook_writer is made for writing"), "{host}: {said}");
    }
}
