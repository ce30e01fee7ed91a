//! The routes of the adapter, as paths of the origin.
//!
//! The documents have paths below the base address. Clients also request them at the root of the origin: at the
//! well-known path followed by the path of the base address (RFC 9728 section 3.1, RFC 8414 section 3.1), and at the
//! well-known path alone.

use std::collections::HashMap;

use passbook_auth::authorization_proxy::AUTHORIZE_PATH;
use passbook_web::well_known::{
    AUTHORIZATION_SERVER, OPENID_CONFIGURATION, PROTECTED_RESOURCE, ProtectedResource,
};
use passbook_web::{BaseUrl, Endpoint};

use crate::apps_challenge::AppsChallenge;
use crate::documents::ProviderDocument;

/// The documents that are served below the base address and at the root of the origin.
pub(crate) const ROOT_DOCUMENTS: [&str; 3] = [PROTECTED_RESOURCE, AUTHORIZATION_SERVER, OPENID_CONFIGURATION];

/// A route of this adapter.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    template: &'static str,
    document: Document,
}

/// The response of a route.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Document {
    /// The protected-resource metadata (RFC 9728) that names the origin, such as `https://money.example`, as the
    /// resource.
    OriginResource,
    /// The protected-resource metadata that names the base address, such as `https://money.example/api`, as the
    /// resource.
    BaseResource,
    /// The protected-resource metadata that names an address below the base address as the resource. Contains the path
    /// of the resource, such as `/mcp`.
    Resource(&'static str),
    /// The authorization-server metadata or the OpenID configuration, which describe the identity provider.
    Provider(ProviderDocument),
    AuthorizationProxy,
    AppsChallenge,
}

impl Route {
    /// Returns the route template and the methods of the route, for the request pipeline.
    pub(crate) fn endpoint(self) -> Endpoint {
        Endpoint::read(self.template)
    }

    /// Returns the kind of response that the route gives.
    pub(crate) fn document(self) -> Document {
        self.document
    }
}

/// The routes of the adapter, each by its path at the origin.
#[derive(Clone, Debug)]
pub(crate) struct Routes {
    routes: HashMap<String, Route>,
}

impl Routes {
    /// Creates the routes of a service with this base address and these protected resources.
    pub(crate) fn new(base_url: &BaseUrl, resources: &[ProtectedResource]) -> Routes {
        let base = base_url.path();
        let mut routes = HashMap::new();
        // These paths are at the root of the origin, without the path of the base address. If the base address is the
        // origin itself, both name the same resource.
        routes.insert(
            PROTECTED_RESOURCE.to_owned(),
            Route { template: PROTECTED_RESOURCE, document: Document::OriginResource },
        );
        let provider = [
            (AUTHORIZATION_SERVER, Document::Provider(ProviderDocument::AuthorizationServer)),
            (OPENID_CONFIGURATION, Document::Provider(ProviderDocument::OpenIdConfiguration)),
        ];
        for (template, document) in provider {
            routes.insert(template.to_owned(), Route { template, document });
        }
        let own = [
            (PROTECTED_RESOURCE, Document::BaseResource),
            provider[0],
            provider[1],
            (AUTHORIZE_PATH, Document::AuthorizationProxy),
        ];
        let others =
            resources.iter().map(|resource| (resource.metadata_path, Document::Resource(resource.path)));
        for (template, document) in own.into_iter().chain(others) {
            let route = Route { template, document };
            routes.insert(format!("{base}{template}"), route);
            for root in ROOT_DOCUMENTS {
                if let Some(rest) = template.strip_prefix(root) {
                    routes.insert(format!("{root}{base}{rest}"), route);
                }
            }
        }
        Routes { routes }
    }

    /// Adds the route of a vendor's domain verification. `path` is a path at the root of the origin.
    pub(crate) fn insert_apps_challenge(&mut self, path: &str) {
        let route = Route { template: AppsChallenge::TEMPLATE, document: Document::AppsChallenge };
        self.routes.insert(path.to_owned(), route);
    }

    /// Returns the route with this path; `None` if no route has it.
    pub(crate) fn find(&self, path: &str) -> Option<Route> {
        self.routes.get(path).copied()
    }
}
