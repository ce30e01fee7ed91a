//! An axum application with Passbook beside its own routes: REST below `/money`, documents at the root, the rest its
//! own.
//!
//! `DATABASE_URL` names the database, as the role `passbook_reader`. The program says where it listens.

use std::error::Error;
use std::sync::Arc;

use auth::Authenticator;
use auth::personal_access_token::DEFAULT_PREFIX;
use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use operations::Service;
use rest::{BaseUrl, Rest};
use store::Store;
use tokio::net::TcpListener;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let origin = format!("http://{}", listener.local_addr()?);
    let rest = passbook(&origin).await?;
    let application = Router::new()
        .route("/", get(|| async { "The host's own page.\n" }))
        .fallback(move |request| elsewhere(rest.clone(), request));
    say(&origin);
    Ok(axum::serve(listener, application).await?)
}

/// Everything of Passbook that this host needs, made once.
async fn passbook(origin: &str) -> Result<Rest, Box<dyn Error>> {
    let config =
        store::Config { connection: setting("DATABASE_URL")?.parse()?, connections_max: 4, today: None };
    let store = Arc::new(Store::connect(config).await?);
    let tokens = auth::Config { token_prefix: DEFAULT_PREFIX.to_owned() };
    let config = rest::Config {
        base_url: BaseUrl::parse(&format!("{origin}/money"))?,
        request_seconds_max: 10,
        tool_server: false,
    };
    let service = Service::new(store.clone());
    Ok(Rest::new(service, Authenticator::new(tokens, store.clone()), store, config))
}

/// What no route of the host takes.
async fn elsewhere(rest: Rest, request: Request) -> Response {
    if rest.owns(request.uri().path()) {
        rest.handle_origin(request).await.into_response()
    } else {
        (StatusCode::NOT_FOUND, "The host has no such page.\n").into_response()
    }
}

#[expect(clippy::disallowed_methods, reason = "the settings of a host are its own")]
fn setting(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} must be set"))
}

#[expect(clippy::print_stdout, reason = "a program says where it listens")]
fn say(line: &str) {
    println!("{line}");
}
