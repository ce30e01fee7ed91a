//! The same over HTTP, with a database behind it: what a client that has signed somebody in is given, and what each
//! refusal looks like from outside.

use std::sync::Arc;

use domain::scope::Scope;
use hyper::Method;
use serde_json::{Value, json};
use tests::app::{App, settings_with};
use tests::database::Database;
use tests::household::Household;
use tests::http::Reply;
use tests::mcp::{Era, payload};
use tests::provider::{CLIENT, IdentityProvider, NOON, ResponseMode, TestClock};
use tests::signer::Signer;
use uuid::Uuid;

use tests::catalogue::{listed, tools};

/// A person who has let a client in.
struct World {
    app: App,
    provider: IdentityProvider,
    signer: Signer,
    clock: Arc<TestClock>,
    user: Uuid,
}

impl World {
    async fn new() -> World {
        let signer = Signer::new("k1", "ES256");
        let provider = IdentityProvider::start(&[&signer]).await;
        let clock = Arc::new(TestClock::default());
        let app = App::start_with(Database::fresh().await, settings_with(&provider, &clock)).await;
        let household = Household::new();
        app.load(household.records()).await;
        let world = World { app, provider, signer, clock, user: household.user.user_id };
        world.client(CLIENT, None, Scope::ALL, true).await;
        world
    }

    /// Registers a client: of its owner, or of the operator.
    async fn client(&self, client: &str, owner: Option<Uuid>, scopes: &[Scope], rest: bool) {
        let kind = if owner.is_some() { "personal_dashboard" } else { "known_mcp" };
        let owner = owner.map_or("null".to_owned(), |owner| format!("'{owner}'"));
        let scopes: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
        let statement = format!(
            "insert into passbook.oauth_clients (client_id, kind, owner_user_id, name, scopes, rest) \
             values ('{client}', '{kind}', {owner}, 'test', '{{{}}}', {rest})",
            scopes.join(",")
        );
        self.app.write(&statement).await;
    }

    /// A token with some claims changed.
    fn token(&self, changes: &[(&str, Value)]) -> String {
        let mut claims = self.provider.claims(self.user, self.clock.now());
        for (name, value) in changes {
            claims[*name] = value.clone();
        }
        self.signer.sign(&claims)
    }

    /// An answer whose request identifier is always the same.
    async fn get(&self, path: &str, token: &str) -> Reply {
        let authorization = format!("Bearer {token}");
        let headers = [("authorization", authorization.as_str()), ("x-request-id", "same")];
        self.app.send(Method::GET, path, &headers).await
    }
}

