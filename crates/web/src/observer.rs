//! The end of each request, for a host that counts and measures requests.

use std::time::Duration;

use hyper::StatusCode;

/// A request that a pipeline has answered. Every field but the duration has a bounded set of values, so that it may become
/// the label of a metric.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AnsweredRequest {
    /// The HTTP method; `other` for a method that neither RFC 9110 section 9 nor RFC 5789 defines.
    pub method: &'static str,
    /// The route template, such as `/v1/me`; `unknown` for a path without a route.
    pub route: &'static str,
    /// The name of a call inside the request, such as a JSON-RPC method.
    pub call: Option<&'static str>,
    /// The name of the called tool.
    pub tool: Option<&'static str>,
    /// The HTTP status of the response.
    pub status: StatusCode,
    /// The error code of a failure of the service, such as `TIMEOUT` or `INTERNAL`, also if the HTTP status is 200.
    pub failure: Option<&'static str>,
    /// The name of the rate limit that rejected the request.
    pub exceeded_limit: Option<&'static str>,
    /// The time from the complete head of the request to the complete response. The time in which the response leaves
    /// is not included.
    pub duration: Duration,
}

impl AnsweredRequest {
    /// Creates a request without a call, a tool and a failure, for the tests of an observer.
    pub fn new(
        method: &'static str,
        route: &'static str,
        status: StatusCode,
        duration: Duration,
    ) -> AnsweredRequest {
        let (call, tool, failure, exceeded_limit) = (None, None, None, None);
        AnsweredRequest { method, route, call, tool, status, failure, exceeded_limit, duration }
    }
}

/// Receives the end of each request. A host that collects metrics implements it and passes it to its adapters. It is
/// called on the task of the request, so it must not block.
pub trait RequestObserver: std::fmt::Debug + Send + Sync {
    /// Called once for each request that a pipeline has answered.
    fn answered(&self, request: &AnsweredRequest);
}
