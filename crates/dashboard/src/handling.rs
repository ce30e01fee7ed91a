//! Handles the requests of each route.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Body;
use hyper::header::HeaderValue;
use hyper::http::request::Parts;
use hyper::http::uri::PathAndQuery;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use passbook_auth::Clock;
use passbook_rest::{BaseUrl, Rest};
use passbook_web::{Exchange, HttpError};
use serde::Deserialize;

use crate::assets::Assets;
use crate::cookies::Cookies;
use crate::rest_request::{REQUEST_ID, rest_request};
use crate::route::{self, Resource};
use crate::sealing::Sealer;
use crate::session::Session;
use crate::sign_in::{Failure, SignIn};
use crate::sign_in_code::SignInCode;
use crate::{page_request, responses};

/// The parts of the dashboard that its clones share.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) rest: Rest,
    pub(crate) page_url: BaseUrl,
    pub(crate) page: Bytes,
    pub(crate) assets: Assets,
    pub(crate) cookies: Cookies,
    pub(crate) sealer: Sealer,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) sign_in: Option<SignIn>,
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

type Outcome = Result<Response<Full<Bytes>>, HttpError>;

impl Inner {
    /// Handles a request of any route but the code and the data.
    pub(crate) async fn respond<B>(
        &self,
        resource: Resource,
        head: &Parts,
        body: B,
        exchange: Exchange,
    ) -> Outcome
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let origin = self.page_url.origin();
        match resource {
            Resource::Page => Ok(responses::page(&self.page)),
            Resource::PageWithoutSlash => {
                Ok(responses::redirect(&format!("{}/", self.page_url.path()), vec![]))
            }
            Resource::Asset(name) => Ok(self.assets.respond(name, &head.headers)),
            Resource::Token => {
                page_request::check_change(&head.headers, origin)?;
                let rule = "The body must be an object with the text \"token\".";
                let TokenEntry { token } = page_request::json(head, body, rule).await?;
                self.open_session(token, head, &exchange).await
            }
            Resource::SignOut => {
                page_request::check_change(&head.headers, origin)?;
                Ok(responses::no_content(self.cookies.delete(&self.cookies.session_name())))
            }
            Resource::SignIn => self.begin_sign_in(head),
            Resource::Callback => self.complete_sign_in(head, &exchange).await,
            Resource::Code | Resource::Data => Err(HttpError::not_found(None)),
        }
    }

    /// Exchanges a sign-in code of the host for a session.
    pub(crate) async fn exchange_code<B>(
        &self,
        own: Option<&SignInCode>,
        head: &Parts,
        body: B,
        exchange: Exchange,
    ) -> Outcome
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        page_request::check_change(&head.headers, self.page_url.origin())?;
        let rule = "The body must be an object with the text \"code\".";
        let CodeEntry { code } = page_request::json(head, body, rule).await?;
        let token = own.and_then(|own| own.exchange(&code)).ok_or_else(unknown_code)?;
        self.open_session(token, head, &exchange).await
    }

    /// Returns the request to the REST adapter that a data request of the page stands for.
    ///
    /// # Errors
    /// `FORBIDDEN` if another site has sent the request, `UNAUTHORIZED` without a session.
    pub(crate) fn data_request(&self, head: &Parts) -> Result<Request<()>, HttpError> {
        page_request::check(&head.headers)?;
        let session = self.session(&head.headers).ok_or(passbook_auth::Error::Missing)?;
        let target = head.uri.path_and_query().map_or("", PathAndQuery::as_str);
        let target = self.page_url.below(target).and_then(|below| below.strip_prefix(route::DATA));
        rest_request(head.method.clone(), target.unwrap_or_default(), &session.token, head)
    }

    fn session(&self, headers: &HeaderMap) -> Option<Session> {
        Session::read(headers, &self.cookies, &self.sealer, self.clock.unix_seconds())
    }

    /// Opens a session with a token that REST accepts. Otherwise the response is that of REST.
    async fn open_session(&self, token: String, head: &Parts, exchange: &Exchange) -> Outcome {
        let response = self.request_person(&token, head, exchange).await?;
        if response.status() != StatusCode::OK {
            return Ok(response);
        }
        let now = self.clock.unix_seconds();
        let stored = Session::new(token, now).store(&self.cookies, &self.sealer, now);
        let message = "The token is too large for a session cookie, which has room for about 2,900 bytes.";
        Ok(responses::no_content(stored.map_err(|_| page_request::invalid(message))?))
    }

    /// Sends the request for the current user to REST, which checks the token and its grant.
    async fn request_person(&self, token: &str, head: &Parts, exchange: &Exchange) -> Outcome {
        let mut request = rest_request(Method::GET, "/v1/me", token, head)?;
        let id = HeaderValue::from_str(exchange.request_id().as_str());
        request.headers_mut().insert(REQUEST_ID, id.expect("an identifier is visible ASCII"));
        Ok(Box::pin(self.rest.handle(request)).await)
    }

    fn begin_sign_in(&self, head: &Parts) -> Outcome {
        let Some(sign_in) = &self.sign_in else { return Err(HttpError::not_found(None)) };
        if !page_request::is_own_navigation(&head.headers) {
            return Ok(self.to_page("", vec![]));
        }
        let query = head.uri.query().unwrap_or_default();
        let now = self.clock.unix_seconds();
        let (location, stored) = sign_in.begin(&head.headers, query, (&self.cookies, &self.sealer), now);
        Ok(responses::redirect(&location, stored))
    }

    async fn complete_sign_in(&self, head: &Parts, exchange: &Exchange) -> Outcome {
        let Some(sign_in) = &self.sign_in else { return Err(HttpError::not_found(None)) };
        let query = head.uri.query().unwrap_or_default();
        let now = self.clock.unix_seconds();
        let browser = (&self.cookies, &self.sealer);
        let (attempt, completed) = sign_in.complete(&head.headers, query, browser, now).await;
        let mut stored: Vec<HeaderValue> = attempt.iter().map(|name| self.cookies.delete(name)).collect();
        let opened = match completed {
            Ok(signed_in) => {
                let session = self.verified_session(&signed_in.token, head, exchange).await;
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
        exchange: &Exchange,
    ) -> Result<HeaderValue, Failure> {
        let response = self.request_person(token, head, exchange).await.map_err(|_| Failure::Token)?;
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
        responses::redirect(&format!("{}/{joint}{fragment}", self.page_url.path()), stored)
    }
}

/// 401: no such sign-in code, or no longer.
fn unknown_code() -> HttpError {
    let message = "The sign-in code is wrong, was used, or is older than ten minutes. Enter a token, or start the \
                   server again for a new code.";
    HttpError::new(StatusCode::UNAUTHORIZED, "UNAUTHORIZED", message)
}
