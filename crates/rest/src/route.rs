//! The routes of the adapter, by path below the base address.

use std::collections::HashMap;

use operations::Entry;
use web::Endpoint;

/// A route of this adapter, or the absence of a route at a path below the base address.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    found: Option<(&'static str, Resource)>,
}

/// The resource at a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Resource {
    Operation(Entry),
    Public(PublicResource),
}

/// A resource that needs no token.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PublicResource {
    Health,
    Readiness,
    Openapi,
}

impl Route {
    /// The route of a path that has none: its response is 404.
    pub(crate) const UNKNOWN: Route = Route { found: None };

    /// The endpoint and the resource of the route, or `None` if no route has the path.
    pub(crate) fn found(self) -> Option<(Endpoint, Resource)> {
        self.found.map(|(template, resource)| (Endpoint::read(template), resource))
    }
}

/// All routes by path below the base address.
#[derive(Clone, Debug)]
pub(crate) struct Routes {
    resources: HashMap<&'static str, Resource>,
}

impl Routes {
    /// The operations of the catalogue, and the public routes.
    pub(crate) fn of_catalogue() -> Routes {
        let operations = Entry::all().into_iter().map(|entry| (entry.spec.path, Resource::Operation(entry)));
        let public = [
            ("/health", PublicResource::Health),
            ("/ready", PublicResource::Readiness),
            ("/openapi.json", PublicResource::Openapi),
        ];
        let public = public.map(|(path, resource)| (path, Resource::Public(resource)));
        Routes { resources: operations.chain(public).collect() }
    }

    /// The route of a path.
    pub(crate) fn find(&self, path: &str) -> Route {
        let found = self.resources.get_key_value(path).map(|(path, resource)| (*path, *resource));
        Route { found }
    }
}
