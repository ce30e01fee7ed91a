//! An axum application with sessions and error pages of its own, and Passbook's REST below `/money`. No token, no
//! database and no identity provider.
//!
//! `LEDGER` is the path of the file that `own_ledger` reads. The program prints its address, and then a line with the name
//! and the sign-in code of each person.

use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use passbook_auth::Authenticator;
use passbook_auth::personal_access_token::PlainToken;
use passbook_domain::access::{Credential, GrantReference, SessionId};
use passbook_domain::person::UserId;
use passbook_operations::Service;
use passbook_operations::cashflow_summary::{CashflowSummary, Params};
use passbook_own_ledger_host::books::Books;
use passbook_rest::{BaseUrl, HostCaller, HostSignIn, HttpError, Pipeline, PipelineConfig, Rest, Router};
use tokio::net::TcpListener;
use uuid::Uuid;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let origin = format!("http://{}", listener.local_addr()?);
    let books = Arc::new(Books::read(&std::fs::read_to_string(setting("LEDGER")?)?)?);
    print_line(&origin);
    let mut codes = HashMap::new();
    for (person, name) in books.people() {
        let code = PlainToken::generate("").reveal().to_owned();
        print_line(&format!("{name} {code}"));
        codes.insert(code, person);
    }
    let service = Service::new(books.ledger());
    let passbook = passbook(&books, service.clone(), &origin)?;
    let host = Host { books, service, passbook, codes };
    let application = axum::Router::new()
        .route("/", get(page))
        .route("/sign-in", get(sign_in_page).post(sign_in))
        .fallback(money)
        .with_state(Arc::new(host));
    Ok(axum::serve(listener, application).await?)
}

struct Host {
    books: Arc<Books>,
    service: Service,
    passbook: Router,
    /// The person of each sign-in code.
    codes: HashMap<String, Uuid>,
}

/// Creates the adapter. A caller without a session reads where to sign in, and OpenAPI describes the cookie.
fn passbook(books: &Arc<Books>, service: Service, origin: &str) -> Result<Router, Box<dyn Error>> {
    let authenticator = Authenticator::new(passbook_auth::AuthenticatorConfig::new("none_"), books.clone());
    let mut config = PipelineConfig::new(BaseUrl::parse(&format!("{origin}/money"))?);
    config.sign_in = Some(HostSignIn::cookie("session", "/sign-in")?.without_tokens());
    let pipeline = Pipeline::new(service, authenticator, config);
    let rest = Rest::new(&pipeline, books.clone()).with_title("Our money");
    Ok(Router::new(&pipeline, rest.endpoints()))
}

/// Serves REST to the person whose session the cookie names. A browser gets errors as pages of this host.
async fn money(State(host): State<Arc<Host>>, mut request: Request) -> Response {
    let is_browser = accepts_html(request.headers());
    if let Some(credential) = credential(&host.books, request.headers()) {
        request.extensions_mut().insert(HostCaller(credential));
    }
    let response = host.passbook.handle(request).await;
    let (mut head, body) = response.into_parts();
    let error = head.extensions.get::<Arc<HttpError>>().filter(|_| is_browser).cloned();
    let body = match error {
        // The other headers stay: the challenge, `Retry-After`, and the request identifier of the log.
        Some(error) => {
            head.headers.remove(CONTENT_LENGTH);
            head.headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
            Body::from(error_page(&error))
        }
        None => Body::new(body),
    };
    Response::from_parts(head, body)
}

/// Renders an error, with the remedy that fits it.
fn error_page(error: &HttpError) -> String {
    let remedy = match (error.status(), error.retry_after_seconds()) {
        (StatusCode::UNAUTHORIZED, _) => "<a href=\"/sign-in\">Sign in</a>".to_owned(),
        (_, Some(seconds)) => format!("Try again in {seconds} s."),
        _ => "<a href=\"/\">Start page</a>".to_owned(),
    };
    let faults: String =
        error.faults().iter().map(|fault| format!("<li>{}</li>", escaped(&fault.message))).collect();
    format!("<h1>Our money</h1><p>{}</p><ul>{faults}</ul><p>{remedy}</p>", escaped(error.message()))
}

async fn sign_in_page() -> Html<&'static str> {
    Html("<form method=\"post\"><input name=\"code\"><button>Sign in</button></form>")
}

/// Starts a session for the person of the code.
async fn sign_in(State(host): State<Arc<Host>>, form: String) -> Response {
    let person = form.strip_prefix("code=").and_then(|code| host.codes.get(code));
    let Some(person) = person else {
        return (StatusCode::FORBIDDEN, Html("This code is unknown.")).into_response();
    };
    let cookie = format!("session={}; HttpOnly; SameSite=Lax; Path=/", host.books.sign_in(*person));
    ([(SET_COOKIE, cookie)], Redirect::to("/")).into_response()
}

/// The host's own page, from a typed result.
async fn page(State(host): State<Arc<Host>>, headers: HeaderMap) -> Response {
    let Some(credential) = credential(&host.books, &headers) else {
        return Redirect::to("/sign-in").into_response();
    };
    match host.service.call::<CashflowSummary>(&credential, Params::default()).await {
        Ok(cashflow) => format!("{} cents are left.\n", cashflow.net.amount_cents).into_response(),
        Err(error) => {
            let error = HttpError::from(error);
            (error.status(), Html(error_page(&error))).into_response()
        }
    }
}

/// Returns the credential of the session that the cookie names.
fn credential(books: &Books, headers: &HeaderMap) -> Option<Credential> {
    let session = headers.get(COOKIE)?.to_str().ok()?.strip_prefix("session=")?;
    let person = books.who_is_in(session)?;
    Some(Credential::new(authenticated(person), GrantReference::Host { id: SessionId::parse(session).ok()? }))
}

#[expect(clippy::disallowed_methods, reason = "the session has authenticated its person")]
fn authenticated(person: Uuid) -> UserId {
    UserId::from_authenticated(person)
}

fn accepts_html(headers: &HeaderMap) -> bool {
    headers.get(ACCEPT).and_then(|value| value.to_str().ok()).is_some_and(|value| value.contains("text/html"))
}

/// Replaces the characters that have a meaning in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[expect(clippy::disallowed_methods, reason = "a host reads its own settings")]
fn setting(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} must be set"))
}

fn print_line(line: &str) {
    println!("{line}");
}
