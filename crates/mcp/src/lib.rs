//! Serves the catalogue as tools of the Model Context Protocol: JSON-RPC over one POST route, without sessions and
//! streams.
//!
//! ```no_run
//! use passbook_mcp::{BaseUrl, Config, Mcp};
//!
//! fn tools(service: passbook_operations::Service, authenticator: passbook_auth::Authenticator) -> Result<Mcp,
//! passbook_domain::Invalid> {
//!     let config = Config::new(BaseUrl::parse("https://money.example/api")?);
//!     Ok(Mcp::new(service, authenticator, config))
//! }
//! ```
//!
//! Every request gets a response. The adapter names no operation: its tools come from the catalogue. The order of checks
//! is fixed: path, method, `Origin`, size of the head, token, rate limit, query string, content type, accepted type, body,
//! message, era, and for a tool call its arguments and the one transaction with grant, scope and data.
//!
//! There are two eras of the protocol. In the legacy era a client begins with `initialize`. In the modern era (2026-07-28)
//! each request carries its own metadata and repeats it in headers. The list of tools is the same for everyone and is
//! written once, at start. Methods that read no personal data, such as `tools/list`, also check that the grant is live.
//!
//! An argument whose JSON type differs from the schema is a fault and is never converted. `null` is treated as absent. An
//! error is reported in one of three ways:
//!
//! | cause | response |
//! |---|---|
//! | HTTP request, token or grant | HTTP status with the error body of REST |
//! | JSON-RPC message, or a panic | JSON-RPC error, with the request id after a panic |
//! | something that the model can correct or must tell its user: an invalid argument, a missing scope, a timeout | tool result with `isError: true` |
//!
//! A missing scope is a tool result in every case. The HTTP status is 200, or 403 for a scope that clients can request
//! when they sign in.
//!
//! The crate implements the protocol itself. The official Rust library, `rmcp`, would add forty crates, cannot express
//! `securitySchemes` in a tool's description, and answers a malformed message with the wrong code. `tests/it/tools` tests
//! each rule in both eras, and sends damaged messages.

mod allowed_origins;
mod descriptor;
mod era;
mod exchange;
mod message;
mod openapi;
#[cfg(feature = "pictures")]
mod pictures;
mod raw_value;
mod request_checks;
mod response;
mod result;
mod revision;
mod rpc_error;
mod schema;
mod tools;

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Body;
use hyper::{Method, Request, Response};
use passbook_auth::Authenticator;
use passbook_domain::access::Credential;
use passbook_domain::scope::{Scope, Surface};
use passbook_operations::{Catalogue, Service};
use passbook_web::well_known::ProtectedResource;
use passbook_web::{ChallengeConfig, Endpoint, Pipeline, PipelineConfig, RequestObserver};

/// The crates of the requests and responses that [`Mcp`] handles.
pub use {bytes, http_body_util, hyper};

pub use openapi::paths as openapi_paths;
pub use passbook_web::{BaseUrl, HostSignIn, HttpError, RateLimiter};

use allowed_origins::AllowedOrigins;
use exchange::{McpExchange, StaticResults};
#[cfg(feature = "pictures")]
use pictures::Pictures;
use result::ServerInfo;
use tools::Tools;

/// The path of the tool endpoint below the base address.
pub const PATH: &str = "/mcp";

/// The tool endpoint as a protected resource. The OAuth adapter serves its metadata document, and this adapter's
/// challenges name that document.
pub const RESOURCE: ProtectedResource = ProtectedResource {
    path: PATH,
    metadata_path: "/.well-known/oauth-protected-resource/mcp",
    operation_id: "protected_tools",
    summary: "Protected-resource metadata of the tool server",
    description: "The protected-resource metadata of the tool server (RFC 9728), which its 401 challenge names.",
};

const ENDPOINT: Endpoint = Endpoint {
    template: PATH,
    methods: &[Method::POST],
    methods_rule: "Only POST is accepted here: there are no streams to open and no sessions to end.",
};

