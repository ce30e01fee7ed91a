//! An endpoint: a path of an adapter, the methods that it accepts, and the handler of its requests.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, Request, Response};
use passbook_domain::access::Credential;
use passbook_domain::scope::Surface;
use passbook_operations::{CatalogueEntry, Error, ParameterValue, Service};

use crate::challenge::Challenges;
use crate::error_body::ErrorObject;
use crate::http_error::HttpError;
use crate::rate_limit::{Permit, RateLimiter};
use crate::request_record::RequestRecord;
use crate::response::accepts_html;
use crate::seen_grants::SeenGrants;

/// The name of the limit of concurrent requests of a user, for observers.
const CONCURRENCY_LIMIT: &str = "concurrency";

/// The body of a request.
pub type RequestBody = UnsyncBoxBody<Bytes, std::io::Error>;

/// The response of a handler, or the error that the pipeline turns into a response.
pub type HandlerResult = Result<Response<Full<Bytes>>, HttpError>;

/// A function that writes the body of an error response. The pipeline adds status and headers. The default is
/// [`write_json`](crate::write_json).
pub type ErrorWriter = fn(ErrorObject) -> Response<Full<Bytes>>;

type Handling<T> = Pin<Box<dyn Future<Output = T> + Send>>;

type Forwarding = Handling<Response<Full<Bytes>>>;

/// A request that has passed the checks of the pipeline, for its handler.
#[derive(Debug)]
pub struct Received {
    /// The head of the request.
    pub head: Parts,
    /// The body of the request, of which nothing was read.
    pub body: RequestBody,
    /// The identifier and the deadline of the request, and the values for its log line.
    pub record: RequestRecord,
}

/// A caller who is authenticated and within the rate limits. Only the [`Pipeline`](crate::Pipeline) creates one.
#[derive(Debug)]
pub struct AuthenticatedCaller {
    pub(crate) service: Service,
    pub(crate) credential: Credential,
    pub(crate) seen_grants: Arc<SeenGrants>,
    pub(crate) rate_limiter: Option<RateLimiter>,
    pub(crate) record: RequestRecord,
}

impl AuthenticatedCaller {
    /// Waits for a concurrency permit of the user. An adapter that reads the body of a request does so before, because a
    /// client that sends slowly must not hold a permit.
    ///
    /// # Errors
    /// `RATE_LIMITED` if no permit becomes free in time. If the grant was revoked or expired when it was read last,
    /// `UNAUTHORIZED`, or an error of the ledger, which reads the grant before a permit is taken.
    pub async fn admit(self) -> Result<Caller, HttpError> {
        let AuthenticatedCaller { service, credential, seen_grants, rate_limiter, record } = self;
        seen_grants.check_again(&service, &credential).await?;
        let permit = match &rate_limiter {
            None => None,
            Some(limiter) => {
                let acquired = limiter.acquire_permit(credential.user()).await;
                Some(acquired.inspect_err(|_| record.set_exceeded_limit(Some(CONCURRENCY_LIMIT)))?)
            }
        };
        // Another request may have found the grant revoked while this one waited.
        seen_grants.check(&credential)?;
        Ok(Caller { service, credential, seen_grants, _permit: permit })
    }
}

/// A caller with a concurrency permit, from [`AuthenticatedCaller::admit`]. An adapter cannot read data without one.
/// Dropping the caller releases the permit.
#[derive(Debug)]
pub struct Caller {
    service: Service,
    credential: Credential,
    seen_grants: Arc<SeenGrants>,
    _permit: Option<Permit>,
}

impl Caller {
    /// Runs an operation with the received request parameters and returns its result as JSON. The ledger checks the
    /// grant and the operation's scope in the transaction that reads the data.
    ///
    /// # Errors
    /// Every fault of the parameters at once, or an error of the operation.
    #[expect(clippy::disallowed_methods, reason = "the pipeline has authenticated and admitted the caller")]
    pub async fn execute(
        &self,
        entry: &CatalogueEntry,
        parameters: &[(String, ParameterValue)],
    ) -> Result<Vec<u8>, Error> {
        let executed = entry.execute(&self.service, &self.credential, parameters).await;
        self.seen_grants.record(&self.credential, &executed);
        executed
    }

