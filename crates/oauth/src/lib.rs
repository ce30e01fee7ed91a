//! Serves the OAuth discovery documents, the authorization proxy, and a vendor's domain verification. No route needs a
//! token.
//!
//! Without a [`ProviderConfig`] only personal access tokens work: the protected-resource documents name no authorization
//! server, and the documents about the provider and the proxy answer 404. `docs/oauth.md` describes the documents.

#![warn(missing_docs)]

mod apps_challenge;
mod documents;
mod openapi;
mod provider_config;
mod proxy;
mod route;

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::http::request::Parts;
use hyper::{Request, Response, StatusCode};
use serde::Serialize;
use web::openapi::PathItems;
use web::well_known::ProtectedResource;
use web::{HttpError, PublicPipeline, response};

pub use apps_challenge::AppsChallenge;
pub use provider_config::ProviderConfig;
pub use route::Route;
pub use web::BaseUrl;

use route::{Document, Routes};

/// The settings of the adapter.
#[derive(Clone, Debug)]
pub struct Config {
    /// The public base address, such as `https://money.example/api`. The documents name it.
    pub base_url: BaseUrl,
    /// Maximum duration of a request, in seconds.
    pub request_seconds_max: u64,
    /// Protected resources at paths of their own, such as the tool server. Each gets a metadata document.
    pub resources: Vec<ProtectedResource>,
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
}

impl Oauth {
    /// Creates the adapter. Without [`Oauth::with_provider`], clients cannot sign in with an identity provider.
    pub fn new(config: Config) -> Oauth {
        let inner = Inner {
            pipeline: PublicPipeline::new(config.request_seconds_max),
            routes: Routes::new(&config.base_url, &config.resources),
            config,
            provider: None,
            apps_challenge: None,
        };
        Oauth { inner: Arc::new(inner) }
    }

    /// Adds an identity provider: the discovery documents name it, and `/oauth/authorize` redirects people to it.
    #[must_use]
    pub fn with_provider(mut self, provider: ProviderConfig) -> Oauth {
        Arc::make_mut(&mut self.inner).provider = Some(provider);
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
            Document::Provider(kind) => {
                let config = self.provider()?;
                let discovery = config.discovery_document(base_url).await?;
                Ok(json(&documents::provider(kind, &discovery, config, base_url)))
            }
            Document::AuthorizationProxy => {
                let config = self.provider()?;
                let discovery = config.discovery_document(base_url).await?;
                let query = head.uri.query().unwrap_or_default();
                proxy::redirect(&discovery.authorization_endpoint, query, &config.stripped_scopes)
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
        json(&documents::ProtectedResourceMetadata::new(resource, server))
    }
}

/// Returns a JSON response that every cache may store.
fn json(document: &impl Serialize) -> Response<Full<Bytes>> {
    response::public(serde_json::to_vec(document).expect("a document has only string keys"))
}
