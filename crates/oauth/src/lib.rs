//! Serves the OAuth discovery documents, the authorization proxy, and a vendor's domain verification. No endpoint needs a
//! token.
//!
//! ```no_run
//! use passbook_oauth::{Oauth, Pipeline, Router};
//!
//! fn documents(pipeline: &Pipeline) -> Router {
//!     Router::new(pipeline, Oauth::new(pipeline).endpoints())
//! }
//! ```
//!
//! Without an identity provider only personal access tokens work: the protected-resource documents name no authorization
//! server, and the documents about the provider and the proxy answer 404. The feature `provider` adds
//! `Oauth::with_provider`, and with it an HTTPS client. `docs/oauth.md` describes the documents.
//!
//! The documents have paths below the base address. Clients also request them at the root of the origin: at the
//! well-known path followed by the path of the base address (RFC 9728 section 3.1, RFC 8414 section 3.1), and at the
//! well-known path alone.

mod apps_challenge;
mod openapi;
#[cfg(feature = "provider")]
mod provider;
#[cfg(feature = "provider")]
mod proxy;

use std::future::ready;

use hyper::StatusCode;
use passbook_auth::authorization_proxy::AUTHORIZE_PATH;
use passbook_domain::scope::Surface;
use passbook_web::openapi::PathItems;
use passbook_web::{
    AUTHORIZATION_SERVER, Adapter, Endpoint, HandlerResult, HttpError, Methods, OPENID_CONFIGURATION,
    PROTECTED_RESOURCE, ProtectedResource, response,
};
use serde::Serialize;

/// The crates of the requests and responses that an adapter handles.
pub use {bytes, http_body_util, hyper};

pub use apps_challenge::AppsChallenge;
pub use passbook_web::{BaseUrl, Pipeline, PipelineConfig, Router};
#[cfg(feature = "provider")]
pub use provider::ProviderConfig;

/// The documents that are served below the base address and at the root of the origin.
pub(crate) const ROOT_DOCUMENTS: [&str; 3] = [PROTECTED_RESOURCE, AUTHORIZATION_SERVER, OPENID_CONFIGURATION];
/// The paths that need an identity provider.
const PROVIDER_PATHS: [&str; 3] = [AUTHORIZATION_SERVER, OPENID_CONFIGURATION, AUTHORIZE_PATH];
/// The default name of the protected resources.
const RESOURCE_NAME: &str = "Passbook";

/// The OAuth adapter. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Oauth {
    pipeline: Pipeline,
    /// Protected resources at paths of their own, such as the tool server. Each has a metadata document.
    resources: Vec<ProtectedResource>,
    #[cfg(feature = "provider")]
    provider: Option<ProviderConfig>,
    apps_challenge: Option<AppsChallenge>,
    resource_name: String,
}

