//! Handles the requests of each endpoint: answers with the page, redirects and changes of the session, and sends requests to
//! the REST adapter in the same process.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{Empty, Full};
use hyper::header::{
    ACCEPT, ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, LINK, LOCATION,
    SET_COOKIE, VARY,
};
use hyper::http::request::Parts;
use hyper::http::uri::PathAndQuery;
use hyper::{HeaderMap, Method, Request, Response, StatusCode, Uri};
use passbook_auth::Clock;
use passbook_auth::sign_in_code::SignInFile;
use passbook_web::{BaseUrl, ClientAddress, HandlerResult, HttpError, Received, Router, response};
use serde::Deserialize;

use crate::assets::Assets;
use crate::cookies::Cookies;
use crate::page_request;
use crate::sealing::Sealer;
use crate::session::Session;
use crate::sign_in::{Failure, SignIn};

/// Name of the header with the identifier of a request.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Path of the data below the page. The rest of the path is a path of the REST adapter.
const DATA: &str = "/data";

/// The future of a handler.
pub(crate) type Handling = Pin<Box<dyn Future<Output = HandlerResult> + Send>>;

/// The parts of the dashboard that its endpoints share.
#[derive(Debug)]
pub(crate) struct Inner {
    /// The endpoints of REST.
    pub(crate) rest: Router,
    /// The path of the base address of REST.
    pub(crate) rest_path: String,
    pub(crate) page_url: BaseUrl,
    pub(crate) page: Bytes,
    pub(crate) assets: Assets,
    pub(crate) cookies: Cookies,
    pub(crate) sealer: Sealer,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) sign_in: Option<SignIn>,
    pub(crate) sign_in_file: Option<SignInFile>,
}

/// The body of a request that enters a personal access token.
#[derive(Deserialize)]
struct TokenEntry {
    token: String,
}

/// The body of a request that exchanges a sign-in code.
#[derive(Deserialize)]
struct CodeEntry {
    code: String,
}

impl Inner {
    /// Returns the page. A browser that prefers another language than English reads its texts beside the script.
    pub(crate) fn page(&self, head: &Parts) -> HandlerResult {
        let accepted = head.headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let file = accepted.and_then(passbook_views::preferred_language_file);
        let folder = self.assets.folder();
        let path = file.map(|name| format!("{}{folder}{name}", self.page_url.path()));
        Ok(page(&self.page, path.as_deref()))
    }

    /// Redirects to the address of the page with its last slash.
    pub(crate) fn to_slash(&self) -> HandlerResult {
        Ok(redirect(&format!("{}/", self.page_url.path()), vec![]))
    }

    /// Opens a session with a personal access token.
    pub(crate) async fn enter_token(self: Arc<Self>, received: Received) -> HandlerResult {
        let Received { head, body, record } = received;
        page_request::check_change(&head.headers, self.page_url.origin())?;
        let rule = "The body must be an object with the text \"token\".";
        let TokenEntry { token } = page_request::json(&head, body, rule).await?;
        self.open_session(token, &head, record.request_id().as_str()).await
    }

    /// Exchanges a sign-in code for a session.
    pub(crate) async fn exchange_code(self: Arc<Self>, received: Received) -> HandlerResult {
        let Received { head, body, record } = received;
        page_request::check_change(&head.headers, self.page_url.origin())?;
        let rule = "The body must be an object with the text \"code\".";
        let CodeEntry { code } = page_request::json(&head, body, rule).await?;
        let now = self.clock.unix_seconds();
        let token = self.sign_in_file.as_ref().and_then(|file| file.exchange(&code, now));
        let token = token.ok_or_else(unknown_code)?;
        self.open_session(token, &head, record.request_id().as_str()).await
    }

    /// Ends the session.
    pub(crate) fn sign_out(&self, head: &Parts) -> HandlerResult {
        page_request::check_change(&head.headers, self.page_url.origin())?;
        Ok(no_content(self.cookies.delete(&self.cookies.session_name())))
    }

