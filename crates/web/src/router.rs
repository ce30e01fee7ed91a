//! The route table of a server: the endpoints of all adapters, each by its path at the origin.

use std::collections::HashMap;
use std::error::Error as StdError;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Body;
use hyper::{HeaderMap, Request, Response};
use passbook_domain::scope::Surface;

use crate::endpoint::{Endpoint, RequestBody};
use crate::pipeline::Pipeline;

/// The route table of a server. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Router {
    table: Arc<Table>,
}

#[derive(Debug)]
struct Table {
    pipeline: Pipeline,
    /// The endpoints with a fixed path. Of several with one path, the first for the request's headers handles it.
    fixed: HashMap<String, Vec<Endpoint>>,
    /// The endpoints with all paths that begin with theirs.
    prefixes: Vec<Endpoint>,
    unknown: Endpoint,
}

/// The endpoint of a request, which [`Router::find`] has found.
#[derive(Clone, Copy, Debug)]
pub struct Route<'r> {
    pipeline: &'r Pipeline,
    endpoint: &'r Endpoint,
}

impl Router {
    /// Creates the table of these endpoints. Of two endpoints for the same requests, the first handles them.
    pub fn new(pipeline: &Pipeline, endpoints: impl IntoIterator<Item = Endpoint>) -> Router {
        let mut fixed: HashMap<String, Vec<Endpoint>> = HashMap::new();
        let mut prefixes = Vec::new();
        for endpoint in endpoints {
            if endpoint.is_prefix {
                prefixes.push(endpoint);
            } else {
                fixed.entry(endpoint.path.clone()).or_default().push(endpoint);
            }
        }
        let openapi_path = Some(pipeline.base_url().openapi_path()).filter(|path| fixed.contains_key(path));
        let unknown = pipeline.adapter(Surface::Rest, None).unknown(openapi_path);
        Router { table: Arc::new(Table { pipeline: pipeline.clone(), fixed, prefixes, unknown }) }
    }

    /// Returns the route of a path of the origin, or `None` if the path is not below the base address and no endpoint has
    /// it. Every path below the base address has a route: that of an unknown path gives a 404 response.
    pub fn find(&self, path: &str, headers: &HeaderMap) -> Option<Route<'_>> {
        let Table { pipeline, unknown, .. } = &*self.table;
        let below_base = || pipeline.base_url().below(path).map(|_| unknown);
        let endpoint = self.endpoint(path, headers).or_else(below_base)?;
        Some(Route { pipeline, endpoint })
    }

    /// Handles a request with the path of the origin. A path without an endpoint gets a 404 response.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn StdError + Send + Sync>>,
    {
        let Table { pipeline, unknown, .. } = &*self.table;
        let endpoint = self.endpoint(request.uri().path(), request.headers()).unwrap_or(unknown);
        pipeline.handle(endpoint, boxed(request)).await
    }

    /// Handles a request from a framework that has removed the path of the base address from the request's path.
    pub async fn handle_below<B>(&self, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn StdError + Send + Sync>>,
    {
        let Table { pipeline, unknown, .. } = &*self.table;
        let path = format!("{}{}", pipeline.base_url().path(), request.uri().path());
        let endpoint = self.endpoint(&path, request.headers()).unwrap_or(unknown);
        pipeline.handle(endpoint, boxed(request)).await
    }

    fn endpoint(&self, path: &str, headers: &HeaderMap) -> Option<&Endpoint> {
        let fixed = self.table.fixed.get(path).into_iter().flatten();
        let prefixes = self.table.prefixes.iter().filter(|endpoint| path.starts_with(endpoint.path.as_str()));
        fixed.chain(prefixes).find(|endpoint| endpoint.is_for(headers))
    }
}

impl Route<'_> {
    /// Handles the request.
    pub async fn handle<B>(self, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn StdError + Send + Sync>>,
    {
        self.pipeline.handle(self.endpoint, boxed(request)).await
    }
}

fn boxed<B>(request: Request<B>) -> Request<RequestBody>
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn StdError + Send + Sync>>,
{
    request.map(|body| body.map_err(std::io::Error::other).boxed_unsync())
}
