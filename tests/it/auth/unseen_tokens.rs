//! The limit of unseen tokens per client address, over HTTP. `crates/auth` covers the exact boundaries.

use hyper::Method;
use passbook_auth::personal_access_token::PlainToken;
use passbook_server::settings::Settings;
use tests::app::{App, TODAY, settings};
use tests::database::Database;
use tests::household::Household;
use tests::http::Reply;

async fn get(app: &App, token: &str, client: &str) -> Reply {
    let headers = [("authorization", &*format!("Bearer {token}")), ("x-forwarded-for", client)];
    app.send(Method::GET, "/v1/me", &headers).await
}

/// Sends unknown tokens until one is not checked any more.
async fn exhaust(app: &App, client: &str) -> Reply {
    for _ in 0..10_000 {
        let reply = get(app, PlainToken::generate("pbk_").reveal(), client).await;
        if reply.status != 401 {
            return reply;
        }
    }
    panic!("every unknown token was checked");
}

#[tokio::test]
async fn flood_of_unknown_tokens_is_limited_and_other_clients_are_not() {
    let settings = settings(&[("PASSBOOK_TRUSTED_PROXIES", "127.0.0.1")]);
    let app = App::start_with(Database::fresh().await, Settings { today: Some(TODAY), ..settings }).await;
    let household = Household::new();
    app.load(household.records()).await;
    let [seen, unseen] = [app.token(household.user.user_id).await, app.token(household.user.user_id).await];
    get(&app, &seen, "192.0.2.1").await.ok();
    let limited = exhaust(&app, "192.0.2.1").await;
    assert_eq!((limited.status.as_u16(), limited.code().as_str()), (429, "RATE_LIMITED"));
    assert_eq!(limited.header("retry-after"), "1");
    assert_eq!(limited.header("www-authenticate"), "");
    // The same address goes on with a token that was seen, and another address with one that was not.
    get(&app, &seen, "192.0.2.1").await.ok();
    get(&app, &unseen, "192.0.2.2").await.ok();
}
