//! Personal access tokens: owner, capabilities, and revocation on the next request.

use hyper::Method;
use passbook_domain::scope::Scope;
use tests::app::App;
use tests::household::Household;

#[tokio::test]
async fn token_shows_its_own_user_only() {
    let app = App::start().await;
    for household in [Household::new(), Household::new()] {
        app.load(household.records()).await;
        let token = app.token(household.user.user_id).await;
        let me = app.get("/v1/me", &token).await.ok();
        assert_eq!(me["id"], household.user.user_id.to_string());
        assert_eq!(me["email"], household.user.email);
    }
}

#[tokio::test]
async fn capabilities_reflect_the_surfaces_of_the_token() {
    let app = App::start().await;
    let household = Household::new();
    app.load(household.records()).await;
    for (rest, mcp) in [(true, true), (true, false)] {
        let (token, _) = app.token_with(household.user.user_id, Scope::ALL, rest, mcp).await;
        let me = app.get("/v1/me", &token).await.ok();
        assert_eq!(me["capabilities"], serde_json::json!({ "readonly": true, "rest": rest, "mcp": mcp }));
    }
}

#[tokio::test]
async fn revoked_expired_or_reduced_token_is_refused_on_the_next_request() {
    for (state, change, status) in [
        (
            "revoked",
            "update passbook.personal_access_tokens set revoked_at = now() where token_id = '{}'",
            401,
        ),
        (
            "expired",
            "update passbook.personal_access_tokens set created_at = now() - interval '2 days', expires_at = now() - interval '1 second' where token_id = '{}'",
            401,
        ),
        ("deleted", "delete from passbook.personal_access_tokens where token_id = '{}'", 401),
        (
            "its user deleted",
            "delete from passbook.users where user_id = (select user_id from passbook.personal_access_tokens where token_id = '{}')",
            401,
        ),
        (
            "a scope less",
            "update passbook.personal_access_tokens set scopes = '{preferences:read}' where token_id = '{}'",
            403,
        ),
        (
            "a surface less",
            "update passbook.personal_access_tokens set rest = false where token_id = '{}'",
            403,
        ),
    ] {
        let app = App::start().await;
        let household = Household::new();
        app.load(household.records()).await;
        let (token, id) = app.token_with(household.user.user_id, Scope::ALL, true, true).await;
        app.get("/v1/cashflow/summary", &token).await.ok();
        app.write(&change.replace("'{}'", &format!("'{id}'"))).await;
        let reply = app.get("/v1/cashflow/summary", &token).await;
        assert_eq!(reply.status.as_u16(), status, "{state}");
    }
}

#[tokio::test]
async fn authorization_scheme_is_case_insensitive() {
    let app = App::start().await;
    let household = Household::new();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    for header in [format!("Bearer {token}"), format!("bearer {token}"), format!("BEARER {token}")] {
        app.send(Method::GET, "/v1/me", &[("authorization", &header)]).await.ok();
    }
}

#[tokio::test]
async fn only_the_hash_of_a_token_is_stored() {
    let app = App::start().await;
    let household = Household::new();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    let writer = app.database.connect("passbook_writer").await;
    let row = writer
        .query_one("select row_to_json(t)::text, encode(token_hash, 'hex') from passbook.personal_access_tokens as t", &[])
        .await
        .expect("one token");
    let (stored, hash): (String, String) = (row.get(0), row.get(1));
    assert!(!stored.contains(&token[4..20]));
    let expected: String = {
        use sha2::Digest as _;
        sha2::Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    assert_eq!(hash, expected);
}
