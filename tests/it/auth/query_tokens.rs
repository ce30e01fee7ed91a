//! A token in the query string of any route is rejected, and neither repeated nor forwarded.

use hyper::Method;
use tests::catalogue::listed;
use tests::http::{Http, Reply};

use crate::rest::response_headers::{PUBLIC, app};

#[track_caller]
fn assert_rejected(reply: &Reply, status: u16, token: &str, target: &str) {
    assert_eq!(reply.status.as_u16(), status, "{target}: {:?}", reply.body);
    assert_eq!(reply.header("location"), "", "{target}");
    let headers = reply.headers.values().map(|value| value.to_str().expect("a header is text"));
    let text = String::from_utf8_lossy(&reply.body).into_owned() + &headers.collect::<String>();
    assert!(!text.contains(token), "{target}: {text}");
}

#[tokio::test]
async fn token_in_the_query_string_of_any_route_is_rejected() {
    let (app, _provider, token) = app().await;
    let origin = app.base_url.trim_end_matches("/api").to_owned();
    let signed = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJhIn0.c2ln";
    let http = Http::default();
    let bearer = format!("Bearer {token}");
    let bearer = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let data: Vec<String> = listed().iter().map(|operation| format!("/api{}", operation.spec.path)).collect();
    for (secret, query) in [
        (token.as_str(), format!("access_token={token}")),
        (&token, format!("access%5Ftoken={token}")),
        (&token, format!("q=Bearer%20{token}")),
        (&token, format!("client_id=a&x={token}&scope=openid")),
        (signed, format!("token={signed}")),
    ] {
        let url = |path: &str| format!("{origin}{path}?{query}");
        for path in PUBLIC {
            assert_rejected(&http.send(Method::GET, &url(path), &[]).await, 400, secret, path);
        }
        for path in &data {
            assert_rejected(&http.send(Method::GET, &url(path), &bearer).await, 400, secret, path);
            assert_rejected(&http.send(Method::GET, &url(path), &[]).await, 401, secret, path);
        }
        let tools = url("/api/mcp");
        assert_rejected(&http.send(Method::POST, &tools, &bearer).await, 400, secret, "tools");
        assert_rejected(&http.send(Method::POST, &tools, &[]).await, 401, secret, "tools");
    }
}

/// Clients may put signed tokens of their own into `state`.
#[tokio::test]
async fn signed_state_of_an_authorization_request_is_forwarded() {
    let (app, _provider, _) = app().await;
    let state = "state=eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJhIn0.c2ln";
    let reply = app.send(Method::GET, &format!("/oauth/authorize?{state}"), &[]).await;
    assert_eq!(reply.status, 302);
    assert!(reply.header("location").ends_with(state), "{}", reply.header("location"));
}
