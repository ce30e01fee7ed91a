//! The discovery documents on every path and in every mode.

use hyper::Method;
use serde_json::Value;
use tests::app::App;
use tests::provider::{IdentityProvider, ResponseMode};

use super::{app, full_provider};

/// The documents with their paths on the origin. Snapshots show the first path.
const DOCUMENTS: [(&str, &[&str]); 5] = [
    ("the origin as a resource", &["/.well-known/oauth-protected-resource"]),
    (
        "the REST routes as a resource",
        &["/api/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/api"],
    ),
    (
        "the tool server as a resource",
        &["/api/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource/api/mcp"],
    ),
    (
        "the authorization server",
        &[
            "/.well-known/oauth-authorization-server",
            "/api/.well-known/oauth-authorization-server",
            "/.well-known/oauth-authorization-server/api",
        ],
    ),
    (
        "the OpenID configuration",
        &[
            "/.well-known/openid-configuration",
            "/api/.well-known/openid-configuration",
            "/.well-known/openid-configuration/api",
        ],
    ),
];

/// The documents that require an identity provider.
const REQUIRING_PROVIDER: [&str; 2] = ["the authorization server", "the OpenID configuration"];

async fn in_mode(mode: &str, provider: &IdentityProvider) -> App {
    match mode {
        "none" => App::start().await,
        mode => app(provider, &[("PASSBOOK_OAUTH_MODE", mode)]).await,
    }
}

#[tokio::test]
async fn discovery_documents_are_equal_on_all_their_paths_in_every_mode() {
    let provider = full_provider().await;
    for mode in ["none", "split", "origin", "direct"] {
        let app = in_mode(mode, &provider).await;
        let mut shown = String::new();
        for (name, paths) in DOCUMENTS {
            let mut bodies = Vec::new();
            for path in paths {
                let place = format!("{mode}: {path}");
                let reply = app.send_to_origin(Method::GET, path, &[]).await;
                assert_eq!(app.send_to_origin(Method::POST, path, &[]).await.status, 405, "{place}");
                let head = app.send_to_origin(Method::HEAD, path, &[]).await;
                assert_eq!((head.status, &head.body[..]), (reply.status, &b""[..]), "{place}");
                if mode == "none" && REQUIRING_PROVIDER.contains(&name) {
                    reply.assert_error(404, "NOT_FOUND", &place);
                    assert_eq!(reply.header("cache-control"), "no-store", "{place}");
                    continue;
                }
                assert_eq!(reply.status, 200, "{place}");
                assert_eq!(reply.header("cache-control"), "public, max-age=300", "{place}");
                assert_eq!(reply.header("content-type"), "application/json", "{place}");
                let shared = reply.headers.keys().find(|name| name.as_str().starts_with("access-control"));
                assert_eq!(shared, None, "{place}: no CORS header may be set");
                bodies.push(reply.body);
            }
            assert!(bodies.windows(2).all(|pair| pair[0] == pair[1]), "{mode}: {name} differs by path");
            if let Some(body) = bodies.first() {
                let document: Value = serde_json::from_slice(body).expect("the body is JSON");
                let text = format!("{name}, GET {}\n{document:#}\n\n", paths[0]);
                shown.push_str(&text.replace(app.origin(), "ORIGIN").replace(&provider.issuer, "ISSUER"));
            }
        }
        insta::assert_snapshot!(format!("mode_{mode}"), shown.trim_end());
    }
}

/// An attacker controls the headers of a request, so no header may change an address in a document or challenge.
#[tokio::test]
async fn request_headers_do_not_change_addresses_in_documents_and_challenges() {
    const EVIL: [(&str, &str); 6] = [
        ("host", "evil.example"),
        ("forwarded", "host=evil.example;proto=https"),
        ("x-forwarded-host", "evil.example"),
        ("x-forwarded-proto", "https"),
        ("x-forwarded-prefix", "/evil"),
        ("x-original-url", "https://evil.example/api"),
    ];
    let app = app(&full_provider().await, &[]).await;
    let documents = DOCUMENTS.iter().flat_map(|(_, paths)| paths.iter());
    for path in documents.chain(&["/api/oauth/authorize?state=s", "/api/v1/me", "/api/openapi.json"]) {
        let plain = app.send_to_origin(Method::GET, path, &[]).await;
        let reply = app.send_to_origin(Method::GET, path, &EVIL).await;
        assert_eq!(reply.status, plain.status, "{path}");
        for header in ["location", "www-authenticate", "content-location"] {
            assert_eq!(reply.header(header), plain.header(header), "{path}: {header}");
        }
        assert!(!String::from_utf8_lossy(&reply.body).contains("evil"), "{path}: {:?}", reply.body);
    }
    let reply = app.post("/mcp", &EVIL, "").await;
    let document = format!("{}/.well-known/oauth-protected-resource/mcp", app.base_url);
    assert_eq!(reply.header("www-authenticate"), format!("Bearer resource_metadata=\"{document}\""));
}

