//! The sign-in code on the line `page` of a demo.

use hyper::Method;
use serde_json::json;
use tests::http::{Http, Reply};

use tests::server_process::value;

/// Checks that the printed code signs in once.
pub(super) async fn assert_code_signs_in_once(lines: &[String]) {
    let page = value(&lines[3], "page");
    let (page, code) = page.split_once("#code=").expect("a code in the fragment");
    let exchange = async || -> Reply {
        let url = format!("{page}session/code");
        let headers = [
            ("x-passbook-page", "1"),
            ("origin", page.trim_end_matches('/')),
            ("content-type", "application/json"),
        ];
        let body = json!({ "code": code }).to_string();
        Http::default().send_body(Method::POST, &url, &headers, body.into()).await
    };
    let first = exchange().await;
    assert_eq!(first.status, 204, "{:?}", first.body);
    let cookie = first.header("set-cookie").split(';').next().expect("a pair").to_owned();
    let headers = [("x-passbook-page", "1"), ("cookie", cookie.as_str())];
    let me = Http::default().send(Method::GET, &format!("{page}data/v1/me"), &headers).await.ok();
    assert_eq!(me["email"], passbook_demo::EMAIL);
    let second = exchange().await;
    assert_eq!((second.status.as_u16(), second.header("set-cookie")), (401, ""));
    assert!(!second.json()["error"]["message"].to_string().contains(code));
}
