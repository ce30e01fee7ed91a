//! OAuth discovery: discovery documents, authorization proxy, challenges, and the apps challenge.

mod documents;
mod proxy;

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use passbook_domain::scope::Scope;
use serde_json::json;
use tests::app::App;
use tests::mcp::Era;
use tests::provider::IdentityProvider;
use tests::signer::Signer;
use tokio::net::TcpListener;

/// A provider whose discovery document has every member, including members that Passbook must not publish.
async fn full_provider() -> IdentityProvider {
    let provider = IdentityProvider::start(&[&Signer::new("k1", "ES256")]).await;
    let at = |path: &str| format!("{}/{path}", provider.issuer);
    let members = json!({
        "userinfo_endpoint": at("oauth/userinfo"),
        "revocation_endpoint": at("oauth/revoke"),
        "end_session_endpoint": at("logout"),
        "registration_endpoint": at("oauth/register"),
        "pushed_authorization_request_endpoint": at("oauth/par"),
        "device_authorization_endpoint": at("oauth/device"),
        "backchannel_authentication_endpoint": at("oauth/ciba"),
        "introspection_endpoint": at("oauth/introspect"),
        "check_session_iframe": at("session"),
        "mtls_endpoint_aliases": { "token_endpoint": at("mtls") },
        "signed_metadata": "e30.e30.e30",
        "request_uri_parameter_supported": true,
        "require_pushed_authorization_requests": true,
        "response_types_supported": ["code", "token", "id_token"],
        "response_modes_supported": ["query", "fragment", "form_post"],
        "grant_types_supported": ["authorization_code", "implicit", "password", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "none"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
        "claims_supported": ["sub", "email"],
        "client_id_metadata_document_supported": true,
        "authorization_response_iss_parameter_supported": true,
    });
    for (member, value) in members.as_object().expect("an object") {
        provider.set_metadata(member, value.clone());
    }
    provider
}

/// Starts an application whose clients sign in with `provider`.
async fn app(provider: &IdentityProvider, environment: &[(&str, &str)]) -> App {
    let issuer = [("PASSBOOK_OIDC_ISSUER", provider.issuer.as_str())];
    let environment: Vec<(&str, &str)> = issuer.iter().chain(environment).copied().collect();
    App::configured(&environment).await
}

/// A sign-in page of a provider that records its requests.
#[derive(Clone)]
struct SignInPage {
    address: String,
    visits: Arc<Mutex<Vec<String>>>,
}

impl SignInPage {
    async fn open() -> SignInPage {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}/sign-in", listener.local_addr().expect("an address"));
        let page = SignInPage { address, visits: Arc::default() };
        let visits = page.visits.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let visits = visits.clone();
                let service = service_fn(move |request: Request<Incoming>| {
                    let target = request.uri().to_string();
                    visits.lock().unwrap_or_else(PoisonError::into_inner).push(target);
                    async { Ok::<_, std::convert::Infallible>(Response::new(Full::<Bytes>::default())) }
                });
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
            }
        });
        page
    }

    /// The request targets since the last call.
    fn visits(&self) -> Vec<String> {
        std::mem::take(&mut self.visits.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

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
        let (household, _) = app.add_person().await;
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

const PATH: &str = "/.well-known/openai-apps-challenge";

#[tokio::test]
async fn apps_challenge_token_is_served_at_the_root_only() {
    let app = App::configured(&[
        ("PASSBOOK_APPS_CHALLENGE_VENDOR", "openai"),
        ("PASSBOOK_APPS_CHALLENGE_TOKEN", "tok-1_x.y"),
    ])
    .await;
    let reply = app.send_to_origin(Method::GET, PATH, &[]).await;
    assert_eq!((reply.status.as_u16(), &reply.body[..]), (200, &b"tok-1_x.y"[..]));
    assert_eq!(reply.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(reply.header("cache-control"), "public, max-age=300");
    assert_eq!(app.send_to_origin(Method::POST, PATH, &[]).await.status, 405);
    for elsewhere in ["/api/.well-known/openai-apps-challenge", "/.well-known/other-apps-challenge"] {
        assert_eq!(app.send_to_origin(Method::GET, elsewhere, &[]).await.status, 404, "{elsewhere}");
    }
    let described = app.send(Method::GET, "/openapi.json", &[]).await.ok();
    assert!(described["paths"][PATH]["get"].is_object(), "the OpenAPI document must describe the route");
}

#[tokio::test]
async fn apps_challenge_without_a_token_is_404() {
    let app = App::start().await;
    assert_eq!(app.send_to_origin(Method::GET, PATH, &[]).await.status, 404);
    let described = app.send(Method::GET, "/openapi.json", &[]).await.ok();
    assert!(described["paths"][PATH].is_null());
}