/// The metadata document of a protected resource. Its member `resource` is the address for which an access token must
/// be issued.
#[derive(Debug, Serialize)]
struct ProtectedResourceMetadata<'a> {
    /// The issuer of access tokens. Absent without an identity provider: then only personal access tokens work.
    #[serde(skip_serializing_if = "Option::is_none")]
    authorization_servers: Option<[&'a str; 1]>,
    bearer_methods_supported: [&'static str; 1],
    resource: &'a str,
    resource_name: &'a str,
    scopes_supported: [&'static str; 3],
}

impl Oauth {
    /// Creates the adapter. Without `Oauth::with_provider`, clients cannot sign in with an identity provider.
    pub fn new(pipeline: &Pipeline) -> Oauth {
        Oauth {
            pipeline: pipeline.clone(),
            resources: Vec::new(),
            #[cfg(feature = "provider")]
            provider: None,
            apps_challenge: None,
            resource_name: RESOURCE_NAME.to_owned(),
        }
    }

    /// Adds a protected resource at a path of its own, such as the tool server.
    #[must_use]
    pub fn with_resource(mut self, resource: ProtectedResource) -> Oauth {
        self.resources.push(resource);
        self
    }

    /// Adds an identity provider: the discovery documents name it, and `/oauth/authorize` redirects people to it.
    #[cfg(feature = "provider")]
    #[must_use]
    pub fn with_provider(self, provider: ProviderConfig) -> Oauth {
        Oauth { provider: Some(provider), ..self }
    }

    /// Sets the name of the protected resources for people (RFC 9728 section 2, `resource_name`), which a page of consent
    /// shows. The default is `Passbook`.
    #[must_use]
    pub fn with_resource_name(self, name: impl Into<String>) -> Oauth {
        Oauth { resource_name: name.into(), ..self }
    }

    /// Adds the domain verification of a vendor of assistants.
    #[must_use]
    pub fn with_apps_challenge(self, challenge: AppsChallenge) -> Oauth {
        Oauth { apps_challenge: Some(challenge), ..self }
    }

    /// Returns the endpoints of all documents and of the proxy. No handler reads the body of a request.
    pub fn endpoints(&self) -> Vec<Endpoint> {
        let adapter = self.pipeline.adapter(Surface::Rest, None);
        let base_url = self.pipeline.base_url();
        // At the root of the origin, this document describes the origin as a resource. If the base address is the origin,
        // both documents are the same.
        let mut endpoints = vec![
            self.protected_resource(&adapter, PROTECTED_RESOURCE, base_url.origin()).at(PROTECTED_RESOURCE),
        ];
        let mut below_base = vec![self.protected_resource(&adapter, PROTECTED_RESOURCE, base_url)];
        for resource in &self.resources {
            let address = format!("{base_url}{}", resource.path);
            below_base.push(self.protected_resource(&adapter, resource.metadata_path, &address));
        }
        for endpoint in PROVIDER_PATHS.map(|template| self.provider_endpoint(&adapter, template)) {
            if ROOT_DOCUMENTS.contains(&endpoint.template()) {
                endpoints.push(endpoint.clone().at(endpoint.template()));
            }
            below_base.push(endpoint);
        }
        for endpoint in below_base {
            let template = endpoint.template();
            for root in ROOT_DOCUMENTS {
                if let Some(rest) = template.strip_prefix(root) {
                    endpoints.push(endpoint.clone().at(format!("{root}{}{rest}", base_url.path())));
                }
            }
            endpoints.push(endpoint);
        }
        endpoints.extend(self.apps_challenge.iter().map(|challenge| {
            let response = challenge.clone();
            let handler = move |_| ready(Ok(response.response()));
            adapter.public(AppsChallenge::TEMPLATE, Methods::READ, handler).at(challenge.path())
        }));
        endpoints
    }

    /// Returns the OpenAPI description of this adapter's endpoints.
    pub fn openapi_paths(&self) -> PathItems {
        openapi::paths(self.pipeline.base_url(), &self.resources, self.apps_challenge.as_ref())
    }

    /// Returns the endpoint of the metadata of the protected resource at the address `resource`.
    fn protected_resource(&self, adapter: &Adapter, template: &'static str, resource: &str) -> Endpoint {
        #[cfg(feature = "provider")]
        let server =
            self.provider.as_ref().map(|provider| provider.authorization_server(self.pipeline.base_url()));
        #[cfg(not(feature = "provider"))]
        let server = None;
        let document = document(&ProtectedResourceMetadata {
            authorization_servers: server.map(|server| [server]),
            bearer_methods_supported: ["header"],
            resource,
            resource_name: &self.resource_name,
            // Clients request every scope that is listed here, so only scopes that all providers know are listed.
            scopes_supported: ["openid", "email", "profile"],
        });
        adapter.public(template, Methods::READ, move |_| ready(Ok(response::public(document.clone()))))
    }

    /// Returns an endpoint that needs the identity provider.
    fn provider_endpoint(&self, adapter: &Adapter, template: &'static str) -> Endpoint {
        #[cfg(feature = "provider")]
        if let Some(config) = &self.provider {
            return provider::endpoint(adapter, template, config, self.pipeline.base_url());
        }
        adapter.public(template, Methods::READ, |_| ready(without_provider()))
    }
}

fn without_provider() -> HandlerResult {
    let message = "No identity provider is configured here: only personal access tokens work.";
    Err(HttpError::new(StatusCode::NOT_FOUND, "NOT_FOUND", message))
}

/// Writes a document.
fn document(document: &impl Serialize) -> bytes::Bytes {
    serde_json::to_vec(document).expect("a document has only string keys").into()
}
