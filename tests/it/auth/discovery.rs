//! OAuth discovery: discovery documents, authorization proxy, and the apps challenge.

mod documents;
mod proxy;

use hyper::Method;
use serde_json::json;
use tests::app::App;
use tests::provider::IdentityProvider;
use tests::signer::Signer;

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
