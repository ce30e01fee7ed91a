//! Speaks REST and OpenAPI for the catalogue.
//!
//! A host makes one [`Rest`] from a service, an authenticator, what says whether it is ready, and a [`Config`]. With
//! `http` types and on any Tokio runtime it then calls [`Rest::handle_origin`] with requests as they came, or
//! [`Rest::handle`] from a framework that has cut the base address off. [`Rest::on_behalf_of`] is for callers whom the
//! host has authenticated itself. `docs/embedding.md` walks through complete hosts.
//!
//! With [`Rest::with_sign_in`] it also says where tokens of an identity provider come from, and hands people on to it.
//!
//! Both are total: every request gets a response, and no operation is known here by name. The order of checks is fixed:
//! route, method, size of the head, token, rate limit, parameters, and last the one transaction with grant, scope and data.

#![warn(missing_docs)]

mod apps_challenge;
mod authorize;
mod health;
mod metadata;
mod openapi;
mod origin;
mod probe;
mod route;
mod sign_in;

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use auth::Authenticator;
use bytes::Bytes;
use domain::access::Credential;
use domain::readiness::Readiness;
use domain::scope::{Scope, Surface};
use http_body_util::Full;
use hyper::{Method, Request, Response, StatusCode};
use operations::{Service, query};

use tokio::time::Instant;
use web::limits::Standing;
use web::{Challenges, Refusal, RequestId, head, reply};

pub use apps_challenge::AppsChallenge;
pub use sign_in::SignIn;
pub use web::{BaseUrl, Details, ErrorBody, ErrorObject, Limits};

use probe::Probe;
use route::Route;

/// What the adapter needs to know of where it is mounted.
#[derive(Clone, Debug)]
pub struct Config {
    /// The public base address, such as `https://money.example/api`: what challenges and documents name.
    pub base_url: BaseUrl,
    /// Seconds that a request may take.
    pub request_seconds_max: u64,
    /// Whether the host mounts the tool server at `{base_url}/mcp`. If so, its protected-resource document is served
    /// here and the OpenAPI document describes it.
    pub tool_server: bool,
}

/// The REST adapter. Cheap to clone.
#[derive(Clone)]
pub struct Rest {
    inner: Arc<Inner>,
    caller: Option<Credential>,
}