    /// Returns the request to the REST adapter that a data request of the page stands for.
    ///
    /// # Errors
    /// `FORBIDDEN` if another site has sent the request, `UNAUTHORIZED` without a session.
    pub(crate) fn data_request(&self, head: &Parts) -> Result<Request<Empty<Bytes>>, HttpError> {
        page_request::check(&head.headers)?;
        let session = self.session(&head.headers).ok_or(passbook_auth::Error::Missing)?;
        let target = head.uri.path_and_query().map_or("", PathAndQuery::as_str);
        let target = self.page_url.below(target).and_then(|below| below.strip_prefix(DATA));
        self.rest_request(head.method.clone(), target.unwrap_or_default(), &session.token, head)
    }

    /// Returns a request to the REST adapter with the token of the session. Of the received headers only the identifier of the
    /// request and the accepted types are passed on.
    fn rest_request(
        &self,
        method: Method,
        target: &str,
        token: &str,
        head: &Parts,
    ) -> Result<Request<Empty<Bytes>>, HttpError> {
        let unreadable =
            || page_request::invalid("The token or the address has characters that cannot be sent.");
        let mut request = Request::new(Empty::new());
        *request.method_mut() = method;
        let target =
            format!("{}{target}", self.rest_path).parse::<PathAndQuery>().map_err(|_| unreadable())?;
        *request.uri_mut() = Uri::from(target);
        let bearer = HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| unreadable())?;
        request.headers_mut().insert(AUTHORIZATION, bearer);
        for name in [REQUEST_ID, ACCEPT] {
            if let Some(value) = head.headers.get(&name) {
                request.headers_mut().insert(name, value.clone());
            }
        }
        if let Some(client) = head.extensions.get::<ClientAddress>() {
            request.extensions_mut().insert(*client);
        }
        Ok(request)
    }

    fn session(&self, headers: &HeaderMap) -> Option<Session> {
        Session::read(headers, &self.cookies, &self.sealer, self.clock.unix_seconds())
    }

    /// Opens a session with a token that REST accepts. Otherwise the response is that of REST.
    async fn open_session(&self, token: String, head: &Parts, request_id: &str) -> HandlerResult {
        let response = self.request_person(&token, head, request_id).await?;
        if response.status() != StatusCode::OK {
            return Ok(response);
        }
        let now = self.clock.unix_seconds();
        let stored = Session::new(token, now).store(&self.cookies, &self.sealer, now);
        let message = "The token is too large for a session cookie, which has room for about 2,900 bytes.";
        Ok(no_content(stored.map_err(|_| page_request::invalid(message))?))
    }

    /// Sends the request for the current user to REST, which checks the token and its grant.
    async fn request_person(&self, token: &str, head: &Parts, request_id: &str) -> HandlerResult {
        let mut request = self.rest_request(Method::GET, "/v1/me", token, head)?;
        let id = HeaderValue::from_str(request_id);
        request.headers_mut().insert(REQUEST_ID, id.expect("an identifier is visible ASCII"));
        Ok(self.rest.handle(request).await)
    }

    /// Redirects a browser to the identity provider.
    pub(crate) fn begin_sign_in(&self, head: &Parts) -> HandlerResult {
        let Some(sign_in) = &self.sign_in else { return Err(HttpError::not_found(None)) };
        if !page_request::is_own_navigation(&head.headers) {
            return Ok(self.to_page("", vec![]));
        }
        let query = head.uri.query().unwrap_or_default();
        let now = self.clock.unix_seconds();
        let (location, stored) = sign_in.begin(&head.headers, query, (&self.cookies, &self.sealer), now);
        Ok(redirect(&location, stored))
    }

    /// Completes the sign-in when the identity provider sends the browser back.
    pub(crate) async fn complete_sign_in(self: Arc<Self>, received: Received) -> HandlerResult {
        let (head, request_id) = (&received.head, received.record.request_id().as_str());
        let Some(sign_in) = &self.sign_in else { return Err(HttpError::not_found(None)) };
        let now = self.clock.unix_seconds();
        let browser = (&self.cookies, &self.sealer);
        let (attempt, completed) = sign_in.complete(head, browser, now).await;
        let mut stored: Vec<HeaderValue> = attempt.iter().map(|name| self.cookies.delete(name)).collect();
        let opened = match completed {
            Ok(signed_in) => {
                let session = self.verified_session(&signed_in.token, head, request_id).await;
                session.map(|cookie| (cookie, signed_in.back))
            }
            Err(failure) => Err(failure),
        };
        match opened {
            Ok((cookie, back)) => {
                stored.push(cookie);
                Ok(self.to_page(&back, stored))
            }
            Err(failure) => Ok(self.to_page(&format!("error={}", failure.code()), stored)),
        }
    }

    /// Returns the header that stores a session with an access token, after REST has accepted the token.
    async fn verified_session(
        &self,
        token: &str,
        head: &Parts,
        request_id: &str,
    ) -> Result<HeaderValue, Failure> {
        let response = self.request_person(token, head, request_id).await.map_err(|_| Failure::Token)?;
        match response.status() {
            StatusCode::OK => {}
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => return Err(Failure::Token),
            _ => return Err(Failure::Unavailable),
        }
        let now = self.clock.unix_seconds();
        let session = Session::new(token.to_owned(), now);
        session.store(&self.cookies, &self.sealer, now).map_err(|_| Failure::TokenTooLarge)
    }

    /// Redirects to the page with this text after `#`.
    fn to_page(&self, fragment: &str, stored: Vec<HeaderValue>) -> Response<Full<Bytes>> {
        let joint = if fragment.is_empty() { "" } else { "#" };
        redirect(&format!("{}/{joint}{fragment}", self.page_url.path()), stored)
    }
}

