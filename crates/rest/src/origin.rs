//! The whole origin: for a host that hands requests over with the paths they came with.
//!
//! Most of it lies below the base address. What clients look for at the root are the protected-resource documents
//! (RFC 9728 section 3.1): the origin's own, and those of the base address with the well-known part moved to the front.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, Response, Uri};

use web::metadata::PATH;

use crate::{Inner, Rest};

/// Marks a request for the root's own document, whose path also exists below the base address.
#[derive(Clone, Copy)]
pub(crate) struct AtRoot;

/// Where a path of the origin leads.
enum Place {
    /// To this path below the base address.
    Below(String),
    /// To the root's own document.
    Root,
}

impl Rest {
    /// Answers a request whose path is that of the origin: below the base address, and the documents at the root. Any
    /// other path is 404; [`Rest::owns`] says which are not. The body is never read.
    pub async fn handle_origin<B>(&self, mut request: Request<B>) -> Response<Full<Bytes>> {
        match self.inner.place(request.uri().path()) {
            Some(Place::Below(path)) => *request.uri_mut() = target(path, request.uri().query()),
            Some(Place::Root) => drop(request.extensions_mut().insert(AtRoot)),
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
        let base = &self.config.base_url;
        if let Some(below) = base.below(path) {
            return Some(Place::Below(below.to_owned()));
        }
        if path == PATH {
            return Some(Place::Root);
        }
        let moved = path.strip_prefix(PATH)?.strip_prefix(base.path())?;
        let below = format!("{PATH}{moved}");
        self.routes.contains_key(below.as_str()).then_some(Place::Below(below))
    }
}

/// A request target of a path and a query.
fn target(path: String, query: Option<&str>) -> Uri {
    let target = match query {
        Some(query) => format!("{path}?{query}"),
        None => path,
    };
    target.parse().expect("it is a part of a target that was one")
}
