//! The example host with sessions: sign-in by cookie, its own error pages, and REST without tokens.

use hyper::Method;
use serde_json::json;
use tests::http::{Http, Reply};

use super::program::{Host, ledger_file};

struct Running {
    _host: Host,
    _rows: tempfile::NamedTempFile,
    origin: String,
    /// The sign-in code of Ada, who has one expense of 2,150 cents.
    code: String,
    http: Http,
}

fn start() -> Running {
    let rows = ledger_file("ada|2026-11-03|EXPENSE|BOOKS|2150|EUR|posted|CARD BOOKS|Librairie\n");
    let mut host = Host::start("passbook-session-host", &[("LEDGER", rows.path().to_str().expect("UTF-8"))]);
    let origin = host.line();
    let code = host.line().strip_prefix("ada ").expect("name and code").to_owned();
    Running { _host: host, _rows: rows, origin, code, http: Http::default() }
}

impl Running {
    async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        self.http.send(Method::GET, &format!("{}{path}", self.origin), headers).await
    }

    /// Signs in. Returns the cookie.
    async fn sign_in(&self) -> String {
        let url = format!("{}/sign-in", self.origin);
        let reply = self.http.send_body(Method::POST, &url, &[], format!("code={}", self.code).into()).await;
        assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/"));
        let cookie = reply.header("set-cookie");
        assert!(cookie.ends_with("; HttpOnly; SameSite=Lax; Path=/"), "{cookie}");
        cookie.split(';').next().expect("the pair").to_owned()
    }
}

#[tokio::test]
async fn caller_without_a_session_reads_where_to_sign_in() {
    let host = start();
    for token in ["", "Bearer pbk_nothing"] {
        let reply = host.get("/money/v1/me", &[("authorization", token)]).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (401, "UNAUTHORIZED"), "{token}");
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
    let host = start();
    let cookie = host.sign_in().await;
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
