//! An example adapter: every operation of the catalogue as plain text, one line per value, at
//! `GET /report/top_merchants?timeRange=3m`.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, Response};
use passbook_auth::Authenticator;
use passbook_domain::scope::Surface;
use passbook_operations::{Entry, Service};
use passbook_web::{Endpoint, ErrorObject, Pipeline, PipelineConfig, RateLimiter, query_string, response};
use serde_json::Value;

/// The prefix of every path of the report.
pub const PATH: &str = "/report/";

/// The adapter. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Report {
    pipeline: Pipeline,
}

impl Report {
    /// Creates the adapter over a service. A request may take `request_seconds_max` seconds.
    pub fn new(service: Service, authenticator: Authenticator, request_seconds_max: u64) -> Report {
        let mut config = PipelineConfig::new(Surface::Rest, request_seconds_max);
        config.write_error = write_error;
        Report { pipeline: Pipeline::new(service, authenticator, config) }
    }

    /// Adds per-user rate and concurrency limits. Without a limiter there are none.
    #[must_use]
    pub fn with_rate_limiter(self, rate_limiter: RateLimiter) -> Report {
        Report { pipeline: self.pipeline.with_rate_limiter(rate_limiter) }
    }

    /// Handles a request whose path starts with [`PATH`]. The body is never read.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Full<Bytes>> {
        let (head, _) = request.into_parts();
        let id = head.uri.path().strip_prefix(PATH).unwrap_or_default();
        let entry = Entry::all().into_iter().find(|entry| entry.spec.id == id);
        let (head, pipeline) = (&head, &self.pipeline);
        let Some(entry) = entry else { return pipeline.public().not_found(head).await };
        let respond = |exchange| async move {
            let caller = pipeline.authenticate(&exchange, head).await?;
            let parameters = query_string::parse(head.uri.query().unwrap_or_default());
            let result = caller.execute(&entry, &parameters).await?;
            Ok(response::private_text(lines(entry.spec.id, &result)))
        };
        pipeline.run(head, Endpoint::read("/report/{operation}"), respond).await
    }
}

/// Writes an error as its message in plain text. The pipeline sets the status.
fn write_error(error: ErrorObject) -> Response<Full<Bytes>> {
    response::private_text(error.message + "\n")
}

/// Writes a result as text.
fn lines(id: &str, result: &[u8]) -> String {
    let mut text = String::new();
    write_lines(id, &serde_json::from_slice(result).expect("a result is JSON"), &mut text);
    text
}

/// Writes one line per value: its path in the result, and the value as JSON.
fn write_lines(path: &str, value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, member)| write_lines(&format!("{path}.{key}"), member, text));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| write_lines(&format!("{path}.{at}"), item, text));
        }
        scalar => text.push_str(&format!("{path}: {scalar}\n")),
    }
}
