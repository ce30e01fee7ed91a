//! Speaks the Model Context Protocol for the catalogue: JSON-RPC over one POST, without sessions and streams.
//!
//! [`Mcp::handle`] is total: every request gets a response, and no tool is known here by name. Its path is
//! [`PATH`], relative to the base address. The order of checks is fixed: path, method, origin, size of the head,
//! token, rate limit, content type, accepted type, body, message, era, and for a tool its arguments and the one transaction with
//! grant, scope and data.

#![warn(missing_docs)]

mod answer;
mod arguments;
mod descriptor;
mod era;
mod members;
mod message;
mod origin;
mod receive;
mod reply;
mod result;
mod revision;
mod rpc_error;
mod schema;
mod tools;

use std::sync::Arc;
use std::time::Duration;

use auth::Authenticator;
use bytes::Bytes;
use domain::access::Credential;
use domain::scope::{Scope, Surface};
use http_body_util::Full;
use hyper::body::Body;
use hyper::{Request, Response};
use operations::Service;
use tokio::time::Instant;
use web::{Challenges, RequestId};

pub use web::{BaseUrl, Limits};

use answer::{Exchange, Prepared};
use origin::Origins;
use tools::Tools;

/// Where the tool endpoint lies below the base address.
pub const PATH: &str = "/mcp";

/// What the adapter needs to know of where it is mounted.
#[derive(Clone, Debug)]
pub struct Config {
    /// The public base address, such as `https://money.example/api`: what challenges name.
    pub base_url: BaseUrl,
    /// Seconds that a request may take.
    pub request_seconds_max: u64,
    /// Origins of web pages that may call, besides the base address's own, such as `https://claude.ai`.
    pub origins: Vec<String>,
    /// Whether every origin on this machine may call: only for a service that listens nowhere else.
    pub loopback_origins: bool,
    /// Scopes that a client can ask for when it signs in. Only for these is a missing scope an HTTP refusal, upon
    /// which a client asks again; for any other that would go round in circles.
    pub requestable_scopes: Vec<Scope>,
}

/// The tool server. Cheap to clone.
#[derive(Clone)]
pub struct Mcp {
    inner: Arc<Inner>,
    caller: Option<Credential>,
    limits: Option<Limits>,
}

struct Inner {
    service: Service,
    authenticator: Authenticator,
    config: Config,
    origins: Origins,
    challenges: Challenges,
    tools: Tools,
    prepared: Prepared,
}

impl std::fmt::Debug for Mcp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mcp").field("config", &self.inner.config).finish_non_exhaustive()
    }
}

impl Mcp {
    /// The tool server over a service.
    pub fn new(service: Service, authenticator: Authenticator, config: Config) -> Mcp {
        let tools = Tools::of_catalogue();
        let inner = Inner {
            origins: Origins::new(&config.base_url, &config.origins, config.loopback_origins),
            challenges: Challenges::new(
                format!("{}{}", config.base_url, web::metadata::TOOLS_PATH),
                config.requestable_scopes.clone(),
            ),
            prepared: Prepared::of(&tools),
            service,
            authenticator,
            config,
            tools,
        };
        Mcp { inner: Arc::new(inner), caller: None, limits: None }
    }

    /// The same tool server with limits of how much a user may ask. Without, there are none.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Mcp {
        Mcp { limits: Some(limits), ..self }
    }

    /// The same tool server for one request of a caller whom the host has authenticated itself: no Authorization header
    /// is looked at. The ledger is asked through [`Surface::Mcp`], and checks the grant that the credential names as it
    /// does any other.
    #[must_use]
    pub fn on_behalf_of(&self, caller: Credential) -> Mcp {
        Mcp { caller: Some(caller.through(Surface::Mcp)), ..self.clone() }
    }

    /// Whether a path of the origin is the tool endpoint.
    pub fn owns(&self, path: &str) -> bool {
        self.inner.config.base_url.below(path) == Some(PATH)
    }

    /// Answers a request whose path is that of the origin. Any other path than the endpoint's is 404.
    pub async fn handle_origin<B>(&self, mut request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let path = if self.owns(request.uri().path()) { PATH } else { "/" };
        *request.uri_mut() = web::moved(request.uri(), path);
        self.handle(request).await
    }

    /// Answers a request whose path is relative to the base address.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (head, body) = request.into_parts();
        let id = RequestId::of(&head.headers);
        let deadline = Instant::now() + Duration::from_secs(self.inner.config.request_seconds_max);
        let mut exchange = Exchange::new(self, &id, deadline);
        let result = web::walled(exchange.answer(&head, body)).await.and_then(|answered| answered);
        let (method, tool) = (exchange.method, exchange.tool);
        let mut response = match result {
            Ok(response) => web::reply::finished(response, &id),
            Err(refusal) => refusal.into_response(&id, PATH, &self.inner.challenges),
        };
        exchange.standing.tell(&mut response);
        tracing::info!(
            method,
            tool,
            status = response.status().as_u16(),
            request.id = id.as_str(),
            "answered"
        );
        response
    }
}
