//! Serves the OAuth discovery documents, the authorization proxy, and a vendor's domain verification. No route needs a
//! token.
//!
//! ```no_run
//! use passbook_oauth::{BaseUrl, Config, Oauth};
//!
//! # fn main() -> Result<(), passbook_domain::Invalid> {
//! let documents = Oauth::new(Config::new(BaseUrl::parse("https://money.example/api")?));
//! assert!(documents.route("/.well-known/oauth-protected-resource").is_some());
//! # Ok(())
//! # }
//! ```
//!
//! Without an identity provider only personal access tokens work: the protected-resource documents name no authorization
//! server, and the documents about the provider and the proxy answer 404. The feature `provider` adds
//! `Oauth::with_provider`, and with it an HTTPS client. `docs/oauth.md` describes the documents.

mod apps_challenge;
mod documents;
mod openapi;
#[cfg(feature = "provider")]
mod provider_config;
#[cfg(feature = "provider")]
mod provider_responses;
#[cfg(not(feature = "provider"))]
#[path = "without_provider.rs"]
mod provider_responses;
#[cfg(feature = "provider")]
mod proxy;
mod route;

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::http::request::Parts;
use hyper::{Request, Response, StatusCode};
use passbook_web::openapi::PathItems;
use passbook_web::well_known::ProtectedResource;
use passbook_web::{HttpError, PublicPipeline, RequestObserver};

/// The crates of the requests and responses that [`Oauth`] handles.
pub use {bytes, http_body_util, hyper};

pub use apps_challenge::AppsChallenge;
pub use passbook_web::BaseUrl;
#[cfg(feature = "provider")]
pub use provider_config::ProviderConfig;
pub use route::Route;

#[cfg(not(feature = "provider"))]
use provider_responses::ProviderConfig;
use route::{Document, Routes};

/// The settings of the adapter.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The public base address, such as `https://money.example/api`. The documents name it.
    pub base_url: BaseUrl,
    /// Maximum duration of a request, in seconds.
    pub request_seconds_max: u64,
    /// Protected resources at paths of their own, such as the tool server. Each gets a metadata document.
    pub resources: Vec<ProtectedResource>,
}

impl Config {
    /// Creates settings with a limit of 10 seconds per request, and without protected resources at paths of their own.
    pub fn new(base_url: BaseUrl) -> Config {
        let request_seconds_max = passbook_web::REQUEST_SECONDS_MAX_DEFAULT;
        Config { base_url, request_seconds_max, resources: Vec::new() }
    }

    /// Sets the maximum duration of a request, in seconds.
    #[must_use]
    pub fn with_request_seconds_max(self, request_seconds_max: u64) -> Config {
        Config { request_seconds_max, ..self }
    }

    /// Adds a protected resource at a path of its own, such as the tool server.
    #[must_use]
    pub fn with_resource(mut self, resource: ProtectedResource) -> Config {
        self.resources.push(resource);
        self
    }
}

/// The OAuth adapter. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Oauth {
    inner: Arc<Inner>,
}

#[derive(Clone, Debug)]
struct Inner {
    pipeline: PublicPipeline,
    config: Config,
    routes: Routes,
    provider: Option<ProviderConfig>,
    apps_challenge: Option<AppsChallenge>,
    resource_name: String,
}

/// The default name of the protected resources.
const RESOURCE_NAME: &str = "Passbook";

impl Oauth {
    /// Creates the adapter. Without `Oauth::with_provider`, clients cannot sign in with an identity provider.
    pub fn new(config: Config) -> Oauth {
        let inner = Inner {
            pipeline: PublicPipeline::new(config.request_seconds_max),
            routes: Routes::new(&config.base_url, &config.resources),
            config,
            provider: None,
            apps_challenge: None,
            resource_name: RESOURCE_NAME.to_owned(),
        };
        Oauth { inner: Arc::new(inner) }
    }

    /// Adds an identity provider: the discovery documents name it, and `/oauth/authorize` redirects people to it.
    #[cfg(feature = "provider")]
    #[must_use]
    pub fn with_provider(mut self, provider: ProviderConfig) -> Oauth {
        Arc::make_mut(&mut self.inner).provider = Some(provider);
        self
    }

    /// Sets the name of the protected resources for people (RFC 9728 section 2, `resource_name`), which a page of consent
    /// shows. The default is `Passbook`.
    #[must_use]
    pub fn with_resource_name(mut self, name: impl Into<String>) -> Oauth {
        Arc::make_mut(&mut self.inner).resource_name = name.into();
        self
    }

    /// Adds the domain verification of a vendor of assistants.
    #[must_use]
    pub fn with_apps_challenge(mut self, challenge: AppsChallenge) -> Oauth {
        let inner = Arc::make_mut(&mut self.inner);
        inner.routes.insert_apps_challenge(challenge.path());
        inner.apps_challenge = Some(challenge);
        self
    }

    /// Adds an observer of all requests of this adapter.
    #[must_use]
    pub fn with_observer(mut self, observer: Arc<dyn RequestObserver>) -> Oauth {
        let inner = Arc::make_mut(&mut self.inner);
        inner.pipeline = inner.pipeline.clone().with_observer(observer);
        self
    }

    /// Returns the route with this path of the origin; `None` if this adapter has no such route.
    pub fn route(&self, path: &str) -> Option<Route> {
        self.inner.routes.find(path)
    }

    /// Handles a request whose route [`Oauth::route`] has found. The body is never read.
    pub async fn handle_route<B>(&self, route: Route, request: Request<B>) -> Response<Full<Bytes>> {
        let (head, _) = request.into_parts();
        let respond = |_| self.inner.respond(route.document(), &head);
        self.inner.pipeline.run(&head, route.endpoint(), respond).await
    }

    /// The OpenAPI description of this adapter's routes.
    pub fn openapi_paths(&self) -> PathItems {
        let Inner { config, apps_challenge, .. } = &*self.inner;
        openapi::paths(&config.base_url, &config.resources, apps_challenge.as_ref())
    }
}

impl Inner {
    async fn respond(&self, document: Document, head: &Parts) -> Result<Response<Full<Bytes>>, HttpError> {
        let base_url = &self.config.base_url;
        match document {
            Document::OriginResource => Ok(self.protected_resource(base_url.origin())),
            Document::BaseResource => Ok(self.protected_resource(base_url)),
            Document::Resource(path) => Ok(self.protected_resource(&format!("{base_url}{path}"))),
            Document::Provider(kind) => provider_responses::document(self.provider()?, kind, base_url).await,
            Document::AuthorizationProxy => {
                let query = head.uri.query().unwrap_or_default();
                provider_responses::redirect(self.provider()?, query, base_url).await
            }
            Document::AppsChallenge => {
                let challenge = self.apps_challenge.as_ref().map(AppsChallenge::response);
                challenge.ok_or_else(|| HttpError::not_found(None))
            }
        }
    }

    fn provider(&self) -> Result<&ProviderConfig, HttpError> {
        let message = "No identity provider is configured here: only personal access tokens work.";
        self.provider.as_ref().ok_or_else(|| HttpError::new(StatusCode::NOT_FOUND, "NOT_FOUND", message))
    }

    /// Returns the response with the metadata of the protected resource at the address `resource`.
    fn protected_resource(&self, resource: &str) -> Response<Full<Bytes>> {
        let server =
            self.provider.as_ref().map(|provider| provider.authorization_server(&self.config.base_url));
        documents::json(&documents::ProtectedResourceMetadata::new(resource, &self.resource_name, server))
    }
}
