//! Paths and what answers them.

use std::collections::HashMap;

use operations::Entry;

/// What answers a path.
pub(crate) enum Route {
    Operation(Entry),
    Health,
    Ready,
    Openapi,
    BaseResource,
    /// The document of the origin, at its root.
    OriginResource,
    /// The document of the tool endpoint, which another adapter serves.
    ToolsResource,
}

/// Every operation of the catalogue, and the routes that need no token.
pub(crate) fn routes(tool_server: bool) -> HashMap<&'static str, Route> {
    let operations = Entry::all().into_iter().map(|entry| (entry.spec.path, Route::Operation(entry)));
    let mut routes: HashMap<&'static str, Route> = operations.collect();
    routes.insert("/health", Route::Health);
    routes.insert("/ready", Route::Ready);
    routes.insert("/openapi.json", Route::Openapi);
    routes.insert(web::metadata::PATH, Route::BaseResource);
    if tool_server {
        routes.insert(web::metadata::TOOLS_PATH, Route::ToolsResource);
    }
    routes
}