/// 401: no such sign-in code, or no longer.
fn unknown_code() -> HttpError {
    let message = "The sign-in code is wrong, was used, or is older than ten minutes. Enter a token, or use a new code.";
    HttpError::unauthorized(message)
}

/// Headers of the page in addition to the standard headers. The policy allows only content of the server's own origin, and no
/// script may turn text into markup (Trusted Types).
const PAGE_HEADERS: [(&str, &str); 2] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
    ),
    ("cross-origin-opener-policy", "same-origin"),
];

/// Returns the page, which no cache stores, and the path of a module that the browser reads early.
fn page(page: &Bytes, module: Option<&str>) -> Response<Full<Bytes>> {
    let mut response = response::json(StatusCode::OK, "no-store", page.clone());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(VARY, HeaderValue::from_static("accept, accept-language"));
    if let Some(path) = module {
        let link = HeaderValue::try_from(format!("<{path}>; rel=modulepreload"));
        headers.insert(LINK, link.expect("a path is visible ASCII"));
    }
    for (name, value) in PAGE_HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// Redirects a browser with GET, and stores cookies.
fn redirect(location: &str, stored: Vec<HeaderValue>) -> Response<Full<Bytes>> {
    let mut response = empty(StatusCode::SEE_OTHER);
    let headers = response.headers_mut();
    headers.insert(LOCATION, HeaderValue::try_from(location).expect("an address is visible ASCII"));
    for cookie in stored {
        headers.append(SET_COOKIE, cookie);
    }
    response
}

/// Returns the response to a change of the session: a cookie, and no body.
fn no_content(cookie: HeaderValue) -> Response<Full<Bytes>> {
    let mut response = empty(StatusCode::NO_CONTENT);
    response.headers_mut().insert(SET_COOKIE, cookie);
    response
}

fn empty(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = response::private(Bytes::new());
    *response.status_mut() = status;
    response.headers_mut().remove(CONTENT_TYPE);
    response
}
