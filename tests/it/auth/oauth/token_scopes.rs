//! The data scopes of an access token: they limit the token to a part of its grant, on both surfaces alike.

use passbook_domain::scope::Scope;
use serde_json::{Value, json};
use tests::catalogue::{listed, tools};
use tests::http::Reply;
use tests::mcp::{Era, failure, payload};

use super::signed_in::SignedIn;

/// Scope claims of a token with the data scopes to which they limit it; `None` if they do not limit it.
type Limit = (Vec<(&'static str, Value)>, Option<Vec<Scope>>);

fn limits() -> Vec<Limit> {
    use Scope::{BudgetsRead, SpendingRead, TransactionsRead};
    vec![
        (vec![], None),
        (vec![("scope", json!(""))], None),
        (vec![("scope", json!("openid profile email"))], None),
        (vec![("scope", json!("openid spending:write SPENDING:READ spending:read2"))], None),
        (vec![("scp", json!([]))], None),
        (vec![("scope", json!("openid spending:read"))], Some(vec![SpendingRead])),
        (vec![("scope", json!(["openid", "spending:read"]))], Some(vec![SpendingRead])),
        (vec![("scp", json!("budgets:read spending:read"))], Some(vec![SpendingRead, BudgetsRead])),
        (vec![("scp", json!(["transactions:read"]))], Some(vec![TransactionsRead])),
        (
            vec![("scope", json!("openid")), ("scp", json!(["openid", "transactions:read"]))],
            Some(vec![TransactionsRead]),
        ),
        (
            vec![("scope", json!("spending:read openid")), ("scp", json!(["spending:read"]))],
            Some(vec![SpendingRead]),
        ),
    ]
}

#[tokio::test]
async fn token_is_limited_to_the_data_scopes_that_it_names() {
    let fixture = SignedIn::new().await;
    let whole_grant = fixture.token(&[]);
    for (claims, limit) in limits() {
        let token = fixture.token(&claims);
        let holds = |scope: Scope| limit.as_ref().is_none_or(|scopes| scopes.contains(&scope));
        for operation in listed() {
            let path = operation.spec.path;
            let reply = fixture.get(path, &token).await;
            match operation.spec.scope.filter(|scope| !holds(*scope)) {
                None => {
                    assert_eq!(reply.ok(), fixture.get(path, &whole_grant).await.ok(), "{path} {claims:?}")
                }
                Some(scope) => {
                    let found = (reply.status.as_u16(), reply.code());
                    assert_eq!(found, (403, "INSUFFICIENT_SCOPE".to_owned()), "{path} {claims:?}");
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
                assert!(failure(&reply).contains(&remedy), "{name} {claims:?}");
            }
        }
        for era in Era::ALL {
            let list = |token: String| {
                let app = &fixture.app;
                async move { app.rpc(era, &token, "tools/list", json!({})).await.ok() }
            };
            assert_eq!(list(token.clone()).await, list(whole_grant.clone()).await, "{claims:?}");
        }
    }
}

#[tokio::test]
async fn token_gets_no_scope_that_its_grant_lacks() {
    let fixture = SignedIn::with_requestable_scopes(Scope::ALL).await;
    fixture.client("narrow", None, &[Scope::SpendingRead, Scope::BudgetsRead], true).await;
    let token = fixture
        .token(&[("client_id", json!("narrow")), ("scope", json!("openid portfolio:read spending:read"))]);
    for (path, status, requested) in [
        ("/v1/spending/summary", 200, ""),
        ("/v1/budgets/summary", 403, "openid spending:read budgets:read"),
        ("/v1/portfolio", 403, "openid spending:read portfolio:read"),
        ("/v1/transactions", 403, "openid spending:read transactions:read"),
    ] {
        let reply = fixture.get(path, &token).await;
        assert_eq!((reply.status.as_u16(), requested_scope(&reply)), (status, requested), "{path}");
    }
    let unlimited = fixture.token(&[("client_id", json!("narrow"))]);
    let reply = fixture.get("/v1/portfolio", &unlimited).await;
    assert_eq!(requested_scope(&reply), "openid spending:read budgets:read portfolio:read");
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
    fixture.client("three", None, &[SpendingRead, BudgetsRead, CashflowRead], true).await;
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
