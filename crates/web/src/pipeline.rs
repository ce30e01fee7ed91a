//! The request pipeline. Every request of every adapter passes through it.
//!
//! The order is fixed: path, method, checks of the adapter such as the `Origin` header, size of the head, token, rate limit,
//! token in the query string. Then the handler reads the body, if it needs one, waits for a concurrency permit and reads
//! parameters, and one transaction checks grant and scope and reads the data. The response gets its headers, and the
//! request its log line.
//!
//! A request is counted against its client at once. It is counted against its user at once only if the grant was live a
//! moment ago, and otherwise after the transaction has found a live grant.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::AUTHORIZATION;
use hyper::http::request::Parts;
use hyper::{Request, Response};
use passbook_auth::{Authenticator, Fingerprint};
use passbook_domain::access::Credential;
use passbook_domain::scope::{Scope, Surface};
use passbook_operations::Service;
use tokio::time::Instant;
use tracing::Instrument as _;

use crate::base_url::BaseUrl;
use crate::challenge::Challenges;
use crate::endpoint::{
    Adapter, AuthenticatedCaller, Endpoint, Handler, HandlerResult, Received, RequestBody, Target,
};
use crate::error_body::write_json;
use crate::host_sign_in::HostSignIn;
use crate::http_error::HttpError;
use crate::rate_limit::{Counted, RateLimiter};
use crate::request_record::{RequestObserver, RequestRecord};
use crate::seen_grants::SeenGrants;
use crate::{guard, request_head, response};

/// Maximum duration of a request if a host sets no other, in seconds.
const REQUEST_SECONDS_MAX_DEFAULT: u64 = 10;

/// Settings of a pipeline.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PipelineConfig {
    /// The public base address, such as `https://money.example/api`. Challenges and documents name it.
    pub base_url: BaseUrl,
    /// Maximum duration of a request, in seconds.
    pub request_seconds_max: u64,
    /// Scopes that a client can request when it signs in. Challenges name no other data scope. If one of them is missing
    /// for a tool, the response is an HTTP error, upon which a client requests the scope. For any other scope it is a tool
    /// result, because the client would sign in again without end.
    pub requestable_scopes: Vec<Scope>,
    /// Per-user rate and concurrency limits; `None` for no such limits.
    pub rate_limiter: Option<RateLimiter>,
    /// An observer of all requests, also of those without a token.
    pub observer: Option<Arc<dyn RequestObserver>>,
    /// The sign-in of a host with sessions of its own: the 401 response to a caller without a session, and the security
    /// scheme of the OpenAPI document. The host adds a [`HostCaller`] to the requests of callers with a session.
    pub sign_in: Option<HostSignIn>,
}

impl PipelineConfig {
    /// Creates settings with a limit of 10 seconds per request, and without scopes that a client can request, rate limits,
    /// observer and sign-in of the host.
    pub fn new(base_url: BaseUrl) -> PipelineConfig {
        PipelineConfig {
            base_url,
            request_seconds_max: REQUEST_SECONDS_MAX_DEFAULT,
            requestable_scopes: Vec::new(),
            rate_limiter: None,
            observer: None,
            sign_in: None,
        }
    }
}

/// The address of the client that sent a request. A host adds it to the extensions of each request
/// (`request.extensions_mut().insert(ClientAddress(address))`). The pipeline then limits the checks of tokens that were not
/// seen before: each address may cause 10 a second, and 50 at once. Without the extension there is no such limit.
///
/// The host decides which address counts: behind a reverse proxy the address that the proxy names, and for IPv6 the first
/// address of the /64 network, because a customer of a provider has a whole network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub std::net::IpAddr);

/// A caller that the host has authenticated, by a session for example. A host adds it to the extensions of the request
/// (`request.extensions_mut().insert(HostCaller(credential))`), which no client can do. The pipeline then ignores the
/// `Authorization` header. The ledger still checks the grant that the credential names, for the surface of the adapter.
#[derive(Clone, Debug)]
pub struct HostCaller(pub Credential);

/// The pipeline of a server. The host creates one and gives it to its adapters. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pipeline {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    service: Service,
    authenticator: Authenticator,
    config: PipelineConfig,
    seen_grants: Arc<SeenGrants>,
}

impl Pipeline {
    /// Creates a pipeline that runs operations with `service`.
    pub fn new(service: Service, authenticator: Authenticator, config: PipelineConfig) -> Pipeline {
        let seen_grants = Arc::default();
        Pipeline { inner: Arc::new(Inner { service, authenticator, config, seen_grants }) }
    }

    /// Returns true if many operations in a row have ended with status 500, the last one a moment ago.
    pub fn has_only_defects(&self) -> bool {
        self.inner.service.has_only_defects()
    }

    /// Returns the public base address.
    pub fn base_url(&self) -> &BaseUrl {
        &self.inner.config.base_url
    }

    /// Returns the sign-in of a host with sessions of its own.
    pub fn sign_in(&self) -> Option<&HostSignIn> {
        self.inner.config.sign_in.as_ref()
    }

    /// Returns the settings that the endpoints of an adapter share: its surface, and its challenges, which name the
    /// metadata document at `metadata_path` below the base address.
    pub fn adapter(&self, surface: Surface, metadata_path: Option<&str>) -> Adapter {
        let PipelineConfig { base_url, requestable_scopes, sign_in, .. } = &self.inner.config;
        let challenges = Challenges {
            resource_metadata: metadata_path.map(|path| format!("{base_url}{path}")),
            requestable_scopes: requestable_scopes.clone(),
            host_sign_in: sign_in.clone(),
        };
        let base_path = Arc::from(base_url.path());
        Adapter { surface, challenges: Arc::new(challenges), write_error: write_json, base_path }
    }

