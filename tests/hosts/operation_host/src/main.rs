//! A host that serves an operation of its own beside four operations of Passbook: in REST, OpenAPI, the tools and
//! JSON-RPC, below `/money`.
//!
//! `LEDGER` is the path of the file that `own_ledger` reads. The program prints its address, and then a line with name
//! and token of each person.

use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use passbook_auth::Authenticator;
use passbook_mcp::Mcp;
use passbook_operation_host::LargestExpenses;
use passbook_operations::{Catalogue, Service};
use passbook_own_ledger_host::books::{self, Books};
use passbook_rest::{BaseUrl, Pipeline, PipelineConfig, RateLimiter, Rest, Router};
use tokio::net::TcpListener;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let origin = format!("http://{}", listener.local_addr()?);
    let mut books = Books::read(&std::fs::read_to_string(setting("LEDGER")?)?)?.with_tools();
    print_line(&origin);
    for (person, name) in books.people() {
        let token = books.give_token(person);
        print_line(&format!("{name} {}", token.reveal()));
    }
    let passbook = passbook(Arc::new(books), &origin)?;
    loop {
        let (stream, _) = listener.accept().await?;
        let passbook = passbook.clone();
        let service = service_fn(move |request| handle(passbook.clone(), request));
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

/// Creates the adapters and the table of their routes, once. The adapters share the catalogue and the rate limits.
fn passbook(books: Arc<Books>, origin: &str) -> Result<Router, Box<dyn Error>> {
    let catalogue = Catalogue::default()
        .only(&["me", "transactions", "top_merchants", "cashflow_summary"])?
        .with::<LargestExpenses>()?;
    let authenticator =
        Authenticator::new(passbook_auth::AuthenticatorConfig::new(books::TOKEN_PREFIX), books.clone());
    let mut config = PipelineConfig::new(BaseUrl::parse(&format!("{origin}/money"))?);
    config.rate_limiter = Some(RateLimiter::new(300, 120));
    let pipeline = Pipeline::new(Service::new(books.ledger()), authenticator, config);
    let mcp = Mcp::new(&pipeline)
        .with_operations(&catalogue)
        .with_title("Ada's money")
        .with_description("What Ada's household earns and spends.");
    let rest = Rest::new(&pipeline, books)
        .with_operations(&catalogue)
        .with_openapi_paths(passbook_mcp::openapi_paths())
        .with_title("Ada's money");
    let json_rpc = passbook_json_rpc::endpoints(&pipeline, &catalogue);
    Ok(Router::new(&pipeline, [json_rpc, mcp.endpoints(), rest.endpoints()].concat()))
}

async fn handle(passbook: Router, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    Ok(passbook.handle(request).await)
}

#[expect(clippy::disallowed_methods, reason = "a host reads its own settings")]
fn setting(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} must be set"))
}

fn print_line(line: &str) {
    println!("{line}");
}