/// Settings of the tool server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The public base address, such as `https://money.example/api`. Challenges contain it.
    pub base_url: BaseUrl,
    /// Maximum duration of a request, in seconds.
    pub request_seconds_max: u64,
    /// Origins of web pages that may call the tool server, besides the origin of the base address, such as
    /// `https://claude.ai`.
    pub origins: Vec<String>,
    /// True to allow all origins on a loopback address. Only for a service that listens on a loopback address.
    pub loopback_origins: bool,
    /// Scopes that a client can request when it signs in. If one of them is missing, the response is an HTTP error,
    /// upon which a client requests the scope. For any other scope it is a tool result, because the client would sign
    /// in again without end.
    pub requestable_scopes: Vec<Scope>,
}

impl Config {
    /// Creates settings with a limit of 10 seconds per request, for web pages of the base address's origin only, and
    /// without scopes that a client can request.
    pub fn new(base_url: BaseUrl) -> Config {
        Config {
            base_url,
            request_seconds_max: passbook_web::REQUEST_SECONDS_MAX_DEFAULT,
            origins: Vec::new(),
            loopback_origins: false,
            requestable_scopes: Vec::new(),
        }
    }

    /// Sets the maximum duration of a request, in seconds.
    #[must_use]
    pub fn with_request_seconds_max(self, request_seconds_max: u64) -> Config {
        Config { request_seconds_max, ..self }
    }

    /// Sets the origins of web pages that may call the tool server, besides the origin of the base address.
    #[must_use]
    pub fn with_origins(self, origins: Vec<String>) -> Config {
        Config { origins, ..self }
    }

    /// Allows all origins on a loopback address. Only for a service that listens on a loopback address.
    #[must_use]
    pub fn with_loopback_origins(self) -> Config {
        Config { loopback_origins: true, ..self }
    }

    /// Sets the scopes that a client can request when it signs in.
    #[must_use]
    pub fn with_requestable_scopes(self, requestable_scopes: Vec<Scope>) -> Config {
        Config { requestable_scopes, ..self }
    }
}

/// The tool server. Cheap to clone.
#[derive(Clone)]
pub struct Mcp {
    pipeline: Pipeline,
    inner: Arc<Inner>,
}

#[derive(Clone)]
struct Inner {
    config: Config,
    origins: AllowedOrigins,
    tools: Tools,
    server: ServerInfo,
    results: StaticResults,
    #[cfg(feature = "pictures")]
    pictures: Pictures,
}

/// The route of the tool endpoint, which [`Mcp::route`] has found.
#[derive(Clone, Copy, Debug)]
pub struct Route(());

impl std::fmt::Debug for Mcp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mcp").field("config", &self.inner.config).finish_non_exhaustive()
    }
}

impl Mcp {
    /// Creates the tool server, which runs operations with `service`.
    pub fn new(service: Service, authenticator: Authenticator, config: Config) -> Mcp {
        let metadata = format!("{}{}", config.base_url, RESOURCE.metadata_path);
        let mut pipeline = PipelineConfig::new(Surface::Mcp, config.request_seconds_max);
        pipeline.openapi_path = Some(config.base_url.openapi_path());
        pipeline.challenges = ChallengeConfig::new(metadata, config.requestable_scopes.clone());
        let server = ServerInfo::default();
        let tools = Tools::new(&Catalogue::default());
        #[cfg(feature = "pictures")]
        let pictures = Pictures::new(config.base_url.origin(), &server);
        #[cfg(feature = "pictures")]
        let tools = tools.with_pictures(&pictures);
        let inner = Inner {
            origins: AllowedOrigins::new(&config.base_url, &config.origins, config.loopback_origins),
            results: StaticResults::new(&tools, &server),
            server,
            config,
            tools,
            #[cfg(feature = "pictures")]
            pictures,
        };
        Mcp { pipeline: Pipeline::new(service, authenticator, pipeline), inner: Arc::new(inner) }
    }

    /// Adds an observer of all requests of this adapter.
    #[must_use]
    pub fn with_observer(self, observer: Arc<dyn RequestObserver>) -> Mcp {
        Mcp { pipeline: self.pipeline.with_observer(observer), ..self }
    }

