//! Routes, methods, limits of the request head, and headers of every response.

use hyper::Method;
use tests::app::App;
use tests::household::Household;

#[tokio::test]
async fn unknown_path_is_404_with_and_without_a_token() {
    let app = App::start().await;
    let household = Household::new();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    for target in [
        "/",
        "/v1",
        "/v1/",
        "/v1/me/",
        "/v1//me",
        "/v1/%6de",
        "/v1/ME",
        "/v2/me",
        "/v1/portfolio/nothing",
        "/mcp/",
        "/mcp/x",
        "/v1/../health",
    ] {
        for reply in [app.get(target, &token).await, app.send(Method::GET, target, &[]).await] {
            assert_eq!((reply.status.as_u16(), reply.code().as_str()), (404, "NOT_FOUND"), "{target}");
        }
    }
}

/// Clients request the protected-resource documents at the root of the origin (RFC 9728 section 3.1).
#[tokio::test]
async fn each_protected_resource_document_names_its_own_resource() {
    let app = App::start().await;
    let origin = app.base_url.trim_end_matches("/api");
    let http = tests::http::Http::default();
    for (path, resource) in [
        ("/.well-known/oauth-protected-resource", origin),
        ("/.well-known/oauth-protected-resource/api", &app.base_url),
        ("/api/.well-known/oauth-protected-resource", &app.base_url),
    ] {
        let document = http.send(Method::GET, &format!("{origin}{path}"), &[]).await;
        assert_eq!(document.header("cache-control"), "public, max-age=300", "{path}");
        assert!(!document.header("x-request-id").is_empty(), "{path}");
        assert_eq!(document.ok()["resource"], resource, "{path}");
        let posted = http.send(Method::POST, &format!("{origin}{path}"), &[]).await;
        assert_eq!(posted.status, 405, "{path}");
    }
    for path in [
        "/api",
        "/apiv1/me",
        "/v1/me",
        "/health",
        "/.well-known",
        "/.well-known/oauth-protected-resource/",
        "/.well-known/oauth-protected-resource/other",
        "/.well-known/oauth-protected-resource/api/v1/me",
        "/.well-known/openapi.json",
    ] {
        let reply = http.send(Method::GET, &format!("{origin}{path}"), &[]).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (404, "NOT_FOUND"), "{path}");
    }
}

#[tokio::test]
async fn method_other_than_get_and_head_is_405_before_authentication() {
    let app = App::start().await;
    for target in ["/v1/me", "/v1/transactions", "/health", "/ready", "/openapi.json"] {
        for method in
            [Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS, Method::TRACE]
        {
            let reply = app.send(method.clone(), target, &[]).await;
            assert_eq!(
                (reply.status.as_u16(), reply.code().as_str()),
                (405, "METHOD_NOT_ALLOWED"),
                "{method} {target}"
            );
            assert_eq!(reply.header("allow"), "GET, HEAD");
        }
    }
}

#[tokio::test]
async fn too_large_request_head_is_rejected_with_414_or_431() {
    let app = App::start().await;
    let long = format!("/v1/me?x={}", "a".repeat(8 * 1024));
    let reply = app.send(Method::GET, &long, &[]).await;
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (414, "URI_TOO_LONG"));
    let names: Vec<String> = (0..70).map(|number| format!("x-field-{number}")).collect();
    let many: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
    let reply = app.send(Method::GET, "/v1/me", &many).await;
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (431, "HEADERS_TOO_LARGE"));
    let large = "a".repeat(33 * 1024);
    let reply = app.send(Method::GET, "/v1/me", &[("x-large", &large)]).await;
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (431, "HEADERS_TOO_LARGE"));
}

#[tokio::test]
async fn every_response_has_security_headers_and_only_public_documents_are_cacheable() {
    let app = App::start().await;
    let household = Household::new();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    for (target, status, caching) in [
        ("/v1/me", 200, "no-store"),
        ("/v1/me?x=1", 400, "no-store"),
        ("/nowhere", 404, "no-store"),
        ("/health", 200, "no-store"),
        ("/ready", 200, "no-store"),
        ("/openapi.json", 200, "public, max-age=300"),
        ("/.well-known/oauth-protected-resource", 200, "public, max-age=300"),
    ] {
        let reply = app.get(target, &token).await;
        assert_eq!(reply.status.as_u16(), status, "{target}");
        assert_eq!(reply.header("cache-control"), caching, "{target}");
        assert_eq!(reply.header("content-type"), "application/json", "{target}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{target}");
        assert!(reply.headers.keys().all(|name| !name.as_str().starts_with("access-control")), "{target}");
        assert!(!reply.header("x-request-id").is_empty(), "{target}");
    }
}

#[tokio::test]
async fn valid_request_id_is_reused_and_any_other_is_replaced() {
    let app = App::start().await;
    let long = "a".repeat(65);
    for (given, is_reused) in
        [("abc-1.2_Z", true), ("with space", false), (long.as_str(), false), ("é", false), ("\"", false)]
    {
        let reply = app.send(Method::GET, "/v1/me", &[("x-request-id", given)]).await;
        assert_eq!(reply.header("x-request-id") == given, is_reused, "{given}");
        assert_eq!(reply.json()["error"]["requestId"], reply.header("x-request-id"), "{given}");
    }
}
