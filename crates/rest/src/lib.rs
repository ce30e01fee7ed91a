//! Serves the catalogue as REST, and describes everything that is served over HTTP as OpenAPI.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use passbook_domain::readiness::Readiness;
//! use passbook_rest::{BaseUrl, Config, Rest};
//!
//! fn adapter(
//!     service: passbook_operations::Service,
//!     authenticator: passbook_auth::Authenticator,
//!     readiness: Arc<dyn Readiness>,
//! ) -> Result<Rest, passbook_domain::Invalid> {
//!     let config = Config::new(BaseUrl::parse("https://money.example/api")?);
//!     Ok(Rest::new(service, authenticator, readiness, config))
//! }
//! ```
//!
//! A host creates one [`Rest`] from a service, an authenticator, readiness checks and a [`Config`]. On any Tokio runtime
//! it then passes `http` requests to [`Rest::handle_origin`], or to [`Rest::handle`] from a framework that has removed
//! the base address from the path. [`Rest::on_behalf_of`] is for callers that the host has authenticated.
//! `docs/embedding.md` walks through complete hosts.
//!
//! Every request gets a response. The adapter names no operation: its routes come from the catalogue.

mod health;
mod openapi;
mod readiness_cache;
mod route;
mod start_page;

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::http::request::Parts;
use hyper::{Request, Response};
use passbook_auth::Authenticator;
use passbook_domain::access::Credential;
use passbook_domain::readiness::Readiness;
use passbook_domain::scope::{Scope, Surface};
use passbook_operations::{Catalogue, Service};
use passbook_web::openapi::PathItems;
use passbook_web::{ChallengeConfig, Pipeline, PipelineConfig, query_string, response, well_known};

/// The crates of the requests and responses that [`Rest`] handles.
pub use {bytes, http_body_util, hyper};

pub use passbook_web::{
    AnsweredRequest, BaseUrl, ClientAddress, Details, ErrorBody, ErrorObject, HostSignIn, HttpError,
    RateLimiter, RequestObserver, bad_head_response, rate_limit, shed_response,
};
pub use route::Route;
pub use start_page::DocumentationPage;

use openapi::Described;
use readiness_cache::ReadinessCache;
use route::{PublicResource, Resource, Routes};

/// The default title of the service.
const TITLE: &str = "Passbook";

/// Settings of the REST adapter.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The public base address, such as `https://money.example/api`. Challenges and the OpenAPI document name it.
    pub base_url: BaseUrl,
    /// Maximum duration of a request, in seconds.
    pub request_seconds_max: u64,
    /// Scopes that a client can request when it signs in. Challenges name no other data scope.
    pub requestable_scopes: Vec<Scope>,
}

impl Config {
    /// Creates settings with a limit of 10 seconds per request, and without scopes that a client can request.
    pub fn new(base_url: BaseUrl) -> Config {
        let request_seconds_max = passbook_web::REQUEST_SECONDS_MAX_DEFAULT;
        Config { base_url, request_seconds_max, requestable_scopes: Vec::new() }
    }

    /// Sets the maximum duration of a request, in seconds.
    #[must_use]
    pub fn with_request_seconds_max(self, request_seconds_max: u64) -> Config {
        Config { request_seconds_max, ..self }
    }

    /// Sets the scopes that a client can request when it signs in.
    #[must_use]
    pub fn with_requestable_scopes(self, requestable_scopes: Vec<Scope>) -> Config {
        Config { requestable_scopes, ..self }
    }
}

/// The REST adapter. Cheap to clone.
#[derive(Clone)]
pub struct Rest {
    pipeline: Pipeline,
    inner: Arc<Inner>,
}

#[derive(Clone)]
struct Inner {
    readiness: Arc<ReadinessCache>,
    config: Config,
    catalogue: Catalogue,
    routes: Routes,
    /// The title of the service in the OpenAPI document and on the start page.
    title: String,
    host_sign_in: Option<HostSignIn>,
    /// The paths of other adapters, which the OpenAPI document describes too.
    other_paths: PathItems,
    /// The documentation that the host serves beside the API.
    documentation: &'static [DocumentationPage],
    openapi: Bytes,
}

