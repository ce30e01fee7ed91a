//! Speaks REST and OpenAPI for the catalogue.
//!
//! A host makes one [`Rest`] from a service, an authenticator, what says whether it is ready, and a [`Config`]. With
//! `http` types and on any Tokio runtime it then calls [`Rest::handle_origin`] with requests as they came, or
//! [`Rest::handle`] from a framework that has cut the base address off. [`Rest::on_behalf_of`] is for callers whom the
//! host has authenticated itself. `docs/embedding.md` walks through complete hosts.
//!
//! Both are total: every request gets a response, and no operation is known here by name. The order of checks is fixed:
//! route, method, size of the head, token, parameters, and last the one transaction with grant, scope and data.

#![warn(missing_docs)]

mod base_url;
mod challenge;
mod error;
mod head;
mod health;
mod metadata;
mod openapi;
mod origin;
mod probe;
mod reply;
mod request_id;
mod route;

use std::collections::HashMap;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use auth::Authenticator;
use bytes::Bytes;
use domain::access::Credential;
use domain::readiness::Readiness;
use domain::scope::Surface;
use futures_util::FutureExt as _;
use http_body_util::Full;
use hyper::header::AUTHORIZATION;
use hyper::{Method, Request, Response};
use operations::{Service, query};

pub use base_url::BaseUrl;
pub use error::{Details, ErrorBody, ErrorObject};

use error::Refusal;
use origin::AtRoot;
use probe::Probe;
use request_id::RequestId;
use route::Route;

/// What the adapter needs to know of where it is mounted.
#[derive(Clone, Debug)]
pub struct Config {
    /// The public base address, such as `https://money.example/api`: what challenges and documents name.
    pub base_url: BaseUrl,
    /// Seconds that a request may take.
    pub request_seconds_max: u64,
}

/// The REST adapter. Cheap to clone.
#[derive(Clone)]
pub struct Rest {
    inner: Arc<Inner>,
    caller: Option<Credential>,
}

struct Inner {
    service: Service,
    authenticator: Authenticator,
    readiness: Probe,
    config: Config,
    routes: HashMap<&'static str, Route>,
    openapi: Bytes,
    metadata: Bytes,
    origin_metadata: Bytes,
}

impl std::fmt::Debug for Rest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rest").field("config", &self.inner.config).finish_non_exhaustive()
    }
}

impl Rest {
    /// The adapter over a service.
    pub fn new(
        service: Service,
        authenticator: Authenticator,
        readiness: Arc<dyn Readiness>,
        config: Config,
    ) -> Rest {
        let openapi = Bytes::from(openapi::document(&config.base_url).to_string());
        let metadata = Bytes::from(metadata::protected_resource(&config.base_url).to_string());
        let origin_metadata = Bytes::from(metadata::protected_resource(config.base_url.origin()).to_string());
        let routes = route::routes();
        let readiness = Probe::new(readiness);
        let inner =
            Inner { service, authenticator, readiness, config, routes, openapi, metadata, origin_metadata };
        Rest { inner: Arc::new(inner), caller: None }
    }

    /// The same adapter for one request of a caller whom the host has authenticated itself, by a session for example:
    /// no Authorization header is looked at. The ledger is asked through [`Surface::Rest`], and checks the grant that
    /// the credential names as it does any other.
    #[must_use]
    pub fn on_behalf_of(&self, caller: Credential) -> Rest {
        Rest { inner: self.inner.clone(), caller: Some(caller.through(Surface::Rest)) }
    }

    /// Answers a request whose path is relative to the base address. The body is never read.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Full<Bytes>> {
        let (head, _) = request.into_parts();
        let id = RequestId::of(&head.headers);
        let limit = Duration::from_secs(self.inner.config.request_seconds_max);
        let answered = tokio::time::timeout(
            limit,
            AssertUnwindSafe(self.inner.answer(&head, self.caller.as_ref())).catch_unwind(),
        )
        .await;
        let result = match answered {
            Ok(Ok(result)) => result,
            Ok(Err(_panic)) => Err(Refusal::defect("a request panicked")),
            Err(_elapsed) => Err(Refusal::timeout()),
        };
        let route = self.inner.route(&head).map_or("unknown", |(template, _)| template);
        let response = match result {
            Ok(response) => reply::finished(response, &id),
            Err(refusal) => refusal.into_response(&id, route, &self.inner.config.base_url),
        };
        tracing::info!(method = %head.method, route, status = response.status().as_u16(), request.id = id.as_str(), "answered");
        response
    }

    /// The same as a function that a hyper service can be made of.
    pub async fn serve<B>(self, request: Request<B>) -> Result<Response<Full<Bytes>>, Infallible> {
        Ok(self.handle(request).await)
    }

    /// The OpenAPI document, as served.
    pub fn openapi(&self) -> &Bytes {
        &self.inner.openapi
    }
}

impl Inner {
    async fn answer(
        &self,
        head: &hyper::http::request::Parts,
        caller: Option<&Credential>,
    ) -> Result<Response<Full<Bytes>>, Refusal> {
        let (_, route) = self.route(head).ok_or_else(Refusal::not_found)?;
        if head.method != Method::GET && head.method != Method::HEAD {
            return Err(Refusal::method_not_allowed());
        }
        head::check(head)?;
        match route {
            Route::Operation(operation) => {
                let credential = match caller {
                    Some(caller) => caller.clone(),
                    None => self.authenticate(head).await?,
                };
                let given = query::parse(head.uri.query().unwrap_or_default());
                let body = operation.answer(&self.service, &credential, &given).await?;
                Ok(reply::private(body))
            }
            Route::Health => Ok(health::health()),
            Route::Ready => Ok(health::ready(self.readiness.checks().await)),
            Route::Openapi => Ok(reply::public(self.openapi.clone())),
            Route::ProtectedResource => Ok(reply::public(self.metadata.clone())),
            Route::OriginResource => Ok(reply::public(self.origin_metadata.clone())),
        }
    }

    async fn authenticate(&self, head: &hyper::http::request::Parts) -> Result<Credential, auth::Error> {
        let authorization = head.headers.get_all(AUTHORIZATION).iter().map(|value| value.as_bytes());
        self.authenticator.authenticate(Surface::Rest, authorization).await
    }

    /// The route, and its path as it is known, for logs: never the path as sent, which may hold anything.
    fn route(&self, head: &hyper::http::request::Parts) -> Option<(&'static str, &Route)> {
        if head.extensions.get::<AtRoot>().is_some() {
            return Some((metadata::PATH, &Route::OriginResource));
        }
        self.routes.get_key_value(head.uri.path()).map(|(template, route)| (*template, route))
    }
}
