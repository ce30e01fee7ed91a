//! The routes of the REST adapter, each by its path below the base address.

use std::collections::HashMap;

use passbook_operations::{Catalogue, Entry};
use passbook_web::Endpoint;
use passbook_web::openapi::OPENAPI_PATH;

use crate::start_page::{self, DocumentationPage};

/// A route of the REST adapter. The route of an unknown path below the base address gives a 404 response.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    found: Option<(&'static str, Resource)>,
}

/// The content that a route serves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Resource {
    Operation(Entry),
    Public(PublicResource),
}

/// Content that is served without a token.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PublicResource {
    Health,
    Readiness,
    Openapi,
    StartPage,
    Documentation(DocumentationPage),
}

impl Route {
    /// The route of an unknown path. Its response is 404.
    pub(crate) const UNKNOWN: Route = Route { found: None };
    /// The route of the start page, at the root of the origin.
    pub(crate) const START_PAGE: Route =
        Route { found: Some((start_page::PATH, Resource::Public(PublicResource::StartPage))) };

    /// Returns the route of a page of the documentation.
    pub(crate) fn documentation(page: DocumentationPage) -> Route {
        Route { found: Some((page.path, Resource::Public(PublicResource::Documentation(page)))) }
    }

    /// Returns the endpoint and the content of the route; `None` for the route of an unknown path.
    pub(crate) fn found(self) -> Option<(Endpoint, Resource)> {
        self.found.map(|(template, resource)| (Endpoint::read(template), resource))
    }
}

/// All routes of the adapter, by path below the base address.
#[derive(Clone, Debug)]
pub(crate) struct Routes {
    resources: HashMap<&'static str, Resource>,
}

impl Routes {
    /// Creates the routes of all operations of the catalogue, and the public routes, which take precedence.
    pub(crate) fn new(catalogue: &Catalogue) -> Routes {
        let operations =
            catalogue.entries().iter().map(|entry| (entry.spec.path, Resource::Operation(*entry)));
        let public = [
            ("/health", PublicResource::Health),
            ("/ready", PublicResource::Readiness),
            (OPENAPI_PATH, PublicResource::Openapi),
        ];
        let public = public.map(|(path, resource)| (path, Resource::Public(resource)));
        Routes { resources: operations.chain(public).collect() }
    }

    /// Returns the route with this path; for an unknown path [`Route::UNKNOWN`].
    pub(crate) fn find(&self, path: &str) -> Route {
        let found = self.resources.get_key_value(path).map(|(path, resource)| (*path, *resource));
        Route { found }
    }
}
