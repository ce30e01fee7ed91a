//! Every path of every document, in every mode.

use hyper::Method;
use serde_json::Value;
use tests::app::App;
use tests::http::Http;
use tests::provider::{IdentityProvider, ResponseMode};

use super::{app, at, origin, talkative};

/// The documents, each with all of its paths on the origin. The first is the one that snapshots name.
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

/// The documents that need a provider.
const OF_THE_PROVIDER: [&str; 2] = ["the authorization server", "the OpenID configuration"];

async fn in_mode(mode: &str, provider: &IdentityProvider) -> App {
    match mode {
        "none" => App::start().await,
        mode => app(provider, &[("PASSBOOK_OAUTH_MODE", mode)]).await,
    }
}

#[tokio::test]
async fn every_path_of_every_document_in_every_mode() {
    let provider = talkative().await;
    for mode in ["none", "split", "origin", "direct"] {
        let app = in_mode(mode, &provider).await;
        let mut shown = String::new();
        for (name, paths) in DOCUMENTS {
            let mut bodies = Vec::new();
            for path in paths {
                let place = format!("{mode}: {path}");
                let reply = at(&app, Method::GET, path).await;
                assert_eq!(at(&app, Method::POST, path).await.status, 405, "{place}");
                let head = at(&app, Method::HEAD, path).await;
                assert_eq!((head.status, &head.body[..]), (reply.status, &b""[..]), "{place}");
                if mode == "none" && OF_THE_PROVIDER.contains(&name) {
                    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (404, "NOT_FOUND"), "{place}");
                    assert_eq!(reply.header("cache-control"), "no-store", "{place}");
                    continue;
                }
                assert_eq!(reply.status, 200, "{place}");
                assert_eq!(reply.header("cache-control"), "public, max-age=300", "{place}");
                assert_eq!(reply.header("content-type"), "application/json", "{place}");
                let shared = reply.headers.keys().find(|name| name.as_str().starts_with("access-control"));
                assert_eq!(shared, None, "{place}: no page of another origin may read it");
                bodies.push(reply.body);
            }
            assert!(bodies.windows(2).all(|pair| pair[0] == pair[1]), "{mode}: {name} differs by path");
            if let Some(body) = bodies.first() {
                let document: Value = serde_json::from_slice(body).expect("JSON");
                let text = format!("{name}, GET {}\n{document:#}\n\n", paths[0]);
                shown.push_str(&text.replace(origin(&app), "ORIGIN").replace(&provider.issuer, "ISSUER"));
            }
        }
        insta::assert_snapshot!(format!("mode_{mode}"), shown.trim_end());
    }
}

/// Whoever sends a request chooses its headers, so none of them may choose what a document or a challenge names.
#[tokio::test]
async fn no_header_of_a_request_says_where_the_service_lies() {
    const EVIL: [(&str, &str); 6] = [
        ("host", "evil.example"),
        ("forwarded", "host=evil.example;proto=https"),
        ("x-forwarded-host", "evil.example"),
        ("x-forwarded-proto", "https"),
        ("x-forwarded-prefix", "/evil"),
        ("x-original-url", "https://evil.example/api"),
    ];
    let app = app(&talkative().await, &[]).await;
    let documents = DOCUMENTS.iter().flat_map(|(_, paths)| paths.iter());
    for path in documents.chain(&["/api/oauth/authorize?state=s", "/api/v1/me", "/api/openapi.json"]) {
        let plain = at(&app, Method::GET, path).await;
        let reply = Http::default().send(Method::GET, &format!("{}{path}", origin(&app)), &EVIL).await;
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

/// It may begin to while the service runs, so every answer looks again.
#[tokio::test]
async fn a_provider_that_leads_back_here_sends_nobody_in_circles() {
    let provider = talkative().await;
    let app = app(&provider, &[]).await;
    let proxy = format!("{}/oauth/authorize", app.base_url);
    provider.set_metadata("authorization_endpoint", serde_json::json!(format!("{proxy}?again")));
    for path in ["/api/oauth/authorize?state=s", "/.well-known/oauth-authorization-server"] {
        let reply = at(&app, Method::GET, path).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (503, "UNAVAILABLE"), "{path}");
        assert_eq!(reply.header("location"), "", "{path}");
    }
}

#[tokio::test]
async fn nothing_else_of_the_kind_is_served() {
    let app = app(&talkative().await, &[]).await;
    for path in [
        "/.well-known/oauth-authorization-server/",
        "/.well-known/oauth-authorization-server/api/mcp",
        "/.well-known/oauth-authorization-server/api/",
        "/.well-known/openid-configuration/other",
        "/.well-known/openid-configuration/api/v1",
        "/.well-known/openid-configuration/api/v1/me",
        "/api/.well-known/openid-configuration/api",
        "/.well-known/jwks.json",
        "/oauth/authorize",
        "/authorize",
        "/token",
        "/register",
        "/api/oauth/token",
        "/api/oauth/authorize/",
    ] {
        let reply = at(&app, Method::GET, path).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (404, "NOT_FOUND"), "{path}");
    }
}

