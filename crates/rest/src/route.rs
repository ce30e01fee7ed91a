//! Paths and what answers them.

use std::collections::HashMap;

use domain::access::Credential;
use domain::ports::BoxFuture;
use operations::catalogue::{self, Visitor};
use operations::form::Given;
use operations::{Error, Operation, Service};

/// Reads an operation's parameters, calls it and serialises its result.
pub(crate) type Call =
    for<'a> fn(&'a Service, &'a Credential, &'a [(String, Given)]) -> BoxFuture<'a, Result<Vec<u8>, Error>>;

/// What answers a path.
pub(crate) enum Route {
    Operation(Call),
    Health,
    Ready,
    Openapi,
    ProtectedResource,
    /// The document of the origin, at its root.
    OriginResource,
}

/// The map of paths, filled by walking the catalogue.
#[derive(Default)]
pub(crate) struct Routes {
    routes: HashMap<&'static str, Route>,
}

impl Routes {
    /// Every operation of the catalogue, and the routes that need no token.
    pub(crate) fn of_catalogue() -> HashMap<&'static str, Route> {
        let mut routes = Routes::default();
        catalogue::visit(&mut routes);
        routes.routes.insert("/health", Route::Health);
        routes.routes.insert("/ready", Route::Ready);
        routes.routes.insert("/openapi.json", Route::Openapi);
        routes.routes.insert(crate::metadata::PATH, Route::ProtectedResource);
        routes.routes
    }
}

impl Visitor for Routes {
    fn visit<O: Operation>(&mut self) {
        self.routes.insert(O::SPEC.path, Route::Operation(call::<O>));
    }
}

fn call<'a, O: Operation>(
    service: &'a Service,
    credential: &'a Credential,
    given: &'a [(String, Given)],
) -> BoxFuture<'a, Result<Vec<u8>, Error>> {
    Box::pin(async move {
        let output = service.answer::<O>(credential, given).await?;
        serde_json::to_vec(&output).map_err(|source| Error::Internal(Box::new(source)))
    })
}
