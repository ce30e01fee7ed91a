//! The routes of the adapter, as paths of the origin.
//!
//! The documents lie below the base address. Clients also look for them at the root of the origin, with the path of the
//! base address behind the well-known path (RFC 9728 section 3.1, RFC 8414 section 3.1), and without it.

use std::collections::HashMap;

use auth::authorization_proxy::AUTHORIZE_PATH;
use web::well_known::{AUTHORIZATION_SERVER, OPENID_CONFIGURATION, PROTECTED_RESOURCE, ProtectedResource};
use web::{BaseUrl, Endpoint};

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
    /// The protected-resource metadata of the origin.
    OriginResource,
    /// The protected-resource metadata of the base address.
    BaseResource,
    /// The protected-resource metadata of a resource at a path below the base address.
    Resource(&'static str),
    /// A document about the identity provider.
    Provider(ProviderDocument),
    AuthorizationProxy,
    AppsChallenge,
}

impl Route {
    /// The route as the pipeline sees it.
    pub(crate) fn endpoint(self) -> Endpoint {
        Endpoint::read(self.template)
    }

    /// The response of the route.
    pub(crate) fn document(self) -> Document {
        self.document
    }
}

/// All routes by path of the origin.
#[derive(Clone, Debug)]
pub(crate) struct Routes {
    routes: HashMap<String, Route>,
}

impl Routes {
    /// The routes of a service at a base address.
    pub(crate) fn new(base_url: &BaseUrl, resources: &[ProtectedResource]) -> Routes {
        let base = base_url.path();
        let mut routes = HashMap::new();
        // At the root of the origin, without the path of the base address. An origin that is the base address has the
        // same resource at both.
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

    /// Adds the domain verification at a path of the origin.
    pub(crate) fn insert_apps_challenge(&mut self, path: &str) {
        let route = Route { template: AppsChallenge::TEMPLATE, document: Document::AppsChallenge };
        self.routes.insert(path.to_owned(), route);
    }

    /// The route of a path.
    pub(crate) fn find(&self, path: &str) -> Option<Route> {
        self.routes.get(path).copied()
    }
}
