//! The request pipeline. Every request of every adapter passes through it.
//!
//! The order of checks is fixed: route, method, checks of the adapter such as the `Origin` header, size of the head,
//! token, rate limit, concurrency permit, token in the query string. Then the adapter reads parameters, and one
//! transaction checks grant and scope and reads the data.

mod caller;
mod endpoint;
mod exchange;
mod guard;
mod public;

use std::future::Future;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use hyper::header::AUTHORIZATION;
use hyper::http::request::Parts;
use passbook_auth::{Authenticator, Fingerprint};
use passbook_domain::access::Credential;
use passbook_domain::scope::Surface;
use passbook_operations::Service;

use crate::challenge::ChallengeConfig;
use crate::client_address::ClientAddress;
use crate::error_body::write_json;
use crate::host_sign_in::HostSignIn;
use crate::http_error::HttpError;
use crate::observer::RequestObserver;
use crate::rate_limit::RateLimiter;
use crate::{head_limits, query_tokens};
use public::Outcome;

pub use caller::Caller;
pub use endpoint::Endpoint;
pub use exchange::Exchange;
pub use guard::Aborted;
pub use public::{ErrorWriter, PublicPipeline};

/// Maximum duration of a request if a host sets no other, in seconds.
pub const REQUEST_SECONDS_MAX_DEFAULT: u64 = 10;

/// The name of the limit of concurrent requests of a user, for observers.
const CONCURRENCY_LIMIT: &str = "concurrency";

/// Settings of an adapter's pipeline.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PipelineConfig {
    /// The surface of the adapter, which a grant must allow.
    pub surface: Surface,
    /// Settings for the `WWW-Authenticate` challenges.
    pub challenges: ChallengeConfig,
    /// Maximum duration of a request, in seconds.
    pub request_seconds_max: u64,
    /// Function that writes the body of an error response.
    pub write_error: ErrorWriter,
    /// Path of the OpenAPI document at the origin, such as `/api/openapi.json`. The 404 response names it.
    pub openapi_path: Option<String>,
}

impl PipelineConfig {
    /// Creates settings with JSON error bodies, with challenges that name no metadata document, and without an OpenAPI
    /// document.
    pub fn new(surface: Surface, request_seconds_max: u64) -> PipelineConfig {
        let challenges = ChallengeConfig::default();
        PipelineConfig {
            surface,
            challenges,
            request_seconds_max,
            write_error: write_json,
            openapi_path: None,
        }
    }
}

/// The pipeline of an adapter that serves data. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pipeline {
    service: Service,
    authenticator: Authenticator,
    surface: Surface,
    public: PublicPipeline,
    rate_limiter: Option<RateLimiter>,
    /// The credential of a caller that the host has authenticated; `None` if callers send a token.
    host_credential: Option<Credential>,
}

impl Pipeline {
    /// Creates a pipeline over a service.
    pub fn new(service: Service, authenticator: Authenticator, config: PipelineConfig) -> Pipeline {
        let PipelineConfig { surface, challenges, request_seconds_max, write_error, openapi_path } = config;
        let public = PublicPipeline::new(request_seconds_max);
        let public = public.with_errors(challenges, write_error, openapi_path);
        Pipeline { service, authenticator, surface, public, rate_limiter: None, host_credential: None }
    }

    /// Adds per-user rate and concurrency limits. A pipeline without a limiter has no such limits.
    #[must_use]
    pub fn with_rate_limiter(self, rate_limiter: RateLimiter) -> Pipeline {
        Pipeline { rate_limiter: Some(rate_limiter), ..self }
    }

    /// Adds the sign-in of a host with sessions of its own, for the 401 response to a caller without a session.
    #[must_use]
    pub fn with_host_sign_in(self, sign_in: HostSignIn) -> Pipeline {
        Pipeline { public: self.public.with_host_sign_in(sign_in), ..self }
    }

    /// Adds an observer of all requests, also of those without a token.
    #[must_use]
    pub fn with_observer(self, observer: Arc<dyn RequestObserver>) -> Pipeline {
        Pipeline { public: self.public.with_observer(observer), ..self }
    }

    /// Returns a pipeline for the requests of a caller that the host has authenticated. It ignores the `Authorization`
    /// header. The ledger still checks the grant that the credential names, for this pipeline's surface.
    #[must_use]
    pub fn on_behalf_of(&self, credential: Credential) -> Pipeline {
        let public = self.public.for_host_caller();
        Pipeline { host_credential: Some(credential.through(self.surface)), public, ..self.clone() }
    }

    /// Returns the pipeline for this adapter's routes that need no token.
    pub fn public(&self) -> &PublicPipeline {
        &self.public
    }

    /// Returns the settings for this adapter's challenges.
    pub fn challenges(&self) -> &ChallengeConfig {
        self.public.challenges()
    }

    /// Handles one request of a route that returns data. The handler must call [`Pipeline::authenticate`] before it
    /// reads anything but the head of the request.
    pub async fn run<F>(
        &self,
        head: &Parts,
        endpoint: Endpoint,
        handler: impl FnOnce(Exchange) -> F,
    ) -> Response<Full<Bytes>>
    where
        F: Future<Output = Outcome>,
    {
        let checked = |exchange: Exchange| async {
            endpoint.check_method(&head.method)?;
            handler(exchange).await
        };
        self.public.handle(head, endpoint.template, checked).await
    }

    /// Checks the size of the request's head, authenticates the caller, charges the rate limits, waits for a concurrency
    /// permit, and rejects a token in the query string. A token is searched last: without a valid `Authorization` header the
    /// response is 401.
    ///
    /// # Errors
    /// `URI_TOO_LONG`, `HEADERS_TOO_LARGE`, `UNAUTHORIZED`, `UNAVAILABLE`, `RATE_LIMITED` or `INVALID_REQUEST`.
    pub async fn authenticate(&self, exchange: &Exchange, head: &Parts) -> Result<Caller, HttpError> {
        if let Surface::Host(surface) = self.surface {
            exchange.set_surface(surface.as_str());
        }
        head_limits::check(head)?;
        let credential = match &self.host_credential {
            Some(credential) => credential.clone(),
            None => {
                let values = head.headers.get_all(AUTHORIZATION).iter().map(|value| value.as_bytes());
                let client = head.extensions.get().map(|ClientAddress(address)| *address);
                let authenticated = self.authenticator.authenticate(self.surface, values, client).await;
                if let Err(passbook_auth::Error::Directory(failure)) = &authenticated {
                    self.service.record_outage(failure);
                }
                let credential = authenticated?;
                let header = head.headers.get(AUTHORIZATION).map(|value| value.as_bytes());
                if let Some(fingerprint) = header.and_then(Fingerprint::of_header) {
                    exchange.set_token(fingerprint);
                }
                credential
            }
        };
        let admission = match &self.rate_limiter {
            None => None,
            Some(limiter) => {
                let charged = limiter.charge(&credential).await;
                exchange.set_rate_limit(charged.status);
                if let Some(seconds) = charged.retry_after_seconds {
                    exchange.set_exceeded_limit(charged.exceeded);
                    return Err(HttpError::rate_limited(seconds));
                }
                let permit = limiter.acquire_permit(credential.user()).await;
                Some(permit.inspect_err(|_| exchange.set_exceeded_limit(Some(CONCURRENCY_LIMIT)))?)
            }
        };
        query_tokens::check(head)?;
        Ok(Caller::new(self.service.clone(), credential, admission))
    }
}
