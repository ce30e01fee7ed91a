//! Access tokens over HTTP with a database: responses to signed-in clients, the error response of each rejection, and the
//! data scopes of a token, which limit it to a part of its grant on both surfaces alike.

use hyper::Method;
use passbook_domain::scope::Scope;
use serde_json::{Value, json};
use tests::app::App;
use tests::catalogue::{listed, tools};
use tests::http::Reply;
use tests::mcp::{Era, failure, payload};
use tests::provider::{CLIENT, NOON, ResponseMode};
use tests::signer::Signer;
use uuid::Uuid;

use super::{SignedIn, changed};

#[tokio::test]
async fn every_operation_returns_the_same_to_client_and_personal_token() {
    let fixture = SignedIn::new().await;
    let personal = fixture.app.token(fixture.user).await;
    for operation in listed() {
        let path = operation.spec.path;
        let answer = fixture.get(path, &fixture.token(&[])).await;
        assert_eq!(answer.ok(), fixture.get(path, &personal).await.ok(), "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    let me = fixture.get("/v1/me", &fixture.token(&[])).await.ok();
    assert_eq!(me["id"], fixture.user.to_string());
}

/// A person with a client in each state. `own` is a dashboard of this person, `foreign` of another one; `tools` may not use
/// REST, and `routes` not the tools. The client `revoked`, the consent to `refused`, the session `ended` and the session
/// `of another` of the other person are revoked.
async fn with_clients() -> SignedIn {
    let fixture = SignedIn::new().await;
    let (app, user) = (&fixture.app, fixture.user);
    let foreign = app.add_person().await.0.user.user_id;
    for (client, owner, rest) in [
        ("own", Some(user), true),
        ("foreign", Some(foreign), true),
        ("tools", None, false),
        ("routes", None, true),
        ("revoked", None, true),
        ("refused", None, true),
    ] {
        app.add_client(client, owner, Scope::ALL, rest).await;
    }
    app.write(&format!(
        "update passbook.oauth_clients set mcp = false where client_id = 'routes'; \
         update passbook.oauth_clients set revoked_at = now() where client_id = 'revoked'; \
         insert into passbook.oauth_consents (user_id, client_id, revoked_at) \
         values ('{user}', 'refused', now()); \
         insert into passbook.oauth_sessions (user_id, session_id, revoked_at) \
         values ('{user}', 'ended', now()), ('{foreign}', 'of another', now())"
    ))
    .await;
    fixture
}

#[tokio::test]
async fn every_operation_rejects_invalid_access_tokens_alike() {
    let fixture = with_clients().await;
    for scope in Scope::ALL {
        let others: Vec<Scope> = Scope::ALL.iter().copied().filter(|other| other != scope).collect();
        fixture.app.add_client(scope.as_str(), None, &others, true).await;
    }
    let token_of = |client: &str| fixture.token(&[("client_id", json!(client))]);
    let stranger = Signer::new("k1", "ES256").sign(&fixture.provider.claims(fixture.user, NOON));
    let invalid = "error_description=\"The access token is invalid\"";
    let cases = [
        ("unknown client", token_of("unknown"), invalid),
        ("revoked client", token_of("revoked"), invalid),
        ("revoked consent", token_of("refused"), invalid),
        ("unknown person", fixture.token(&[("sub", json!(Uuid::from_u128(9)))]), invalid),
        ("forged signature", stranger, invalid),
        ("malformed", "e30.e30.c2ln".to_owned(), invalid),
        ("token without a client", fixture.token(&[("client_id", json!(null))]), invalid),
        ("ID token", fixture.token(&[("aud", json!(CLIENT)), ("nonce", json!("n"))]), invalid),
        ("anonymous", fixture.token(&[("is_anonymous", json!(true))]), invalid),
        ("bound to a key", fixture.token(&[("cnf", json!({ "jkt": "x" }))]), invalid),
        ("invalid personal token", "pbk_garbage".to_owned(), invalid),
        (
            "expired",
            fixture.token(&[("exp", json!(NOON - 60))]),
            "error_description=\"The access token expired\"",
        ),
    ];
    let metadata = format!("{}/.well-known/oauth-protected-resource", fixture.app.base_url);
    for operation in listed() {
        let path = operation.spec.path;
        let first = fixture.get(path, &cases[0].1).await;
        for (name, token, description) in &cases {
            let reply = fixture.get(path, token).await;
            let place = format!("{path} with {name}");
            reply.assert_error(401, "UNAUTHORIZED", &place);
            assert_eq!(reply.body, first.body, "{place}: all causes must have the same body");
            let challenge =
                format!("Bearer error=\"invalid_token\", {description}, resource_metadata=\"{metadata}\"");
            assert_eq!(reply.header("www-authenticate"), challenge, "{place}");
        }
        assert_eq!(fixture.get(path, &token_of("own")).await.status, 200, "{path}");
        for client in ["foreign", "tools"] {
            let reply = fixture.get(path, &token_of(client)).await;
            reply.assert_error(403, "FORBIDDEN", format_args!("{path} {client}"));
        }
        if let Some(scope) = operation.spec.scope {
            let reply = fixture.get(path, &token_of(scope.as_str())).await;
            reply.assert_error(403, "INSUFFICIENT_SCOPE", path);
        }
    }
}

#[tokio::test]
async fn every_tool_enforces_client_consent_session_and_surface() {
    let fixture = with_clients().await;
    let (unauthorized, forbidden) = (Some((401, "UNAUTHORIZED")), Some((403, "FORBIDDEN")));
    for (client, session, error) in [
        (CLIENT, Some("any"), None),
        ("own", Some("any"), None),
        ("tools", Some("any"), None),
        (CLIENT, Some("of another"), None),
        (CLIENT, Some("ended"), unauthorized),
        // The database connection is the same and must not keep the session of the previous request.
        (CLIENT, None, None),
        ("own", Some("ended"), unauthorized),
        ("revoked", Some("any"), unauthorized),
        ("refused", None, unauthorized),
        ("unknown", None, unauthorized),
        ("foreign", None, forbidden),
        ("routes", None, forbidden),
    ] {
        let mut claims = fixture.provider.claims(fixture.user, fixture.clock.now());
        claims["client_id"] = json!(client);
        match session {
            Some(session) => claims["session_id"] = json!(session),
            None => drop(claims.as_object_mut().expect("claims").remove("session_id")),
        }
        let token = fixture.signer.sign(&claims);
        for (number, (tool, _)) in tools().into_iter().enumerate() {
            let era = Era::ALL[number % 2];
            let call = fixture.app.call(era, &token, tool, json!({})).await;
            let list = fixture.app.rpc(era, &token, "tools/list", json!({})).await;
            let Some((status, code)) = error else {
                payload(&call);
                list.ok();
                continue;
            };
            for reply in [call, list] {
                reply.assert_error(status, code, format_args!("{tool} of {client} in {session:?}"));
            }
        }
    }
}

#[tokio::test]
async fn deleted_or_reduced_client_is_rejected_on_the_next_request() {
    let fixture = SignedIn::new().await;
    for (client, change, status) in [
        ("deleted", "delete from passbook.oauth_clients", 401),
        ("without-scopes", "update passbook.oauth_clients set scopes = '{}'", 403),
        ("without-routes", "update passbook.oauth_clients set rest = false", 403),
    ] {
        fixture.app.add_client(client, None, Scope::ALL, true).await;
        let token = fixture.token(&[("client_id", json!(client))]);
        for _ in 0..2 {
            assert_eq!(fixture.get("/v1/preferences", &token).await.status, 200);
        }
        fixture.app.write(&format!("{change} where client_id = '{client}'")).await;
        assert_eq!(fixture.get("/v1/preferences", &token).await.status, status, "{client}");
    }
}

#[tokio::test]
async fn token_for_an_address_of_the_service_is_accepted() {
    let fixture = SignedIn::new().await;
    let origin = fixture.app.origin().to_owned();
    for (audience, status) in [
        (origin.clone(), 200),
        (format!("{origin}/api"), 200),
        (format!("{origin}/api/mcp"), 200),
        (format!("{origin}/"), 401),
        (format!("{origin}/api/v1"), 401),
        ("https://other.example/api".to_owned(), 401),
    ] {
        let reply = fixture.get("/v1/me", &fixture.token(&[("aud", json!(audience))])).await;
        assert_eq!(reply.status, status, "{audience}");
    }
}

/// The readiness of the provider's keys.
fn signing_keys(reply: &Reply) -> Value {
    let checks = reply.json()["checks"].as_array().expect("checks").clone();
    checks.into_iter().find(|check| check["name"] == "signing_keys").expect("the check is listed")
}

#[tokio::test]
async fn missing_keys_give_503_for_access_tokens_while_personal_tokens_work() {
    let fixture = SignedIn::new().await;
    fixture.provider.set_response(ResponseMode::Status(500));
    let personal = fixture.app.token(fixture.user).await;
    let ready = fixture.get("/ready", "").await;
    assert_eq!((ready.status.as_u16(), signing_keys(&ready)["ok"].clone()), (503, json!(false)));
    assert!(!ready.json().to_string().contains("500"), "the cause must not be in the response");
    let reply = fixture.get("/v1/me", &fixture.token(&[])).await;
    reply.assert_error(503, "UNAVAILABLE", "");
    assert_eq!((reply.header("retry-after"), reply.header("www-authenticate")), ("5", ""));
    let path = "/.well-known/oauth-authorization-server";
    assert_eq!(fixture.app.send_to_origin(Method::GET, path, &[]).await.header("retry-after"), "5");
    assert_eq!(fixture.get("/v1/me", &personal).await.status, 200);
    fixture.provider.set_response(ResponseMode::Normal);
    fixture.clock.advance(5);
    assert_eq!(fixture.get("/v1/me", &fixture.token(&[])).await.status, 200);
    let claims = fixture.provider.claims(fixture.user, fixture.clock.now());
    for (id, status, seconds) in [("k2", 401, ""), ("k3", 503, "30")] {
        let reply = fixture.get("/v1/me", &Signer::new(id, "ES256").sign(&claims)).await;
        assert_eq!((reply.status.as_u16(), reply.header("retry-after")), (status, seconds), "{id}");
    }
}

#[tokio::test]
async fn readiness_reports_the_state_of_the_signing_keys() {
    let fixture = SignedIn::new().await;
    let ready = async |app: &App| app.send(Method::GET, "/ready", &[]).await;
    let fresh = ready(&fixture.app).await;
    assert_eq!(
        (fresh.status.as_u16(), signing_keys(&fresh)),
        (200, json!({ "name": "signing_keys", "ok": true }))
    );
    // A readiness result is cached for a second, so each state is tested with a new server.
    let fixture = SignedIn::new().await;
    assert_eq!(fixture.get("/v1/me", &fixture.token(&[])).await.status, 200);
    fixture.provider.set_response(ResponseMode::ConnectionClosed);
    fixture.clock.advance(600);
    let stale = ready(&fixture.app).await;
    let message = "the identity provider does not answer: its keys of 10 minutes ago are in use";
    let expected = json!({ "name": "signing_keys", "ok": true, "message": message });
    assert_eq!((stale.status.as_u16(), signing_keys(&stale)), (200, expected));
    let fixture = SignedIn::new().await;
    fixture.provider.publish(json!([]));
    let empty = ready(&fixture.app).await;
    assert_eq!((empty.status.as_u16(), signing_keys(&empty)["ok"].clone()), (503, json!(false)));
    let none = ready(&App::start().await).await;
    let message = "no identity provider is configured: personal access tokens only";
    assert_eq!((none.status.as_u16(), signing_keys(&none)["message"].clone()), (200, json!(message)));
}

/// Scope claims of a token as JSON, and the data scopes to which they limit the token; `None` if its grant decides.
const LIMITS: [(&str, Option<&[Scope]>); 12] = [
    ("{}", None),
    (r#"{"scope": ""}"#, None),
    (r#"{"scope": "openid profile email phone address offline_access"}"#, None),
    (r#"{"scope": "openid spending:write SPENDING:READ spending:read2"}"#, Some(&[])),
    (r#"{"scope": "openid,spending:read"}"#, Some(&[])),
    (r#"{"scp": []}"#, None),
    (r#"{"scope": "openid spending:read"}"#, Some(&[Scope::SpendingRead])),
    (r#"{"scope": ["openid", "spending:read"]}"#, Some(&[Scope::SpendingRead])),
    (r#"{"scp": "budgets:read spending:read"}"#, Some(&[Scope::SpendingRead, Scope::BudgetsRead])),
    (r#"{"scp": ["transactions:read"]}"#, Some(&[Scope::TransactionsRead])),
    (r#"{"scope": "openid", "scp": ["openid", "transactions:read"]}"#, Some(&[Scope::TransactionsRead])),
    (r#"{"scope": "spending:read openid", "scp": ["spending:read"]}"#, Some(&[Scope::SpendingRead])),
];

#[tokio::test]
async fn token_is_limited_to_the_data_scopes_that_it_names() {
    let fixture = SignedIn::new().await;
    let whole_grant = fixture.token(&[]);
    for (claims, limit) in LIMITS {
        let changes = serde_json::from_str(claims).expect("JSON");
        let all_claims = fixture.provider.claims(fixture.user, fixture.clock.now());
        let token = fixture.signer.sign(&changed(all_claims, &changes));
        let holds = |scope: Scope| limit.is_none_or(|limit| limit.contains(&scope));
        for operation in listed() {
            let path = operation.spec.path;
            let reply = fixture.get(path, &token).await;
            match operation.spec.scope.filter(|scope| !holds(*scope)) {
                None => {
                    assert_eq!(reply.ok(), fixture.get(path, &whole_grant).await.ok(), "{path} {claims}")
                }
                Some(scope) => {
                    reply.assert_error(403, "INSUFFICIENT_SCOPE", format_args!("{path} {claims}"));
                    assert_eq!(reply.json()["error"]["details"]["required"], json!([scope.as_str()]));
                }
            }
        }
        for (number, (name, tool)) in tools().into_iter().enumerate() {
            let era = Era::ALL[number % 2];
            let reply = fixture.app.call(era, &token, name, json!({})).await;
            let scope = tool.spec.scope.expect("a tool reads data");
            if holds(scope) {
                payload(&reply);
            } else {
                let remedy = format!("lacks the scope {scope}: sign in again and allow it.");
                assert!(failure(&reply).contains(&remedy), "{name} {claims}");
            }
        }
        for era in Era::ALL {
            let list = async |token: &str| fixture.app.rpc(era, token, "tools/list", json!({})).await.ok();
            assert_eq!(list(&token).await, list(&whole_grant).await, "{claims}");
        }
    }
}

#[tokio::test]
async fn token_gets_no_scope_that_its_grant_lacks() {
    let fixture = SignedIn::with_requestable_scopes(Scope::ALL).await;
    fixture.app.add_client("narrow", None, &[Scope::SpendingRead, Scope::BudgetsRead], true).await;
    let token = fixture
        .token(&[("client_id", json!("narrow")), ("scope", json!("openid portfolio:read spending:read"))]);
    for (path, status, requested) in [
        ("/v1/spending/summary", 200, ""),
        ("/v1/budgets/summary", 403, "openid spending:read budgets:read"),
        // A further sign-in gives no scope that the grant lacks, so nothing tells the client to sign in again.
        ("/v1/portfolio", 403, ""),
        ("/v1/transactions", 403, ""),
    ] {
        let reply = fixture.get(path, &token).await;
        assert_eq!((reply.status.as_u16(), requested_scope(&reply)), (status, requested), "{path}");
    }
    for era in Era::ALL {
        let reply = fixture.app.call(era, &token, "get_portfolio_snapshot", json!({})).await;
        assert_eq!((reply.status.as_u16(), requested_scope(&reply)), (200, ""));
        assert!(failure(&reply).contains("portfolio:read"), "{reply:?}");
    }
    // Where people consent to scopes, a token without a data scope reads nothing.
    for scopes in ["openid", "", "openid spending:write"] {
        let token = fixture.token(&[("client_id", json!("narrow")), ("scope", json!(scopes))]);
        let reply = fixture.get("/v1/spending/summary", &token).await;
        assert_eq!(
            (reply.status.as_u16(), requested_scope(&reply)),
            (403, "openid spending:read"),
            "{scopes}"
        );
        fixture.get("/v1/me", &token).await.ok();
    }
}

/// Returns the scopes that the challenge of a response tells the client to request; empty without such scopes.
fn requested_scope(reply: &Reply) -> &str {
    let challenge = reply.header("www-authenticate").split_once(" scope=\"");
    challenge.map_or("", |(_, scope)| scope.trim_end_matches('"'))
}

#[tokio::test]
async fn token_with_the_scopes_of_the_challenge_succeeds() {
    use Scope::{BudgetsRead, CashflowRead, PortfolioRead, SpendingRead};
    let fixture = SignedIn::with_requestable_scopes(&[BudgetsRead, SpendingRead, PortfolioRead]).await;
    fixture.app.add_client("three", None, &[SpendingRead, BudgetsRead, CashflowRead], true).await;
    let token = |scope: &str| fixture.token(&[("client_id", json!("three")), ("scope", json!(scope))]);
    let narrow = token("openid cashflow:read spending:read");
    for era in Era::ALL {
        let rest = fixture.get("/v1/budgets/summary", &narrow).await;
        let tool = fixture.app.call(era, &narrow, "get_budget_summary", json!({})).await;
        for reply in [&rest, &tool] {
            assert_eq!(reply.status, 403);
            // The client holds `cashflow:read` too, but cannot request it.
            assert_eq!(requested_scope(reply), "openid spending:read budgets:read");
        }
        let challenge = &tool.json()["result"]["_meta"]["mcp/www_authenticate"][0];
        assert_eq!(challenge, tool.header("www-authenticate"));
        let wide = token(requested_scope(&tool));
        payload(&fixture.app.call(era, &wide, "get_budget_summary", json!({})).await);
        payload(&fixture.app.call(era, &wide, "get_spending_by_category", json!({})).await);
        fixture.get("/v1/budgets/summary", &wide).await.ok();
    }
    // Clients cannot request `cashflow:read`, so nothing tells them to sign in again.
    let narrow = token("openid spending:read");
    let reply = fixture.get("/v1/cashflow/summary", &narrow).await;
    assert_eq!((reply.status.as_u16(), requested_scope(&reply)), (403, ""));
    let reply = fixture.app.call(Era::Legacy, &narrow, "get_cashflow_summary", json!({})).await;
    assert_eq!((reply.status.as_u16(), requested_scope(&reply)), (200, ""));
    let challenge = reply.json()["result"]["_meta"]["mcp/www_authenticate"][0].clone();
    assert!(!challenge.as_str().expect("a challenge").contains("scope=\""), "{challenge}");
}