    /// Adds per-user rate and concurrency limits. Without a limiter there are none.
    #[must_use]
    pub fn with_rate_limiter(self, rate_limiter: RateLimiter) -> Mcp {
        Mcp { pipeline: self.pipeline.with_rate_limiter(rate_limiter), ..self }
    }

    /// Serves the tools of `catalogue`, in place of all tools of Passbook.
    #[must_use]
    pub fn with_operations(mut self, catalogue: &Catalogue) -> Mcp {
        let inner = Arc::make_mut(&mut self.inner);
        let tools = Tools::new(catalogue);
        #[cfg(feature = "pictures")]
        let tools = tools.with_pictures(&inner.pictures);
        inner.tools = tools;
        inner.results = StaticResults::new(&inner.tools, &inner.server);
        self
    }

    /// Sets the title that clients show for this server (`title` of the protocol's `serverInfo`). The default is
    /// `Passbook`.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Mcp {
        self.with_server(|server| server.title = title.into())
    }

    /// Sets a sentence about this server for people (`description` of the protocol's `serverInfo`). By default there is
    /// none.
    #[must_use]
    pub fn with_description(self, description: impl Into<String>) -> Mcp {
        self.with_server(|server| server.description = Some(description.into()))
    }

    fn with_server(mut self, change: impl FnOnce(&mut ServerInfo)) -> Mcp {
        let inner = Arc::make_mut(&mut self.inner);
        change(&mut inner.server);
        inner.results = StaticResults::new(&inner.tools, &inner.server);
        #[cfg(feature = "pictures")]
        {
            inner.pictures = Pictures::new(inner.config.base_url.origin(), &inner.server);
        }
        self
    }

    /// Adds the sign-in of a host with sessions of its own, for the 401 response to a caller without a session. The host
    /// passes callers with a session to [`Mcp::on_behalf_of`].
    #[must_use]
    pub fn with_host_sign_in(self, sign_in: HostSignIn) -> Mcp {
        Mcp { pipeline: self.pipeline.with_host_sign_in(sign_in), ..self }
    }

    /// Returns a tool server for the requests of a caller that the host has authenticated. It ignores the
    /// `Authorization` header. The ledger still checks the grant that the credential names, for [`Surface::Mcp`].
    #[must_use]
    pub fn on_behalf_of(&self, caller: Credential) -> Mcp {
        Mcp { pipeline: self.pipeline.on_behalf_of(caller), inner: self.inner.clone() }
    }

    /// Returns the route if `path`, a path of the origin, is the path of the tool endpoint.
    pub fn route(&self, path: &str) -> Option<Route> {
        (self.inner.config.base_url.below(path) == Some(PATH)).then_some(Route(()))
    }

    /// Handles a request whose path is a path of the origin. If the path is not that of the tool endpoint, the response
    /// is 404.
    pub async fn handle_origin<B>(&self, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let is_endpoint = self.route(request.uri().path()).is_some();
        self.run(is_endpoint, request).await
    }

    /// Handles a request whose path is relative to the base address.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let is_endpoint = request.uri().path() == PATH;
        self.run(is_endpoint, request).await
    }

    /// Handles a request whose route [`Mcp::route`] has found.
    pub async fn handle_route<B>(&self, _: Route, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        self.run(true, request).await
    }

    async fn run<B>(&self, is_endpoint: bool, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (head, body) = request.into_parts();
        let inner = &*self.inner;
        let (head, pipeline) = (&head, &self.pipeline);
        if !is_endpoint {
            return pipeline.public().not_found(head).await;
        }
        let respond = |exchange| async move {
            let exchange = McpExchange {
                pipeline,
                origins: &inner.origins,
                tools: &inner.tools,
                server: &inner.server,
                results: &inner.results,
                #[cfg(feature = "pictures")]
                pictures: &inner.pictures,
                exchange,
            };
            exchange.respond(head, body).await
        };
        pipeline.run(head, ENDPOINT, respond).await
    }
}