    /// Checks that the caller's grant is neither revoked nor expired and allows the surface. For responses without
    /// personal data.
    ///
    /// # Errors
    /// The grant is revoked or expired or does not allow the surface, or the ledger has failed.
    #[expect(clippy::disallowed_methods, reason = "the pipeline has authenticated and admitted the caller")]
    pub async fn check_grant(&self) -> Result<(), Error> {
        let checked = self.service.check_grant(&self.credential).await;
        self.seen_grants.record(&self.credential, &checked);
        checked
    }
}

/// The methods of an endpoint.
#[derive(Clone, Copy, Debug)]
pub struct Methods {
    /// The methods that the endpoint accepts.
    pub allowed: &'static [Method],
    /// The message of a 405 response, which names the methods.
    pub rule: &'static str,
}

impl Methods {
    /// The methods of an endpoint that only reads: GET and HEAD.
    pub const READ: Methods = Methods {
        allowed: &[Method::GET, Method::HEAD],
        rule: "Only GET and HEAD are accepted here: every operation is a read.",
    };
}

/// The settings that the endpoints of an adapter share, from [`Pipeline::adapter`](crate::Pipeline::adapter). Cheap to
/// clone.
#[derive(Clone, Debug)]
pub struct Adapter {
    /// The surface of the adapter, which a grant must allow.
    pub(crate) surface: Surface,
    pub(crate) challenges: Arc<Challenges>,
    pub(crate) write_error: ErrorWriter,
    /// The path of the base address, with which the paths of the endpoints begin.
    pub(crate) base_path: Arc<str>,
}

impl Adapter {
    /// Sets the function that writes the body of an error response.
    #[must_use]
    pub fn with_error_writer(self, write_error: ErrorWriter) -> Adapter {
        Adapter { write_error, ..self }
    }

    /// Lets 401 responses name neither a metadata document nor the sign-in of the host.
    #[must_use]
    pub fn without_challenges(self) -> Adapter {
        Adapter { challenges: Arc::default(), ..self }
    }

    /// Returns the challenges of this adapter.
    pub fn challenges(&self) -> &Challenges {
        &self.challenges
    }

    /// Creates an endpoint that needs no token. The template is its path below the base address.
    pub fn public<F>(
        &self,
        template: &'static str,
        methods: Methods,
        handler: impl Fn(Received) -> F + Send + Sync + 'static,
    ) -> Endpoint
    where
        F: Future<Output = HandlerResult> + Send + 'static,
    {
        let handler = Handler::Public(Arc::new(move |received| -> Handling<HandlerResult> {
            Box::pin(handler(received))
        }));
        self.endpoint(template, methods, Target::Handler(handler))
    }

    /// Creates an endpoint for authenticated callers. The template is its path below the base address.
    pub fn authenticated<F>(
        &self,
        template: &'static str,
        methods: Methods,
        handler: impl Fn(Received, AuthenticatedCaller) -> F + Send + Sync + 'static,
    ) -> Endpoint
    where
        F: Future<Output = HandlerResult> + Send + 'static,
    {
        let handler = Handler::Authenticated(Arc::new(move |received, caller| -> Handling<HandlerResult> {
            Box::pin(handler(received, caller))
        }));
        self.endpoint(template, methods, Target::Handler(handler))
    }

    /// Creates an endpoint whose handler passes each request to another endpoint, which checks and logs it.
    pub fn forwarding<F>(
        &self,
        template: &'static str,
        handler: impl Fn(Request<RequestBody>) -> F + Send + Sync + 'static,
    ) -> Endpoint
    where
        F: Future<Output = Response<Full<Bytes>>> + Send + 'static,
    {
        let forward = Arc::new(move |request| -> Forwarding { Box::pin(handler(request)) });
        self.endpoint(template, Methods::READ, Target::Other(forward))
    }

