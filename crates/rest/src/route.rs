//! Paths and what answers them.

use std::collections::HashMap;

use operations::Entry;

/// What answers a path.
pub(crate) enum Route {
    Operation(Entry),
    Health,
    Ready,
    Openapi,
    ProtectedResource,
    /// The document of the origin, at its root.
    OriginResource,
}

/// Every operation of the catalogue, and the routes that need no token.
pub(crate) fn routes() -> HashMap<&'static str, Route> {
    let operations = Entry::all().into_iter().map(|entry| (entry.spec.path, Route::Operation(entry)));
    let mut routes: HashMap<&'static str, Route> = operations.collect();
    routes.insert("/health", Route::Health);
    routes.insert("/ready", Route::Ready);
    routes.insert("/openapi.json", Route::Openapi);
    routes.insert(crate::metadata::PATH, Route::ProtectedResource);
    routes
}
