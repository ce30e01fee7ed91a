//! A hyper service that serves Passbook beside its own routes: REST and the tool server below `/money`, and the discovery
//! documents.
//!
//! `DATABASE_URL` is the URL of the database with the role `passbook_reader`. The program prints its address.

use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use passbook_auth::Authenticator;
use passbook_mcp::Mcp;
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
    print_line(&origin);
    loop {
        let (stream, _) = listener.accept().await?;
        let passbook = passbook.clone();
        let service = service_fn(move |request| handle(passbook.clone(), request));
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

/// Creates the adapters and the table of their routes, once.
async fn passbook(origin: &str) -> Result<Router, Box<dyn Error>> {
    let config = passbook_store::StoreConfig::new(setting("DATABASE_URL")?.parse()?).with_connections_max(4);
    let store = Arc::new(Store::connect(config).await?);
    let authenticator = Authenticator::new(passbook_auth::AuthenticatorConfig::default(), store.clone());
    let config = PipelineConfig::new(BaseUrl::parse(&format!("{origin}/money"))?);
    let pipeline = Pipeline::new(Service::new(store.clone()), authenticator, config);
    let mcp = Mcp::new(&pipeline).with_origins(vec!["https://claude.ai".to_owned()]).with_loopback_origins();
    let oauth = Oauth::new(&pipeline).with_resource(passbook_mcp::RESOURCE);
    let rest = Rest::new(&pipeline, store)
        .with_openapi_paths(oauth.openapi_paths())
        .with_openapi_paths(passbook_mcp::openapi_paths());
    Ok(Router::new(&pipeline, [mcp.endpoints(), oauth.endpoints(), rest.endpoints()].concat()))
}

async fn handle(passbook: Router, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let path = request.uri().path();
    Ok(if path == "/" {
        Response::new(Full::from("The host's own page.\n"))
    } else if let Some(route) = passbook.find(path, request.headers()) {
        route.handle(request).await
    } else {
        let mut response = Response::new(Full::from("The host has no such page.\n"));
        *response.status_mut() = StatusCode::NOT_FOUND;
        response
    })
}

#[expect(clippy::disallowed_methods, reason = "a host reads its own settings")]
fn setting(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} must be set"))
}

#[expect(clippy::print_stdout, reason = "the program prints its address")]
fn print_line(line: &str) {
    println!("{line}");
}
