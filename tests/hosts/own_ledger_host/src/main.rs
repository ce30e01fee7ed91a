//! A host without a database: it keeps its own rows in memory, signs browsers in by sessions, and issues tokens to
//! programs.
//!
//! `LEDGER` is the path of a file with one row per line:
//! `person|day|type|category|cents|currency|posted or pending|title|merchant`. The program prints its address, and then
//! a line with name, session and token of each person. A session lasts until `POST /sign-out`.

use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::COOKIE;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use passbook_auth::Authenticator;
use passbook_domain::access::{Credential, GrantReference, SessionId};
use passbook_domain::person::UserId;
use passbook_oauth::Oauth;
use passbook_operations::Service;
use passbook_operations::cashflow_summary::{CashflowSummary, Params};
use passbook_own_ledger_host::books::{self, Books};
use passbook_rest::{BaseUrl, HostCaller, Pipeline, PipelineConfig, Rest, Router};
use tokio::net::TcpListener;
use uuid::Uuid;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let origin = format!("http://{}", listener.local_addr()?);
    let mut books = Books::read(&std::fs::read_to_string(setting("LEDGER")?)?)?;
    print_line(&origin);
    for (person, name) in books.people() {
        let (session, token) = (books.sign_in(person), books.give_token(person));
        print_line(&format!("{name} {session} {}", token.reveal()));
    }
    let host = Arc::new(host(Arc::new(books), &origin)?);
    loop {
        let (stream, _) = listener.accept().await?;
        let host = host.clone();
        let service = service_fn(move |request| handle(host.clone(), request));
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

struct Host {
    books: Arc<Books>,
    service: Service,
    passbook: Router,
}

/// Creates the adapters. `Books` implements the ports, but for the ledger, which is the one in memory over `Books`.
fn host(books: Arc<Books>, origin: &str) -> Result<Host, Box<dyn Error>> {
    let authenticator =
        Authenticator::new(passbook_auth::AuthenticatorConfig::new(books::TOKEN_PREFIX), books.clone());
    let service = Service::new(books.ledger());
    let config = PipelineConfig::new(BaseUrl::parse(&format!("{origin}/money"))?);
    let pipeline = Pipeline::new(service.clone(), authenticator, config);
    let oauth = Oauth::new(&pipeline);
    let rest = Rest::new(&pipeline, books.clone()).with_openapi_paths(oauth.openapi_paths());
    let passbook = Router::new(&pipeline, [oauth.endpoints(), rest.endpoints()].concat());
    Ok(Host { books, service, passbook })
}

async fn handle(
    host: Arc<Host>,
    mut request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let signed_in = signed_in(&host.books, &request);
    Ok(match (request.method(), request.uri().path(), signed_in) {
        (&Method::GET, "/", Some(credential)) => page(&host.service, &credential).await,
        (&Method::GET, "/", None) => Response::new(Full::from("Please sign in.\n")),
        (&Method::POST, "/sign-out", Some(credential)) => {
            host.books.sign_out(credential.grant());
            Response::new(Full::from("Good-bye.\n"))
        }
        // A browser is authenticated by its session. A program sends a token, or gets a 401 response.
        (_, _, signed_in) => {
            if let Some(credential) = signed_in {
                request.extensions_mut().insert(HostCaller(credential));
            }
            host.passbook.handle(request).await
        }
    })
}

/// Returns the credential of the person whose session the cookie names.
fn signed_in(books: &Books, request: &Request<Incoming>) -> Option<Credential> {
    let session = request.headers().get(COOKIE)?.to_str().ok()?.strip_prefix("session=")?;
    let person = books.who_is_in(session)?;
    let grant = GrantReference::Host { id: SessionId::parse(session).ok()? };
    Some(Credential::new(authenticated(person), grant))
}

#[expect(clippy::disallowed_methods, reason = "the session has authenticated its person")]
fn authenticated(person: Uuid) -> UserId {
    UserId::from_authenticated(person)
}

/// The host's own page, from a typed result.
async fn page(service: &Service, credential: &Credential) -> Response<Full<Bytes>> {
    let text = match service.call::<CashflowSummary>(credential, Params::default()).await {
        Ok(cashflow) => format!("{} cents are left.\n", cashflow.net.amount_cents),
        Err(error) => format!("{}\n", error.public()),
    };
    Response::new(Full::from(text))
}

#[expect(clippy::disallowed_methods, reason = "a host reads its own settings")]
fn setting(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} must be set"))
}

#[expect(clippy::print_stdout, reason = "the program prints its address and the sessions")]
fn print_line(line: &str) {
    println!("{line}");
}