    /// Handles a request of an endpoint, which a [`Router`](crate::Router) has found: always returns a response, within
    /// the time limit, also after a panic, and writes one log line.
    pub async fn handle(&self, endpoint: &Endpoint, request: Request<RequestBody>) -> Response<Full<Bytes>> {
        let handler = match &endpoint.target {
            Target::Handler(handler) => handler,
            Target::Other(forward) => return forward(request).await,
        };
        let config = &self.inner.config;
        let started = Instant::now();
        let deadline = started + Duration::from_secs(config.request_seconds_max);
        let (head, body) = request.into_parts();
        let is_host_caller = head.extensions.get::<HostCaller>().is_some();
        let record = RequestRecord::new(&head, endpoint.template, deadline);
        let received = Received { head, body, record: record.clone() };
        let span = record.span().clone();
        let handled = guard::catch_panic(self.run(endpoint, handler, received)).instrument(span.clone());
        let handled = guard::with_timeout(deadline, handled).await.flatten();
        let mut response = match handled.unwrap_or_else(|aborted| Err(aborted.into())) {
            Ok(response) => response,
            Err(error) => {
                record.record_error(&error);
                let Adapter { challenges, write_error, .. } = &endpoint.adapter;
                error.into_response(record.request_id(), challenges, is_host_caller, *write_error)
            }
        };
        response::add_standard_headers(&mut response, record.request_id());
        record.take_rate_limit().add_headers(&mut response);
        let duration = started.elapsed();
        span.record("status", response.status().as_u16());
        record.log(response.status(), duration);
        if let Some(observer) = &config.observer {
            record.observe(observer.as_ref(), response.status(), duration);
        }
        response
    }

    /// Checks a request and runs the handler of its endpoint.
    async fn run(&self, endpoint: &Endpoint, handler: &Handler, received: Received) -> HandlerResult {
        let head = &received.head;
        match handler {
            Handler::Unknown(openapi_path) => Err(HttpError::not_found(openapi_path.as_deref())),
            Handler::Public(handler) => {
                endpoint.check_head(head)?;
                request_head::check_size(head)?;
                request_head::check_public_query(head)?;
                handler(received).await
            }
            Handler::Authenticated(handler) => {
                endpoint.check_head(head)?;
                let surface = endpoint.adapter.surface;
                if let Surface::Host(name) = surface {
                    received.record.set_surface(name.as_str());
                }
                request_head::check_size(head)?;
                let credential = self.authenticate(head, surface, &received.record).await?;
                let inner = &self.inner;
                inner.seen_grants.check(&credential)?;
                let is_live = inner.seen_grants.is_live(&credential);
                let counted = if is_live { Counted::ClientAndUser } else { Counted::Client };
                let record = received.record.clone();
                let uncounted = self.charge(&credential, counted, &record).await?;
                // Last: without a valid `Authorization` header the response is 401.
                request_head::check_query(head)?;
                let caller = AuthenticatedCaller {
                    service: inner.service.clone(),
                    credential: credential.clone(),
                    seen_grants: inner.seen_grants.clone(),
                    rate_limiter: inner.config.rate_limiter.clone(),
                    record: record.clone(),
                };
                let result = handler(received, caller).await;
                if !is_live && inner.seen_grants.is_live(&credential) {
                    self.charge(&credential, uncounted, &record).await?;
                }
                result
            }
        }
    }

    /// Authenticates the caller, unless the host has.
    ///
    /// # Errors
    /// `UNAUTHORIZED`, `RATE_LIMITED` or `UNAVAILABLE`.
    async fn authenticate(
        &self,
        head: &Parts,
        surface: Surface,
        record: &RequestRecord,
    ) -> Result<Credential, HttpError> {
        if let Some(HostCaller(credential)) = head.extensions.get() {
            return Ok(credential.clone().through(surface));
        }
        let values = head.headers.get_all(AUTHORIZATION).iter().map(|value| value.as_bytes());
        let client = head.extensions.get().map(|ClientAddress(address)| *address);
        let authenticated = self.inner.authenticator.authenticate(surface, values, client).await;
        if let Err(passbook_auth::Error::Directory(failure)) = &authenticated {
            self.inner.service.record_outage(failure);
        }
        let credential = authenticated?;
        let header = head.headers.get(AUTHORIZATION).map(|value| value.as_bytes());
        if let Some(fingerprint) = header.and_then(Fingerprint::of_header) {
            record.set_token(fingerprint);
        }
        Ok(credential)
    }

    /// Counts one check of an unseen token against the address of the client. An adapter calls it before it makes a request
    /// to the identity provider for a client without a token.
    ///
    /// # Errors
    /// `RATE_LIMITED`.
    pub fn charge_unseen(&self, head: &Parts) -> Result<(), HttpError> {
        let client = head.extensions.get().map(|ClientAddress(address)| *address);
        Ok(self.inner.authenticator.charge_unseen(client)?)
    }

    /// Charges rate limits of the caller. Returns the limits that a later charge counts if this one counts the client
    /// only.
    ///
    /// # Errors
    /// `RATE_LIMITED`.
    async fn charge(
        &self,
        credential: &Credential,
        counted: Counted,
        record: &RequestRecord,
    ) -> Result<Counted, HttpError> {
        let Some(limiter) = &self.inner.config.rate_limiter else { return Ok(counted) };
        let charged = limiter.charge(credential, counted).await;
        record.set_rate_limit(charged.status);
        match charged.retry_after_seconds {
            None => Ok(Counted::User(charged.client)),
            Some(seconds) => {
                record.set_exceeded_limit(charged.exceeded);
                Err(HttpError::rate_limited(seconds))
            }
        }
    }
}