#[derive(Clone)]
struct Inner {
    service: Service,
    authenticator: Authenticator,
    readiness: Arc<Probe>,
    config: Config,
    routes: HashMap<&'static str, Route>,
    openapi: Bytes,
    challenges: Challenges,
    sign_in: Option<SignIn>,
    apps_challenge: Option<AppsChallenge>,
    limits: Option<Limits>,
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
        let inner = Inner {
            openapi: openapi::document(&config, None).to_string().into(),
            challenges: challenges(&config),
            routes: route::routes(config.tool_server),
            readiness: Arc::new(Probe::new(readiness)),
            service,
            authenticator,
            config,
            sign_in: None,
            apps_challenge: None,
            limits: None,
        };
        Rest { inner: Arc::new(inner), caller: None }
    }

    /// The same adapter for clients that sign people in with an identity provider: the discovery documents name it, and
    /// `/oauth/authorize` hands people on to it. Without, those paths answer 404.
    #[must_use]
    pub fn with_sign_in(mut self, sign_in: SignIn) -> Rest {
        let inner = Arc::make_mut(&mut self.inner);
        inner.sign_in = Some(sign_in);
        self
    }

    /// The same adapter, which also proves to a vendor of assistants that the domain is its operator's.
    #[must_use]
    pub fn with_apps_challenge(mut self, challenge: AppsChallenge) -> Rest {
        let inner = Arc::make_mut(&mut self.inner);
        inner.openapi = openapi::document(&inner.config, Some(&challenge)).to_string().into();
        inner.apps_challenge = Some(challenge);
        self
    }

    /// The same adapter with limits of how much a user may ask. Without, there are none.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Rest {
        let inner = Arc::make_mut(&mut self.inner);
        inner.limits = Some(limits);
        self
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
        let deadline = Instant::now() + Duration::from_secs(self.inner.config.request_seconds_max);
        let mut standing = Standing::default();
        let answer = self.inner.answer(&head, self.caller.as_ref(), &mut standing);
        let result = web::within(deadline, answer).await.and_then(|answered| answered);
        let route = self.inner.route(&head).map_or("unknown", |(template, _)| template);
        let mut response = match result {
            Ok(response) => reply::finished(response, &id),
            Err(refusal) => refusal.into_response(&id, route, &self.inner.challenges),
        };
        standing.tell(&mut response);
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
        standing: &mut Standing,
    ) -> Result<Response<Full<Bytes>>, Refusal> {
        let (_, route) = self.route(head).ok_or_else(Refusal::not_found)?;
        if head.method != Method::GET && head.method != Method::HEAD {
            let message = "Only GET and HEAD are accepted here: every operation is a read.";
            return Err(Refusal::method_not_allowed("GET, HEAD", message));
        }
        head::check(head)?;
        match route {
            Route::Operation(operation) => {
                let credential = web::credential(&self.authenticator, Surface::Rest, caller, head).await?;
                let _admitted = match &self.limits {
                    Some(limits) => Some(limits.admit(&credential, standing).await?),
                    None => None,
                };
                let given = query::parse(head.uri.query().unwrap_or_default());
                let body = operation.answer(&self.service, &credential, &given).await?;
                Ok(reply::private(body))
            }
            Route::Health => Ok(health::health()),
            Route::Ready => Ok(health::ready(self.readiness.checks().await)),
            Route::Openapi => Ok(reply::public(self.openapi.clone())),
            Route::BaseResource => Ok(self.resource(&self.config.base_url)),
            Route::OriginResource => Ok(self.resource(self.config.base_url.origin())),
            Route::ToolsResource => Ok(self.resource(&format!("{}/mcp", self.config.base_url))),
            Route::Provider(kind) => {
                let (sign_in, base_url) = (self.sign_in()?, &self.config.base_url);
                let provider = sign_in.metadata(base_url).await?;
                let document = metadata::provider(*kind, &provider, sign_in, base_url);
                Ok(reply::public(document.to_string().into()))
            }
            Route::Authorize => {
                let sign_in = self.sign_in()?;
                let provider = sign_in.metadata(&self.config.base_url).await?;
                let query = head.uri.query().unwrap_or_default();
                authorize::redirect(&provider.authorization_endpoint, query, &sign_in.stripped_scopes)
            }
            Route::AppsChallenge => {
                self.apps_challenge.as_ref().map(AppsChallenge::reply).ok_or_else(Refusal::not_found)
            }
        }
    }

    fn sign_in(&self) -> Result<&SignIn, Refusal> {
        let message = "No identity provider is configured here: only personal access tokens work.";
        self.sign_in.as_ref().ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, "NOT_FOUND", message))
    }

    /// The protected-resource document of an address of this service.
    fn resource(&self, resource: &str) -> Response<Full<Bytes>> {
        let server = self.sign_in.as_ref().map(|sign_in| sign_in.authorization_server(&self.config.base_url));
        reply::public(metadata::protected_resource(resource, server).to_string().into())
    }

    /// The route, and its path as it is known, for logs: never the path as sent, which may hold anything.
    fn route(&self, head: &hyper::http::request::Parts) -> Option<(&'static str, &Route)> {
        if let Some(place) = origin::root(head) {
            return Some(place);
        }
        self.routes.get_key_value(head.uri.path()).map(|(template, route)| (*template, route))
    }
}

/// What the challenges of this adapter name.
///
/// A missing scope is always named: programs that call REST do not sign people in again by themselves, as assistants
/// do, and whoever reads the answer learns what to enable.
fn challenges(config: &Config) -> Challenges {
    Challenges::new(format!("{}{}", config.base_url, web::metadata::PATH), Scope::ALL.to_vec())
}
