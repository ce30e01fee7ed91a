//! Paths and what answers them.

use std::collections::HashMap;

use operations::Entry;

use crate::metadata::Kind;

/// What answers a path.
#[derive(Clone, Copy)]
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
    /// The identity provider, as clients of this service are to see it.
    Provider(Kind),
    /// The authorization proxy.
    Authorize,
    /// At the root: the domain is its operator's.
    AppsChallenge,
}

/// Every operation of the catalogue, and the routes that need no token.
pub(crate) fn routes(tool_server: bool) -> HashMap<&'static str, Route> {
    let operations = Entry::all().into_iter().map(|entry| (entry.spec.path, Route::Operation(entry)));
    let mut routes: HashMap<&'static str, Route> = operations.collect();
    routes.insert("/health", Route::Health);
    routes.insert("/ready", Route::Ready);
    routes.insert("/openapi.json", Route::Openapi);
    routes.insert(web::metadata::PATH, Route::BaseResource);
    routes.insert(web::metadata::AUTHORIZATION_SERVER_PATH, Route::Provider(Kind::AuthorizationServer));
    routes.insert(web::metadata::OPENID_PATH, Route::Provider(Kind::OpenId));
    routes.insert(auth::sign_in::AUTHORIZE_PATH, Route::Authorize);
    if tool_server {
        routes.insert(web::metadata::TOOLS_PATH, Route::ToolsResource);
    }
    routes
}