/// A client takes what the contract says: from resource to server, from server to endpoints.
#[tokio::test]
async fn the_sign_in_flow_of_the_contract_finds_its_way() {
    let provider = talkative().await;
    let app = app(&provider, &[]).await;
    let resource = at(&app, Method::GET, "/.well-known/oauth-protected-resource").await.ok();
    let server = resource["authorization_servers"][0].as_str().expect("one").to_owned();
    assert_eq!(server, origin(&app));
    let found = at(&app, Method::GET, "/.well-known/openid-configuration").await.ok();
    assert_eq!(found["authorization_endpoint"], format!("{}/oauth/authorize", app.base_url));
    assert_eq!(found["token_endpoint"], format!("{}/oauth/token", provider.issuer));
    assert_eq!(found["code_challenge_methods_supported"], serde_json::json!(["S256"]));
}

#[tokio::test]
async fn offline_access_is_listed_only_where_asking_for_it_works() {
    for (listed_by_provider, stripped, expected) in [
        (false, "offline_access", true),
        (false, "none", false),
        (true, "none", true),
        (true, "offline_access", true),
    ] {
        let provider = talkative().await;
        if listed_by_provider {
            provider.set_metadata("scopes_supported", serde_json::json!(["openid", "offline_access"]));
        }
        let app = app(&provider, &[("PASSBOOK_OAUTH_STRIP_SCOPES", stripped)]).await;
        let document = at(&app, Method::GET, "/.well-known/oauth-authorization-server").await.ok();
        let scopes = document["scopes_supported"].as_array().expect("a list");
        let count = scopes.iter().filter(|scope| *scope == "offline_access").count();
        assert_eq!(count, usize::from(expected), "{listed_by_provider} {stripped}: {scopes:?}");
    }
}

#[tokio::test]
async fn what_a_provider_does_not_say_is_left_out() {
    let provider = IdentityProvider::start(&[]).await;
    let app = app(&provider, &[]).await;
    let document = at(&app, Method::GET, "/.well-known/openid-configuration").await.ok();
    let members = document.as_object().expect("an object");
    assert!(members.values().all(|value| *value != serde_json::json!([]) && !value.is_null()), "{document}");
    assert!(
        !members.contains_key("userinfo_endpoint") && !members.contains_key("claims_supported"),
        "{document}"
    );
}

#[tokio::test]
async fn a_provider_that_is_not_known_yet_is_an_outage() {
    let provider = talkative().await;
    for mood in
        [ResponseMode::Status(500), ResponseMode::ConnectionClosed, ResponseMode::Body(b"{}".to_vec())]
    {
        provider.set_response(mood.clone());
        let app = app(&provider, &[]).await;
        for path in
            OF_THE_PROVIDER.iter().flat_map(|name| DOCUMENTS.iter().filter(move |(other, _)| other == name))
        {
            for path in path.1.iter().chain(&["/api/oauth/authorize"]) {
                let reply = at(&app, Method::GET, path).await;
                assert_eq!(
                    (reply.status.as_u16(), reply.code().as_str()),
                    (503, "UNAVAILABLE"),
                    "{mood:?} {path}"
                );
                assert_eq!(reply.header("retry-after"), "1", "{mood:?} {path}");
                assert_eq!(reply.header("cache-control"), "no-store", "{mood:?} {path}");
                let told = reply.json()["error"]["message"].to_string();
                assert!(!told.contains("127.0.0.1") && !told.contains("500"), "why is for the log: {told}");
            }
        }
        // What names no provider's word does not need it.
        at(&app, Method::GET, "/.well-known/oauth-protected-resource").await.ok();
    }
}
