//! The whole origin: for a host that hands requests over with the paths they came with.
//!
//! Most of it lies below the base address. What clients look for at the root are the discovery documents: the origin's
//! own, and those of the base address with the well-known part moved to the front (RFC 9728 section 3.1, RFC 8414
//! section 3.1); and what proves whose the domain is.

use bytes::Bytes;
use http_body_util::Full;
use hyper::http::request::Parts;
use hyper::{Request, Response, Uri};

use web::metadata::{AUTHORIZATION_SERVER_PATH, OPENID_PATH, PATH};

use crate::apps_challenge::AppsChallenge;
use crate::route::Route;
use crate::{Inner, Rest};

/// The documents that lie both below the base address and at the root.
pub(crate) const DOCUMENTS: [&str; 3] = [PATH, AUTHORIZATION_SERVER_PATH, OPENID_PATH];

/// Marks a request for something at the root that is not below the base address, or is another thing there.
#[derive(Clone, Copy)]
enum AtRoot {
    /// The origin's own protected-resource document.
    Resource,
    AppsChallenge,
}

/// Where a path of the origin leads.
enum Place {
    /// To this path below the base address.
    Below(String),
    Root(AtRoot),
}

/// What answers a request for something at the root, with its path for logs.
pub(crate) fn root(head: &Parts) -> Option<(&'static str, &'static Route)> {
    Some(match head.extensions.get::<AtRoot>()? {
        AtRoot::Resource => (PATH, &Route::OriginResource),
        AtRoot::AppsChallenge => (AppsChallenge::TEMPLATE, &Route::AppsChallenge),
    })
}

impl Rest {
    /// Answers a request whose path is that of the origin: below the base address, and the documents at the root. Any
    /// other path is 404; [`Rest::owns`] says which are not. The body is never read.
    pub async fn handle_origin<B>(&self, mut request: Request<B>) -> Response<Full<Bytes>> {
        match self.inner.place(request.uri().path()) {
            Some(Place::Below(path)) => *request.uri_mut() = web::moved(request.uri(), &path),
            Some(Place::Root(place)) => drop(request.extensions_mut().insert(place)),
            // Nothing is served there.
            None => *request.uri_mut() = Uri::from_static("/"),
        }
        self.handle(request).await
    }

    /// Whether a path of the origin is this adapter's: it lies below the base address, or is a document at the root.
    pub fn owns(&self, path: &str) -> bool {
        self.inner.place(path).is_some()
    }
}

impl Inner {
    fn place(&self, path: &str) -> Option<Place> {
        if self.apps_challenge.as_ref().is_some_and(|challenge| challenge.path() == path) {
            return Some(Place::Root(AtRoot::AppsChallenge));
        }
        let base = &self.config.base_url;
        if let Some(below) = base.below(path) {
            return Some(Place::Below(below.to_owned()));
        }
        match path {
            PATH => return Some(Place::Root(AtRoot::Resource)),
            AUTHORIZATION_SERVER_PATH | OPENID_PATH => return Some(Place::Below(path.to_owned())),
            _ => {}
        }
        let (document, moved) =
            DOCUMENTS.iter().find_map(|document| Some((document, path.strip_prefix(document)?)))?;
        let below = format!("{document}{}", moved.strip_prefix(base.path())?);
        self.routes.contains_key(below.as_str()).then_some(Place::Below(below))
    }
}
