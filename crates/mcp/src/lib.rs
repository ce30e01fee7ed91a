//! Serves the catalogue as tools of the Model Context Protocol: JSON-RPC over one POST route, without sessions and
//! streams.
//!
//! ```no_run
//! use passbook_mcp::{Mcp, Pipeline, Router};
//!
//! fn tools(pipeline: &Pipeline) -> Router {
//!     let tools = Mcp::new(pipeline).with_origins(vec!["https://claude.ai".to_owned()]);
//!     Router::new(pipeline, tools.endpoints())
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
mod left_out;
mod message;
mod openapi;
mod pictures;
mod request_checks;
mod result;
mod revision;
mod rpc_error;
mod schema;
mod tool_request;
mod tools;

use std::sync::Arc;

use hyper::{Method, StatusCode};
use passbook_domain::scope::Surface;
use passbook_operations::{Catalogue, Code};
use passbook_web::{Endpoint, Methods, ProtectedResource};

/// The crates of the requests and responses that an adapter handles.
pub use {bytes, http_body_util, hyper};

pub use openapi::paths as openapi_paths;
pub use passbook_web::{
    BaseUrl, HostCaller, HostSignIn, HttpError, Pipeline, PipelineConfig, RateLimiter, Router,
};

use allowed_origins::AllowedOrigins;
use pictures::Pictures;
use result::ServerInfo;
use tool_request::{StaticResults, ToolRequest, ToolServer};
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

const METHODS: Methods = Methods {
    allowed: &[Method::POST],
    rule: "Only POST is accepted here: there are no streams to open and no sessions to end.",
};

/// The tool server. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Mcp {
    pipeline: Pipeline,
    origins: Vec<String>,
    loopback_origins: bool,
    catalogue: Catalogue,
    server: ServerInfo,
}

impl Mcp {
    /// Creates the tool server, for web pages of the base address's origin only.
    pub fn new(pipeline: &Pipeline) -> Mcp {
        Mcp {
            pipeline: pipeline.clone(),
            origins: Vec::new(),
            loopback_origins: false,
            catalogue: Catalogue::default(),
            server: ServerInfo::default(),
        }
    }

    /// Sets the origins of web pages that may call the tool server, besides the origin of the base address, such as
    /// `https://claude.ai`.
    #[must_use]
    pub fn with_origins(self, origins: Vec<String>) -> Mcp {
        Mcp { origins, ..self }
    }

    /// Allows all origins on a loopback address. Only for a service that listens on a loopback address.
    #[must_use]
    pub fn with_loopback_origins(self) -> Mcp {
        Mcp { loopback_origins: true, ..self }
    }

    /// Serves the tools of `catalogue`, in place of all tools of Passbook.
    #[must_use]
    pub fn with_operations(self, catalogue: &Catalogue) -> Mcp {
        Mcp { catalogue: catalogue.clone(), ..self }
    }

    /// Sets the title that clients show for this server (`title` of the protocol's `serverInfo`). The default is
    /// `Passbook`.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Mcp {
        self.server.title = title.into();
        self
    }

    /// Sets a sentence about this server for people (`description` of the protocol's `serverInfo`). By default there is
    /// none.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Mcp {
        self.server.description = Some(description.into());
        self
    }

    /// Returns the tool endpoint. The list of tools and the pictures are written here, once.
    pub fn endpoints(&self) -> Vec<Endpoint> {
        let base_url = self.pipeline.base_url();
        let adapter = self.pipeline.adapter(Surface::Mcp, Some(RESOURCE.metadata_path));
        let pictures = Pictures::new(base_url.origin(), &self.server);
        let tools = Tools::new(&self.catalogue, &pictures);
        let server = Arc::new(ToolServer {
            results: StaticResults::new(&tools, &self.server),
            adapter: adapter.clone(),
            server: self.server.clone(),
            tools,
            pictures,
        });
        let origins = AllowedOrigins::new(base_url, &self.origins, self.loopback_origins);
        let endpoint = adapter.authenticated(PATH, METHODS, move |received, caller| {
            let server = server.clone();
            async move {
                ToolRequest { server: &server, record: received.record }
                    .respond(&received.head.headers, received.body, caller)
                    .await
            }
        });
        vec![endpoint.with_check(move |headers| {
            if origins.allows(headers) {
                return Ok(());
            }
            let message = "Pages of this origin may not call the tool server.";
            Err(HttpError::new(StatusCode::FORBIDDEN, Code::Forbidden.as_str(), message))
        })]
    }
}