/// The provider's document may change while the server runs, so every request checks the endpoint.
#[tokio::test]
async fn provider_that_redirects_to_the_proxy_gives_503() {
    let provider = full_provider().await;
    let app = app(&provider, &[]).await;
    let proxy = format!("{}/oauth/authorize", app.base_url);
    provider.set_metadata("authorization_endpoint", serde_json::json!(format!("{proxy}?again")));
    for path in ["/api/oauth/authorize?state=s", "/.well-known/oauth-authorization-server"] {
        let reply = app.send_to_origin(Method::GET, path, &[]).await;
        reply.assert_error(503, "UNAVAILABLE", path);
        assert_eq!(reply.header("location"), "", "{path}");
    }
}

#[tokio::test]
async fn unknown_paths_of_the_origin_are_404() {
    let app = app(&full_provider().await, &[]).await;
    for path in [
        "/.well-known/oauth-authorization-server/",
        "/.well-known/oauth-authorization-server/api/mcp",
        "/.well-known/oauth-authorization-server/api/",
        "/.well-known/openid-configuration/other",
        "/.well-known/openid-configuration/api/v1",
        "/.well-known/openid-configuration/api/v1/me",
        "/api/.well-known/openid-configuration/api",
        "/.well-known/jwks.json",
        "/.well-known",
        "/.well-known/oauth-protected-resource/",
        "/.well-known/oauth-protected-resource/other",
        "/.well-known/oauth-protected-resource/api/v1/me",
        "/.well-known/openapi.json",
        "/api",
        "/apiv1/me",
        "/v1/me",
        "/health",
        "/oauth/authorize",
        "/authorize",
        "/token",
        "/register",
        "/api/oauth/token",
        "/api/oauth/authorize/",
    ] {
        let reply = app.send_to_origin(Method::GET, path, &[]).await;
        reply.assert_error(404, "NOT_FOUND", path);
    }
}

#[tokio::test]
async fn offline_access_is_listed_only_if_clients_can_request_it() {
    for (listed_by_provider, stripped, expected) in [
        (false, "offline_access", true),
        (false, "none", false),
        (true, "none", true),
        (true, "offline_access", true),
    ] {
        let provider = full_provider().await;
        if listed_by_provider {
            provider.set_metadata("scopes_supported", serde_json::json!(["openid", "offline_access"]));
        }
        let app = app(&provider, &[("PASSBOOK_OAUTH_STRIP_SCOPES", stripped)]).await;
        let document =
            app.send_to_origin(Method::GET, "/.well-known/oauth-authorization-server", &[]).await.ok();
        let scopes = document["scopes_supported"].as_array().expect("a list");
        let count = scopes.iter().filter(|scope| *scope == "offline_access").count();
        assert_eq!(count, usize::from(expected), "{listed_by_provider} {stripped}: {scopes:?}");
    }
}

#[tokio::test]
async fn members_that_the_provider_omits_are_omitted() {
    let provider = IdentityProvider::start(&[]).await;
    let app = app(&provider, &[]).await;
    let document = app.send_to_origin(Method::GET, "/.well-known/openid-configuration", &[]).await.ok();
    let members = document.as_object().expect("an object");
    assert!(members.values().all(|value| *value != serde_json::json!([]) && !value.is_null()), "{document}");
    assert!(
        !members.contains_key("userinfo_endpoint") && !members.contains_key("claims_supported"),
        "{document}"
    );
}

#[tokio::test]
async fn unavailable_provider_document_gives_503() {
    let provider = full_provider().await;
    for response in
        [ResponseMode::Status(500), ResponseMode::ConnectionClosed, ResponseMode::Body(b"{}".to_vec())]
    {
        provider.set_response(response.clone());
        let app = app(&provider, &[]).await;
        for (_, paths) in DOCUMENTS.iter().filter(|(name, _)| REQUIRING_PROVIDER.contains(name)) {
            for path in paths.iter().chain(&["/api/oauth/authorize"]) {
                let reply = app.send_to_origin(Method::GET, path, &[]).await;
                reply.assert_error(503, "UNAVAILABLE", format_args!("{response:?} {path}"));
                let seconds: u64 = reply.header("retry-after").parse().expect("whole seconds");
                assert!((1..=5).contains(&seconds), "{response:?} {path}: {seconds}");
                assert_eq!(reply.header("cache-control"), "no-store", "{response:?} {path}");
                let message = reply.json()["error"]["message"].to_string();
                assert!(
                    !message.contains("127.0.0.1") && !message.contains("500"),
                    "the cause must not be in the response: {message}"
                );
            }
        }
        // The resource document does not need the provider.
        app.send_to_origin(Method::GET, "/.well-known/oauth-protected-resource", &[]).await.ok();
    }
}