    /// Creates the endpoint of all paths without an endpoint. `openapi_path` is the path of the document that lists every
    /// path, if there is one.
    pub(crate) fn unknown(&self, openapi_path: Option<String>) -> Endpoint {
        self.endpoint("unknown", Methods::READ, Target::Handler(Handler::Unknown(openapi_path)))
    }

    fn endpoint(&self, template: &'static str, methods: Methods, target: Target) -> Endpoint {
        let path = format!("{}{template}", self.base_path);
        let adapter = self.clone();
        Endpoint {
            adapter,
            path,
            template,
            methods,
            target,
            check: None,
            is_prefix: false,
            is_for_browsers: false,
        }
    }
}

/// A path of an adapter with the handler of its requests.
#[derive(Clone)]
pub struct Endpoint {
    pub(crate) adapter: Adapter,
    /// The path at the origin.
    pub(crate) path: String,
    /// The path template for the log, such as `/v1/me`. It is never the path as received, which may hold anything.
    pub(crate) template: &'static str,
    methods: Methods,
    pub(crate) target: Target,
    check: Option<Check>,
    /// True if the endpoint has all paths that begin with its path.
    pub(crate) is_prefix: bool,
    is_for_browsers: bool,
}

/// A check of the headers of a request before its token.
type Check = Arc<dyn Fn(&HeaderMap) -> Result<(), HttpError> + Send + Sync>;

/// The receiver of the requests of an endpoint.
#[derive(Clone)]
pub(crate) enum Target {
    /// A handler, which gets the requests that pass the checks of the pipeline.
    Handler(Handler),
    /// Another endpoint, to which the function passes each request unchecked.
    Other(Arc<dyn Fn(Request<RequestBody>) -> Forwarding + Send + Sync>),
}

/// The handler of an endpoint.
#[derive(Clone)]
pub(crate) enum Handler {
    Public(Arc<dyn Fn(Received) -> Handling<HandlerResult> + Send + Sync>),
    Authenticated(Arc<dyn Fn(Received, AuthenticatedCaller) -> Handling<HandlerResult> + Send + Sync>),
    /// Every response is 404, with the path of the OpenAPI document.
    Unknown(Option<String>),
}

impl Endpoint {
    /// Returns the path template for the log.
    pub fn template(&self) -> &'static str {
        self.template
    }

    /// Sets the path at the origin, instead of the template below the base address.
    #[must_use]
    pub fn at(self, path: impl Into<String>) -> Endpoint {
        Endpoint { path: path.into(), ..self }
    }

    /// Gives the endpoint all paths that begin with its path.
    #[must_use]
    pub fn with_subpaths(self) -> Endpoint {
        Endpoint { is_prefix: true, ..self }
    }

    /// Restricts the endpoint to requests that accept HTML by name, as browsers do, so that another endpoint can serve
    /// programs at its path.
    #[must_use]
    pub fn for_browsers(self) -> Endpoint {
        Endpoint { is_for_browsers: true, ..self }
    }

    /// Adds a check of the headers that precedes the check of the token.
    #[must_use]
    pub fn with_check(
        self,
        check: impl Fn(&HeaderMap) -> Result<(), HttpError> + Send + Sync + 'static,
    ) -> Endpoint {
        Endpoint { check: Some(Arc::new(check)), ..self }
    }

    /// Checks the method of a request, and its headers with the endpoint's own check.
    ///
    /// # Errors
    /// `METHOD_NOT_ALLOWED`, or the error of the endpoint's check.
    pub(crate) fn check_head(&self, head: &Parts) -> Result<(), HttpError> {
        if !self.methods.allowed.contains(&head.method) {
            return Err(HttpError::method_not_allowed(self.methods.allowed, self.methods.rule));
        }
        self.check.as_ref().map_or(Ok(()), |check| check(&head.headers))
    }

    /// Returns true if the endpoint is for requests with these headers.
    pub(crate) fn is_for(&self, headers: &HeaderMap) -> bool {
        !self.is_for_browsers || accepts_html(headers)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("path", &self.path).finish_non_exhaustive()
    }
}
