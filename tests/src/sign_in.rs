//! The sign-in to the page by a printed address, as a browser does it.

use hyper::Method;
use serde_json::json;

use crate::http::{Http, Reply};

/// Sends the code of an address such as `http://127.0.0.1:8080/#code=…`.
///
/// # Panics
/// If the address has no code.
pub async fn exchange_code(address: &str) -> Reply {
    let (page, code) = address.split_once("#code=").expect("a code in the fragment");
    let headers = [
        ("x-passbook-page", "1"),
        ("origin", page.trim_end_matches('/')),
        ("content-type", "application/json"),
    ];
    let body = json!({ "code": code }).to_string();
    Http::default().send_body(Method::POST, &format!("{page}session/code"), &headers, body.into()).await
}

/// Checks that an address signs a user in once.
///
/// # Panics
/// If it does not, or does twice.
pub async fn assert_signs_in_once(address: &str, email: &str) {
    let (page, code) = address.split_once("#code=").expect("a code in the fragment");
    let first = exchange_code(address).await;
    assert_eq!(first.status, 204, "{:?}", first.body);
    let cookie = first.header("set-cookie").split(';').next().expect("a pair").to_owned();
    let headers = [("x-passbook-page", "1"), ("cookie", cookie.as_str())];
    let me = Http::default().send(Method::GET, &format!("{page}data/v1/me"), &headers).await.ok();
    assert_eq!(me["email"], email);
    let second = exchange_code(address).await;
    assert_eq!((second.status.as_u16(), second.header("set-cookie")), (401, ""));
    assert!(!second.json()["error"]["message"].to_string().contains(code));
}
