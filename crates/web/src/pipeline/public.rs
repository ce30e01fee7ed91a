//! The part of the pipeline that every request passes through, with or without a token.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use hyper::http::request::Parts;
use tokio::time::Instant;
use tracing::Instrument as _;

use super::endpoint::Endpoint;
use super::exchange::Exchange;
use crate::challenge::ChallengeConfig;
use crate::error_body::{ErrorObject, write_json};
use crate::host_sign_in::HostSignIn;
use crate::http_error::HttpError;
use crate::observer::RequestObserver;
use crate::{head_limits, query_tokens, response};

/// The response of a handler, or the error that the pipeline turns into a response.
pub(super) type Outcome = Result<Response<Full<Bytes>>, HttpError>;

/// A function that writes the body of an error response. The pipeline adds status and headers. The default is
/// [`write_json`].
pub type ErrorWriter = fn(ErrorObject) -> Response<Full<Bytes>>;

/// The pipeline of routes that need no token: request id, span, deadline, panic guard, method, size of the head, tokens
/// in the query string, error response, standard headers and log line. Cheap to clone.
#[derive(Clone, Debug)]
pub struct PublicPipeline {
    request_seconds_max: u64,
    /// Shared, because a host clones its adapters for each request.
    challenges: Arc<ChallengeConfig>,
    write_error: ErrorWriter,
    openapi_path: Option<Arc<str>>,
    /// True if the host has authenticated the caller.
    is_host_caller: bool,
    observer: Option<Arc<dyn RequestObserver>>,
}

impl PublicPipeline {
    /// Creates a pipeline in which each request may take up to `request_seconds_max` seconds.
    pub fn new(request_seconds_max: u64) -> PublicPipeline {
        let challenges = Arc::default();
        PublicPipeline {
            request_seconds_max,
            challenges,
            write_error: write_json,
            openapi_path: None,
            is_host_caller: false,
            observer: None,
        }
    }

    /// Adds an observer of all requests.
    #[must_use]
    pub fn with_observer(self, observer: Arc<dyn RequestObserver>) -> PublicPipeline {
        PublicPipeline { observer: Some(observer), ..self }
    }

    pub(super) fn with_errors(
        self,
        challenges: ChallengeConfig,
        write_error: ErrorWriter,
        openapi_path: Option<String>,
    ) -> PublicPipeline {
        let openapi_path = openapi_path.map(Arc::from);
        PublicPipeline { challenges: Arc::new(challenges), write_error, openapi_path, ..self }
    }

    pub(super) fn for_host_caller(&self) -> PublicPipeline {
        PublicPipeline { is_host_caller: true, ..self.clone() }
    }

    pub(super) fn with_host_sign_in(self, sign_in: HostSignIn) -> PublicPipeline {
        let challenges = ChallengeConfig::clone(&self.challenges).with_host_sign_in(sign_in);
        PublicPipeline { challenges: Arc::new(challenges), ..self }
    }

    pub(super) fn challenges(&self) -> &ChallengeConfig {
        &self.challenges
    }

    /// Returns the 404 response for a request whose path has no route.
    pub async fn not_found(&self, head: &Parts) -> Response<Full<Bytes>> {
        let openapi_path = self.openapi_path.as_deref();
        self.handle(head, "unknown", |_| async { Err(HttpError::not_found(openapi_path)) }).await
    }

    /// Handles one request of a public route.
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
            head_limits::check(head)?;
            query_tokens::check_public(head)?;
            handler(exchange).await
        };
        self.handle(head, endpoint.template, checked).await
    }

    /// Handles one request of any route. The handler checks the method and the size of the head.
    pub(super) async fn handle<F>(
        &self,
        head: &Parts,
        template: &'static str,
        handler: impl FnOnce(Exchange) -> F,
    ) -> Response<Full<Bytes>>
    where
        F: Future<Output = Outcome>,
    {
        let started = Instant::now();
        let deadline = started + Duration::from_secs(self.request_seconds_max);
        let exchange = Exchange::new(head, template, deadline);
        let request = async { handler(exchange.clone()).await };
        let span = exchange.span().clone();
        let outcome = exchange.guard_all(request).instrument(span.clone()).await;
        let mut response = match outcome.unwrap_or_else(|aborted| Err(aborted.into())) {
            Ok(response) => response,
            Err(error) => {
                exchange.record_error(&error);
                let (id, challenges) = (exchange.request_id(), &self.challenges);
                error.into_response(id, challenges, self.is_host_caller, self.write_error)
            }
        };
        response::add_standard_headers(&mut response, exchange.request_id());
        exchange.take_rate_limit().add_headers(&mut response);
        let duration = started.elapsed();
        span.record("status", response.status().as_u16());
        exchange.log(response.status(), duration);
        if let Some(observer) = &self.observer {
            exchange.observe(observer.as_ref(), response.status(), duration);
        }
        response
    }
}
