//! An axum application that serves Passbook beside its own routes: REST below `/money`, and the discovery documents.
//!
//! `DATABASE_URL` is the URL of the database with the role `passbook_reader`. The program prints its address.

use std::error::Error;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use passbook_auth::Authenticator;
use passbook_oauth::Oauth;
use passbook_operations::Service;
use passbook_rest::{BaseUrl, Pipeline, PipelineConfig, Rest, Router};
use passbook_store::Store;
use tokio::net::TcpListener;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let origin = format!("http://{}", listener.local_addr()?);
    let passbook = passbook(&origin).await?;
    let application = axum::Router::new()
        .route("/", get(|| async { "The host's own page.\n" }))
        .fallback(move |request| other_routes(passbook.clone(), request));
    print_line(&origin);
    Ok(axum::serve(listener, application).await?)
}

/// Creates the adapters and the table of their routes, once.
async fn passbook(origin: &str) -> Result<Router, Box<dyn Error>> {
    let config = passbook_store::StoreConfig::new(setting("DATABASE_URL")?.parse()?).with_connections_max(4);
    let store = Arc::new(Store::connect(config).await?);
    let authenticator = Authenticator::new(passbook_auth::AuthenticatorConfig::default(), store.clone());
    let config = PipelineConfig::new(BaseUrl::parse(&format!("{origin}/money"))?);
    let pipeline = Pipeline::new(Service::new(store.clone()), authenticator, config);
    let oauth = Oauth::new(&pipeline);
    let rest = Rest::new(&pipeline, store).with_openapi_paths(oauth.openapi_paths());
    Ok(Router::new(&pipeline, [oauth.endpoints(), rest.endpoints()].concat()))
}

/// Answers the requests that match no route of the host.
async fn other_routes(passbook: Router, request: Request) -> Response {
    match passbook.find(request.uri().path(), request.headers()) {
        Some(route) => route.handle(request).await.into_response(),
        None => (StatusCode::NOT_FOUND, "The host has no such page.\n").into_response(),
    }
}

#[expect(clippy::disallowed_methods, reason = "a host reads its own settings")]
fn setting(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} must be set"))
}

#[expect(clippy::print_stdout, reason = "the program prints its address")]
fn print_line(line: &str) {
    println!("{line}");
}
