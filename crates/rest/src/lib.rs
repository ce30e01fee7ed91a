//! Serves the catalogue as REST, and describes everything that is served over HTTP as OpenAPI.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use passbook_domain::readiness::Readiness;
//! use passbook_rest::{Pipeline, Rest, Router};
//!
//! fn router(pipeline: &Pipeline, readiness: Arc<dyn Readiness>) -> Router {
//!     Router::new(pipeline, Rest::new(pipeline, readiness).endpoints())
//! }
//! ```
//!
//! A host creates one [`Pipeline`] from a service, an authenticator and a [`PipelineConfig`], and passes it to its adapters.
//! On any Tokio runtime it then passes `http` requests to the [`Router`] with the endpoints of all adapters.
//! `docs/embedding.md` walks through complete hosts.
//!
//! Every request gets a response. The adapter names no operation: its endpoints come from the catalogue.

mod openapi;
mod readiness;
mod start_page;

use std::sync::Arc;

use bytes::Bytes;
use passbook_domain::readiness::Readiness;
use passbook_domain::scope::Surface;
use passbook_operations::{Catalogue, CatalogueEntry};
use passbook_web::openapi::{OPENAPI_PATH, PathItems};
use passbook_web::{Adapter, Endpoint, Methods, PROTECTED_RESOURCE, query_string, response};

/// The crates of the requests and responses that an adapter handles.
pub use {bytes, http_body_util, hyper};

pub use passbook_web::{
    AnsweredRequest, BaseUrl, ClientAddress, Details, ErrorBody, ErrorObject, HostCaller, HostSignIn,
    HttpError, Pipeline, PipelineConfig, RateLimiter, RequestObserver, Route, Router, bad_head_response,
    rate_limit, shed_response,
};
pub use start_page::DocumentationPage;

use openapi::Described;
use readiness::ReadinessCache;
use start_page::StartPage;

/// The default title of the service.
const TITLE: &str = "Passbook";

/// The REST adapter. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Rest {
    pipeline: Pipeline,
    readiness: Arc<ReadinessCache>,
    catalogue: Catalogue,
    /// The title of the service in the OpenAPI document and on the start page.
    title: String,
    /// The paths of other adapters, which the OpenAPI document describes too.
    other_paths: PathItems,
    /// The documentation that the host serves beside the API.
    documentation: &'static [DocumentationPage],
}

impl Rest {
    /// Creates the adapter.
    pub fn new(pipeline: &Pipeline, readiness: Arc<dyn Readiness>) -> Rest {
        Rest {
            pipeline: pipeline.clone(),
            readiness: Arc::new(ReadinessCache::new(readiness)),
            catalogue: Catalogue::default(),
            title: TITLE.to_owned(),
            other_paths: PathItems::new(),
            documentation: &[],
        }
    }

    /// Adds the paths of another adapter to the OpenAPI document.
    #[must_use]
    pub fn with_openapi_paths(mut self, paths: PathItems) -> Rest {
        self.other_paths.extend(paths);
        self
    }

    /// Serves pages of documentation at the origin, and links them from the start page.
    #[must_use]
    pub fn with_documentation(self, documentation: &'static [DocumentationPage]) -> Rest {
        Rest { documentation, ..self }
    }

    /// Serves the operations of `catalogue`, in place of all operations of Passbook.
    #[must_use]
    pub fn with_operations(self, catalogue: &Catalogue) -> Rest {
        Rest { catalogue: catalogue.clone(), ..self }
    }

    /// Sets the title of the service in the OpenAPI document and on the start page. The default is `Passbook`.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Rest {
        Rest { title: title.into(), ..self }
    }

    /// Makes `/ready` fail from now on, at all clones, because the host is about to stop. Other requests are answered as
    /// before.
    pub fn announce_stop(&self) {
        self.readiness.stop();
    }

    /// Generates the OpenAPI document.
    pub fn openapi(&self) -> Bytes {
        openapi::document(&Described {
            base_url: self.pipeline.base_url(),
            catalogue: &self.catalogue,
            title: &self.title,
            host_sign_in: self.pipeline.sign_in(),
            other_paths: &self.other_paths,
            documentation: self.documentation,
        })
    }

    /// Returns the endpoints of all operations and documents. No handler reads the body of a request.
    pub fn endpoints(&self) -> Vec<Endpoint> {
        let adapter = self.pipeline.adapter(Surface::Rest, Some(PROTECTED_RESOURCE));
        let readiness = self.readiness.clone();
        let pipeline = self.pipeline.clone();
        let ready = move |_| {
            let (readiness, pipeline) = (readiness.clone(), pipeline.clone());
            async move { Ok(readiness::ready(readiness.checks().await, pipeline.has_only_defects())) }
        };
        let document = self.openapi();
        let openapi = move |_| std::future::ready(Ok(response::public(document.clone())));
        let page = Arc::new(StartPage::new(self.pipeline.base_url(), &self.title, self.documentation));
        let start_page = move |received: passbook_web::Received| {
            std::future::ready(Ok(page.respond(&received.head.headers)))
        };
        let mut endpoints = vec![
            adapter.public("/health", Methods::READ, |_| std::future::ready(Ok(readiness::health()))),
            adapter.public("/ready", Methods::READ, ready),
            adapter.public(OPENAPI_PATH, Methods::READ, openapi),
            adapter.public(start_page::PATH, Methods::READ, start_page).at(start_page::PATH),
        ];
        endpoints.extend(self.documentation.iter().map(|page| {
            // With the type `text/markdown`, browsers would store the page as a file instead of showing it.
            let text = page.text;
            let respond = move |_| std::future::ready(Ok(response::private_text(text)));
            adapter.public(page.path, Methods::READ, respond).at(page.path)
        }));
        endpoints.extend(self.catalogue.entries().iter().map(|entry| operation(&adapter, *entry)));
        endpoints
    }
}

/// Returns the endpoint of an operation.
fn operation(adapter: &Adapter, entry: CatalogueEntry) -> Endpoint {
    adapter.authenticated(entry.spec.path, Methods::READ, move |received, caller| async move {
        let parameters = query_string::parse(received.head.uri.query().unwrap_or_default());
        Ok(response::private(caller.admit().await?.execute(&entry, &parameters).await?))
    })
}
