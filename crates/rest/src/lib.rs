//! Speaks REST and OpenAPI for the catalogue.
//!
//! [`Rest::handle`] is total: every request gets a response, and no operation is known here by name. Paths are
//! relative to the base address, so a host mounts it under any prefix. The order of checks is fixed: route, method,
//! size of the head, token, parameters, and last the one transaction with grant, scope and data.

mod challenge;
mod error;
mod head;
mod health;
mod metadata;
mod openapi;
mod query;
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
use domain::scope::Surface;
use futures_util::FutureExt as _;
use http_body_util::Full;
use hyper::header::AUTHORIZATION;
use hyper::{Method, Request, Response};
use operations::Service;

pub use error::{Details, ErrorBody, ErrorObject};
pub use health::{Check, Readiness};

use error::Refusal;
use request_id::RequestId;
use route::{Route, Routes};

/// What the adapter needs to know of where it is mounted.
#[derive(Clone, Debug)]
pub struct Config {
    /// The public base address, without a trailing slash, such as `https://money.example/api`.
    pub base_url: String,
    /// Seconds that a request may take.
    pub request_seconds_max: u64,
}

/// The REST adapter. Cheap to clone.
#[derive(Clone)]
pub struct Rest {
    inner: Arc<Inner>,
}

struct Inner {
    service: Service,
    authenticator: Authenticator,
    readiness: Arc<dyn Readiness>,
    config: Config,
    routes: HashMap<&'static str, Route>,
    openapi: Bytes,
    metadata: Bytes,
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
        let routes = Routes::of_catalogue();
        Rest {
            inner: Arc::new(Inner { service, authenticator, readiness, config, routes, openapi, metadata }),
        }
    }

    /// Answers a request whose path is relative to the base address. The body is never read.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Full<Bytes>> {
        let (head, _) = request.into_parts();
        let id = RequestId::of(&head.headers);
        let limit = Duration::from_secs(self.inner.config.request_seconds_max);
        let answered =
            tokio::time::timeout(limit, AssertUnwindSafe(self.inner.answer(&head)).catch_unwind()).await;
        let result = match answered {
            Ok(Ok(result)) => result,
            Ok(Err(_panic)) => Err(Refusal::defect("a request panicked")),
            Err(_elapsed) => Err(Refusal::timeout()),
        };
        let route = self.inner.template(head.uri.path());
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
    async fn answer(&self, head: &hyper::http::request::Parts) -> Result<Response<Full<Bytes>>, Refusal> {
        let route = self.routes.get(head.uri.path()).ok_or_else(Refusal::not_found)?;
        if head.method != Method::GET && head.method != Method::HEAD {
            return Err(Refusal::method_not_allowed());
        }
        head::check(head)?;
        match route {
            Route::Operation(call) => {
                let authorization = head.headers.get_all(AUTHORIZATION).iter().map(|value| value.as_bytes());
                let credential = self.authenticator.authenticate(authorization).await?.through(Surface::Rest);
                let given = query::parse(head.uri.query().unwrap_or_default());
                let body = call(&self.service, &credential, &given).await?;
                Ok(reply::private(body))
            }
            Route::Health => Ok(health::health()),
            Route::Ready => Ok(health::ready(self.readiness.checks().await)),
            Route::Openapi => Ok(reply::public(self.openapi.clone())),
            Route::ProtectedResource => Ok(reply::public(self.metadata.clone())),
        }
    }

    /// The route as it is known, for logs: never the path as sent, which may hold anything.
    fn template(&self, path: &str) -> &'static str {
        self.routes.get_key_value(path).map_or("unknown", |(template, _)| template)
    }
}
