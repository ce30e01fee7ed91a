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
use passbook_json_rpc::JsonRpc;
use passbook_mcp::Mcp;
use passbook_operation_host::LargestExpenses;
use passbook_operations::{Catalogue, Service};
use passbook_own_ledger_host::books::{self, Books};
use passbook_rest::{BaseUrl, RateLimiter, Rest};
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
    let adapters = adapters(Arc::new(books), &origin)?;
    loop {
        let (stream, _) = listener.accept().await?;
        let adapters = adapters.clone();
        let service = service_fn(move |request| handle(adapters.clone(), request));
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

/// The adapters that this host serves.
#[derive(Clone)]
struct Adapters {
    rest: Rest,
    mcp: Mcp,
    json_rpc: JsonRpc,
}

/// Creates the adapters, once. They share the catalogue and the rate limits.
fn adapters(books: Arc<Books>, origin: &str) -> Result<Adapters, Box<dyn Error>> {
    let catalogue = Catalogue::default()
        .only(&["me", "transactions", "top_merchants", "cashflow_summary"])?
        .with::<LargestExpenses>()?;
    let limiter = RateLimiter::new(300, 120);
    let service = Service::new(books.clone());
    let authenticator = Authenticator::new(passbook_auth::Config::new(books::TOKEN_PREFIX), books.clone());
    let base_url = BaseUrl::parse(&format!("{origin}/money"))?;
    let mcp = Mcp::new(service.clone(), authenticator.clone(), passbook_mcp::Config::new(base_url.clone()))
        .with_operations(&catalogue)
        .with_title("Ada's money")
        .with_description("What Ada's household earns and spends.")
        .with_rate_limiter(limiter.clone());
    let rest = Rest::new(service.clone(), authenticator.clone(), books, passbook_rest::Config::new(base_url))
        .with_operations(&catalogue)
        .with_openapi_paths(passbook_mcp::openapi_paths())
        .with_title("Ada's money")
        .with_rate_limiter(limiter.clone());
    let json_rpc = JsonRpc::new(service, authenticator, catalogue, 10).with_rate_limiter(limiter);
    Ok(Adapters { rest, mcp, json_rpc })
}

async fn handle(adapters: Adapters, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let Adapters { rest, mcp, json_rpc } = adapters;
    let path = request.uri().path();
    Ok(if path == passbook_json_rpc::PATH {
        json_rpc.handle(request).await
    } else if let Some(route) = mcp.route(path) {
        mcp.handle_route(route, request).await
    } else {
        rest.handle_origin(request).await
    })
}

#[expect(clippy::disallowed_methods, reason = "a host reads its own settings")]
fn setting(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} must be set"))
}

fn print_line(line: &str) {
    println!("{line}");
}