#[tokio::test]
async fn every_operation_answers_a_client_as_it_answers_a_personal_token() {
    let world = World::new().await;
    let personal = world.app.token(world.user).await;
    for operation in listed() {
        let path = operation.spec.path;
        let answer = world.get(path, &world.token(&[])).await;
        assert_eq!(answer.ok(), world.get(path, &personal).await.ok(), "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    let me = world.get("/v1/me", &world.token(&[])).await.ok();
    assert_eq!(me["id"], world.user.to_string());
}

#[tokio::test]
async fn every_operation_refuses_a_client_in_every_way() {
    let world = World::new().await;
    let foreign = Household::new();
    world.app.load(foreign.records()).await;
    world.client("own", Some(world.user), Scope::ALL, true).await;
    world.client("foreign", Some(foreign.user.user_id), Scope::ALL, true).await;
    world.client("tools", None, Scope::ALL, false).await;
    world.client("revoked", None, Scope::ALL, true).await;
    world.client("refused", None, Scope::ALL, true).await;
    world
        .app
        .write(&format!(
            "update passbook.oauth_clients set revoked_at = now() where client_id = 'revoked'; \
             insert into passbook.oauth_consents (user_id, client_id, revoked_at) \
             values ('{}', 'refused', now())",
            world.user
        ))
        .await;
    for scope in Scope::ALL {
        let others: Vec<Scope> = Scope::ALL.iter().copied().filter(|other| other != scope).collect();
        world.client(scope.as_str(), None, &others, true).await;
    }
    let of = |client: &str| world.token(&[("client_id", json!(client))]);
    let stranger = Signer::new("k1", "ES256").sign(&world.provider.claims(world.user, NOON));
    let invalid = "error_description=\"The access token is invalid\"";
    let cases = [
        ("unknown client", of("unknown"), invalid),
        ("revoked client", of("revoked"), invalid),
        ("consent taken back", of("refused"), invalid),
        ("unknown person", world.token(&[("sub", json!(Uuid::from_u128(9)))]), invalid),
        ("forged", stranger, invalid),
        ("malformed", "e30.e30.c2ln".to_owned(), invalid),
        ("session of the provider's own", world.token(&[("client_id", json!(null))]), invalid),
        ("ID token", world.token(&[("aud", json!(CLIENT)), ("nonce", json!("n"))]), invalid),
        ("anonymous", world.token(&[("is_anonymous", json!(true))]), invalid),
        ("bound to a key", world.token(&[("cnf", json!({ "jkt": "x" }))]), invalid),
        ("personal token that is none", "pbk_garbage".to_owned(), invalid),
        (
            "ended",
            world.token(&[("exp", json!(NOON - 60))]),
            "error_description=\"The access token expired\"",
        ),
    ];
    let metadata = format!("{}/.well-known/oauth-protected-resource", world.app.base_url);
    for operation in listed() {
        let path = operation.spec.path;
        let first = world.get(path, &cases[0].1).await;
        for (name, token, description) in &cases {
            let reply = world.get(path, token).await;
            let place = format!("{path} with {name}");
            assert_eq!((reply.status.as_u16(), reply.code().as_str()), (401, "UNAUTHORIZED"), "{place}");
            assert_eq!(reply.body, first.body, "{place}: every cause looks the same");
            let challenge =
                format!("Bearer error=\"invalid_token\", {description}, resource_metadata=\"{metadata}\"");
            assert_eq!(reply.header("www-authenticate"), challenge, "{place}");
        }
        assert_eq!(world.get(path, &of("own")).await.status, 200, "{path}");
        for client in ["foreign", "tools"] {
            let reply = world.get(path, &of(client)).await;
            assert_eq!((reply.status.as_u16(), reply.code().as_str()), (403, "FORBIDDEN"), "{path} {client}");
        }
        if let Some(scope) = operation.spec.scope {
            let reply = world.get(path, &of(scope.as_str())).await;
            assert_eq!((reply.status.as_u16(), reply.code().as_str()), (403, "INSUFFICIENT_SCOPE"), "{path}");
        }
    }
}

#[tokio::test]
async fn every_tool_answers_a_client_as_its_grant_says() {
    let world = World::new().await;
    let foreign = Household::new();
    world.app.load(foreign.records()).await;
    world.client("own", Some(world.user), Scope::ALL, true).await;
    world.client("foreign", Some(foreign.user.user_id), Scope::ALL, true).await;
    for client in ["routes", "revoked", "refused"] {
        world.client(client, None, Scope::ALL, true).await;
    }
    world.client("tools", None, Scope::ALL, false).await;
    let user = world.user;
    world
        .app
        .write(&format!(
            "update passbook.oauth_clients set mcp = false where client_id = 'routes'; \
             update passbook.oauth_clients set revoked_at = now() where client_id = 'revoked'; \
             insert into passbook.oauth_consents (user_id, client_id, revoked_at) \
             values ('{user}', 'refused', now()); \
             insert into passbook.oauth_sessions (user_id, session_id, revoked_at) \
             values ('{user}', 'ended', now()), ('{}', 'of another', now())",
            foreign.user.user_id
        ))
        .await;
    let (gone, forbidden) = (Some((401, "UNAUTHORIZED")), Some((403, "FORBIDDEN")));
    for (client, session, refused) in [
        (CLIENT, Some("any"), None),
        ("own", Some("any"), None),
        ("tools", Some("any"), None),
        (CLIENT, Some("of another"), None),
        (CLIENT, Some("ended"), gone),
        // The connection to the database is the same, and remembers nobody's session.
        (CLIENT, None, None),
        ("own", Some("ended"), gone),
        ("revoked", Some("any"), gone),
        ("refused", None, gone),
        ("unknown", None, gone),
        ("foreign", None, forbidden),
        ("routes", None, forbidden),
    ] {
        let mut claims = world.provider.claims(world.user, world.clock.now());
        claims["client_id"] = json!(client);
        match session {
            Some(session) => claims["session_id"] = json!(session),
            None => drop(claims.as_object_mut().expect("claims").remove("session_id")),
        }
        let token = world.signer.sign(&claims);
        for (number, (tool, _)) in tools().into_iter().enumerate() {
            let era = Era::ALL[number % 2];
            let call = world.app.call(era, &token, tool, json!({})).await;
            let list = world.app.rpc(era, &token, "tools/list", json!({})).await;
            let Some(refused) = refused else {
                payload(&call);
                list.ok();
                continue;
            };
            for reply in [call, list] {
                let answered = (reply.status.as_u16(), reply.code());
                assert_eq!((answered.0, answered.1.as_str()), refused, "{tool} of {client} in {session:?}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_taken_from_a_client_is_gone_at_the_next_request_whatever_is_remembered() {
    for (change, status) in [
        (format!("update passbook.oauth_clients set revoked_at = now() where client_id = '{CLIENT}'"), 401),
        (format!("delete from passbook.oauth_clients where client_id = '{CLIENT}'"), 401),
        (format!("update passbook.oauth_clients set scopes = '{{}}' where client_id = '{CLIENT}'"), 403),
        (format!("update passbook.oauth_clients set rest = false where client_id = '{CLIENT}'"), 403),
    ] {
        let world = World::new().await;
        let token = world.token(&[]);
        for _ in 0..2 {
            assert_eq!(world.get("/v1/preferences", &token).await.status, 200);
        }
        world.app.write(&change).await;
        assert_eq!(world.get("/v1/preferences", &token).await.status, status, "{change}");
    }
}

#[tokio::test]
async fn a_token_for_one_of_the_services_own_addresses_is_meant_for_it() {
    let world = World::new().await;
    let origin = world.app.base_url.trim_end_matches("/api").to_owned();
    for (audience, status) in [
        (origin.clone(), 200),
        (format!("{origin}/api"), 200),
        (format!("{origin}/api/mcp"), 200),
        (format!("{origin}/"), 401),
        (format!("{origin}/api/v1"), 401),
        ("https://other.example/api".to_owned(), 401),
    ] {
        let reply = world.get("/v1/me", &world.token(&[("aud", json!(audience))])).await;
        assert_eq!(reply.status, status, "{audience}");
    }
}

#[tokio::test]
async fn without_keys_access_tokens_are_an_outage_and_personal_ones_go_on() {
    let world = World::new().await;
    world.provider.set_response(ResponseMode::Status(500));
    let personal = world.app.token(world.user).await;
    let signing_keys = |reply: &Reply| {
        let checks = reply.json()["checks"].as_array().expect("checks").clone();
        checks.into_iter().find(|check| check["name"] == "signing_keys").expect("it is listed")
    };
    let ready = world.get("/ready", "").await;
    assert_eq!((ready.status.as_u16(), signing_keys(&ready)["ok"].clone()), (503, json!(false)));
    assert!(!ready.json().to_string().contains("500"), "why is for the log");
    let reply = world.get("/v1/me", &world.token(&[])).await;
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (503, "UNAVAILABLE"));
    assert_eq!((reply.header("retry-after"), reply.header("www-authenticate")), ("1", ""));
    assert_eq!(world.get("/v1/me", &personal).await.status, 200);
    world.provider.set_response(ResponseMode::Normal);
    world.clock.advance(5);
    assert_eq!(world.get("/v1/me", &world.token(&[])).await.status, 200);
}

#[tokio::test]
async fn readiness_says_what_state_the_keys_are_in() {
    let world = World::new().await;
    let provider = world.app.send(Method::GET, "/ready", &[]).await.ok();
    let keys = |ready: &Value| ready["checks"].as_array().expect("checks").last().expect("one").clone();
    assert_eq!(keys(&provider), json!({ "name": "signing_keys", "ok": true }));
    // What was said last is said again for a second, so each state has a service of its own.
    let world = World::new().await;
    assert_eq!(world.get("/v1/me", &world.token(&[])).await.status, 200);
    world.provider.set_response(ResponseMode::ConnectionClosed);
    world.clock.advance(600);
    let stale = world.app.send(Method::GET, "/ready", &[]).await.ok();
    let message = "the identity provider does not answer: its keys of 10 minutes ago are in use";
    assert_eq!(keys(&stale), json!({ "name": "signing_keys", "ok": true, "message": message }));
    let world = World::new().await;
    world.provider.publish(json!([]));
    let empty = world.app.send(Method::GET, "/ready", &[]).await;
    assert_eq!((empty.status.as_u16(), keys(&empty.json())["ok"].clone()), (503, json!(false)));
    let app = App::start().await;
    let none = app.send(Method::GET, "/ready", &[]).await.ok();
    let message = "no identity provider is configured: personal access tokens only";
    assert_eq!(keys(&none)["message"], message);
}