impl std::fmt::Debug for Rest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rest").field("config", &self.inner.config).finish_non_exhaustive()
    }
}

impl Rest {
    /// Creates the adapter, which runs operations with `service`.
    pub fn new(
        service: Service,
        authenticator: Authenticator,
        readiness: Arc<dyn Readiness>,
        config: Config,
    ) -> Rest {
        let mut pipeline = PipelineConfig::new(Surface::Rest, config.request_seconds_max);
        pipeline.challenges = challenges(&config);
        pipeline.openapi_path = Some(config.base_url.openapi_path());
        let catalogue = Catalogue::default();
        let mut inner = Inner {
            readiness: Arc::new(ReadinessCache::new(readiness)),
            routes: Routes::new(&catalogue),
            catalogue,
            title: TITLE.to_owned(),
            host_sign_in: None,
            other_paths: PathItems::new(),
            documentation: &[],
            openapi: Bytes::new(),
            config,
        };
        inner.describe();
        Rest { pipeline: Pipeline::new(service, authenticator, pipeline), inner: Arc::new(inner) }
    }

    /// Adds the routes of another adapter to the OpenAPI document.
    #[must_use]
    pub fn with_openapi_paths(mut self, paths: PathItems) -> Rest {
        let inner = Arc::make_mut(&mut self.inner);
        inner.other_paths.extend(paths);
        inner.describe();
        self
    }

    /// Serves pages of documentation at the origin, and links them from the start page.
    #[must_use]
    pub fn with_documentation(mut self, pages: &'static [DocumentationPage]) -> Rest {
        let inner = Arc::make_mut(&mut self.inner);
        inner.documentation = pages;
        inner.describe();
        self
    }

    /// Serves the operations of `catalogue`, in place of all operations of Passbook.
    #[must_use]
    pub fn with_operations(mut self, catalogue: &Catalogue) -> Rest {
        let inner = Arc::make_mut(&mut self.inner);
        inner.routes = Routes::new(catalogue);
        inner.catalogue = catalogue.clone();
        inner.describe();
        self
    }

