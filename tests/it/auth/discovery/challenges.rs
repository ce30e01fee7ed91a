//! Challenges: the document that they name, the error about the token, and the missing scope.

use hyper::Method;
use passbook_domain::scope::Scope;
use tests::app::App;
use tests::household::Household;
use tests::mcp::Era;

use super::{app, full_provider};

const REST: &str = "/.well-known/oauth-protected-resource";
const TOOLS: &str = "/.well-known/oauth-protected-resource/mcp";

fn named(challenge: &str, app: &App) -> String {
    challenge.replace(&app.base_url, "BASE")
}

#[tokio::test]
async fn challenge_names_the_metadata_document_of_its_surface() {
    for app in [App::start().await, app(&full_provider().await, &[]).await] {
        for (target, document) in [("/v1/me", REST), ("/mcp", TOOLS)] {
            let method = if document == TOOLS { Method::POST } else { Method::GET };
            let reply = app.send(method.clone(), target, &[]).await;
            let expected = format!("Bearer resource_metadata=\"BASE{document}\"");
            assert_eq!(
                named(reply.header("www-authenticate"), &app),
                expected,
                "without a token the challenge must have no error"
            );
            let reply = app.send(method, target, &[("authorization", "Bearer nonsense")]).await;
            assert_eq!(reply.status, 401);
            let expected = format!(
                "Bearer error=\"invalid_token\", error_description=\"The access token is invalid\", \
                 resource_metadata=\"BASE{document}\""
            );
            assert_eq!(named(reply.header("www-authenticate"), &app), expected);
            app.send(Method::GET, document, &[]).await.ok();
        }
    }
}

#[tokio::test]
async fn challenge_names_scopes_only_if_the_missing_one_is_requestable() {
    let provider = full_provider().await;
    for (requestable, expected) in [
        ("", ""),
        ("portfolio:read", ", scope=\"openid portfolio:read\""),
        ("portfolio:read,budgets:read", ", scope=\"openid budgets:read portfolio:read\""),
    ] {
        let environment = [("PASSBOOK_OAUTH_REQUESTABLE_SCOPES", requestable)];
        let environment = if requestable.is_empty() { &[][..] } else { &environment[..] };
        let app = app(&provider, environment).await;
        let household = Household::new();
        app.load(household.records()).await;
        let (token, _) = app.token_with(household.user.user_id, &[Scope::BudgetsRead], true, true).await;
        let challenge = |document: &str, scope: &str| {
            format!(
                "Bearer error=\"insufficient_scope\", error_description=\"The access token lacks a scope\", \
                 resource_metadata=\"BASE{document}\"{scope}"
            )
        };
        let reply = app.get("/v1/portfolio", &token).await;
        assert_eq!(reply.status, 403);
        assert_eq!(named(reply.header("www-authenticate"), &app), challenge(REST, expected));
        let reply = app.call(Era::Legacy, &token, "get_portfolio_snapshot", serde_json::json!({})).await;
        let challenge_text = reply.json()["result"]["_meta"]["mcp/www_authenticate"][0].clone();
        assert_eq!(named(challenge_text.as_str().expect("text"), &app), challenge(TOOLS, expected));
        // A scope that is not in the setting is never named.
        let reply = app.call(Era::Legacy, &token, "get_preferences", serde_json::json!({})).await;
        let challenge_text = reply.json()["result"]["_meta"]["mcp/www_authenticate"][0].clone();
        assert!(!challenge_text.as_str().expect("text").contains("scope="), "{challenge_text}");
    }
}
