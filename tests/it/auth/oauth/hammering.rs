//! Credentials that give no access, and clients that send slowly, use up neither the permits nor the quota of the person
//! whom they name.

use passbook_domain::scope::Scope;
use passbook_web::rate_limit::CONCURRENT_REQUESTS_MAX;
use serde_json::json;
use tests::mcp::Era;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use super::SignedIn;

/// Number of requests of the owner in each round. A client may send 40 at once.
const REQUESTS: usize = 9;

/// Opens connections that send the head of a tool call and the first byte of its body.
async fn incomplete_tool_calls(origin: &str, token: &str, number: usize) -> Vec<TcpStream> {
    let host = origin.trim_start_matches("http://");
    let head = format!(
        "POST /api/mcp HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nAccept: application/json\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
    );
    let mut sockets = Vec::new();
    for _ in 0..number {
        let mut socket = TcpStream::connect(host).await.expect("the server accepts");
        socket.write_all(head.as_bytes()).await.expect("the server reads");
        sockets.push(socket);
    }
    sockets
}

#[tokio::test]
async fn owner_is_served_under_incomplete_requests_and_floods_of_dead_and_foreign_credentials() {
    let limits = [("PASSBOOK_RATE_LIMIT_USER", "300"), ("PASSBOOK_RATE_LIMIT_CLIENT", "120")];
    let fixture = SignedIn::configured(&limits).await;
    let (app, user) = (&fixture.app, fixture.user);
    let foreign = app.add_person().await.0.user.user_id;
    app.add_client("foreign", Some(foreign), Scope::ALL, true).await;
    let (live, (revoked, revoked_id)) =
        (app.token(user).await, app.token_with(user, Scope::ALL, true, true).await);
    let (expired, expired_id) = app.token_with(user, Scope::ALL, true, true).await;
    app.get("/v1/me", &revoked).await.ok();
    app.revoke_token(revoked_id).await;
    app.write(&format!(
        "update passbook.personal_access_tokens set created_at = now() - interval '2 days', \
         expires_at = now() - interval '1 second' where token_id = '{expired_id}'"
    ))
    .await;
    let foreign = fixture.token(&[("client_id", json!("foreign"))]);
    let slow = app.token(user).await;
    let hammer = async |token: &str, statuses: &[u16]| {
        for number in 0.. {
            let reply = match number % 3 {
                0 => app.rpc(Era::Legacy, token, "ping", json!({})).await,
                1 => app.get("/v1/me?no=1", token).await,
                _ => app.get("/v1/recurring-payments", token).await,
            };
            assert!(statuses.contains(&reply.status.as_u16()), "{} {:?}", reply.status, reply.body);
        }
    };
    let owner = async {
        let _slow = incomplete_tool_calls(app.origin(), &slow, CONCURRENT_REQUESTS_MAX).await;
        for sockets in [4, 60] {
            let _sockets = incomplete_tool_calls(app.origin(), &revoked, sockets).await;
            for _ in 0..REQUESTS {
                app.get("/v1/recurring-payments", &live).await.ok();
                app.rpc(Era::Modern, &live, "tools/list", json!({})).await.ok();
            }
        }
    };
    tokio::select! {
        () = owner => {}
        () = hammer(&revoked, &[401]) => unreachable!("it does not end"),
        () = hammer(&expired, &[401]) => unreachable!("it does not end"),
        () = hammer(&foreign, &[400, 403, 429]) => unreachable!("it does not end"),
    }
}