    /// Sets the title of the service in the OpenAPI document and on the start page. The default is `Passbook`.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Rest {
        let inner = Arc::make_mut(&mut self.inner);
        inner.title = title.into();
        inner.describe();
        self
    }

    /// Adds the sign-in of a host with sessions of its own: the 401 response to a caller without a session, and the
    /// security scheme of the OpenAPI document. The host passes callers with a session to [`Rest::on_behalf_of`].
    #[must_use]
    pub fn with_host_sign_in(mut self, sign_in: HostSignIn) -> Rest {
        let inner = Arc::make_mut(&mut self.inner);
        inner.host_sign_in = Some(sign_in.clone());
        inner.describe();
        Rest { pipeline: self.pipeline.with_host_sign_in(sign_in), ..self }
    }

    /// Adds an observer of all requests of this adapter.
    #[must_use]
    pub fn with_observer(self, observer: Arc<dyn RequestObserver>) -> Rest {
        Rest { pipeline: self.pipeline.with_observer(observer), ..self }
    }

    /// Adds per-user rate and concurrency limits. Without a limiter there are none.
    #[must_use]
    pub fn with_rate_limiter(self, rate_limiter: RateLimiter) -> Rest {
        Rest { pipeline: self.pipeline.with_rate_limiter(rate_limiter), ..self }
    }

    /// Returns an adapter for the requests of a caller that the host has authenticated, by a session for example. It
    /// ignores the `Authorization` header. The ledger still checks the grant that the credential names, for
    /// [`Surface::Rest`].
    #[must_use]
    pub fn on_behalf_of(&self, caller: Credential) -> Rest {
        Rest { pipeline: self.pipeline.on_behalf_of(caller), inner: self.inner.clone() }
    }

    /// Returns the route with this path of the origin, or `None` if the path is not below the base address. Every path
    /// below the base address has a route: the route of an unknown path gives a 404 response. A host with several
    /// adapters therefore tries the others first.
    pub fn route(&self, path: &str) -> Option<Route> {
        self.inner.config.base_url.below(path).map(|below| self.inner.routes.find(below))
    }

    /// Handles a request with the path of the origin. The path `/` gets a page that names the base address, and the paths
    /// of the documentation get its pages. Other paths outside the base address get a 404 response. The body is never
    /// read.
    pub async fn handle_origin<B>(&self, request: Request<B>) -> Response<Full<Bytes>> {
        let route = match request.uri().path() {
            start_page::PATH => Route::START_PAGE,
            path => self.route(path).or_else(|| self.documentation(path)).unwrap_or(Route::UNKNOWN),
        };
        self.handle_route(route, request).await
    }

    /// Handles a request whose path is relative to the base address. The body is never read.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Full<Bytes>> {
        let route = self.inner.routes.find(request.uri().path());
        self.handle_route(route, request).await
    }

    /// Calls [`Rest::handle`]. This form can be passed to a hyper service.
    pub async fn serve<B>(self, request: Request<B>) -> Result<Response<Full<Bytes>>, Infallible> {
        Ok(self.handle(request).await)
    }

    /// Handles a request whose route [`Rest::route`] has found. The body is never read.
    pub async fn handle_route<B>(&self, route: Route, request: Request<B>) -> Response<Full<Bytes>> {
        let (head, _) = request.into_parts();
        let (head, pipeline) = (&head, &self.pipeline);
        let Some((endpoint, resource)) = route.found() else {
            return pipeline.public().not_found(head).await;
        };
        match resource {
            Resource::Operation(entry) => {
                let execute = |exchange| async move {
                    let caller = pipeline.authenticate(&exchange, head).await?;
                    let parameters = query_string::parse(head.uri.query().unwrap_or_default());
                    Ok(response::private(caller.execute(&entry, &parameters).await?))
                };
                pipeline.run(head, endpoint, execute).await
            }
            Resource::Public(resource) => {
                let respond = |_| async move { Ok(self.inner.respond(resource, head).await) };
                pipeline.public().run(head, endpoint, respond).await
            }
        }
    }

    fn documentation(&self, path: &str) -> Option<Route> {
        let page = self.inner.documentation.iter().find(|page| page.path == path);
        page.copied().map(Route::documentation)
    }

    /// Makes `/ready` fail from now on, at all clones, because the host is about to stop. Other requests are answered as
    /// before.
    pub fn announce_stop(&self) {
        self.inner.readiness.stop();
    }

    /// Returns the OpenAPI document as it is served.
    pub fn openapi(&self) -> &Bytes {
        &self.inner.openapi
    }
}

impl Inner {
    /// Generates the OpenAPI document anew.
    fn describe(&mut self) {
        self.openapi = openapi::document(&Described {
            base_url: &self.config.base_url,
            catalogue: &self.catalogue,
            title: &self.title,
            host_sign_in: self.host_sign_in.as_ref(),
            other_paths: &self.other_paths,
            documentation: self.documentation,
        });
    }

    async fn respond(&self, resource: PublicResource, head: &Parts) -> Response<Full<Bytes>> {
        match resource {
            PublicResource::Health => health::health(),
            PublicResource::Readiness => health::ready(self.readiness.checks().await),
            PublicResource::Openapi => response::public(self.openapi.clone()),
            PublicResource::StartPage => {
                start_page::respond(&self.config.base_url, &self.title, self.documentation, &head.headers)
            }
            PublicResource::Documentation(page) => start_page::documentation(page),
        }
    }
}

/// Returns the settings for this adapter's challenges.
fn challenges(config: &Config) -> ChallengeConfig {
    let metadata = format!("{}{}", config.base_url, well_known::PROTECTED_RESOURCE);
    ChallengeConfig::new(metadata, config.requestable_scopes.clone())
}
