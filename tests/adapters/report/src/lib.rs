//! Any operation of the catalogue as plain text, a line for each value: `GET /report/top_merchants?timeRange=3m`.

use auth::Authenticator;
use bytes::Bytes;
use domain::scope::Surface;
use http_body_util::Full;
use hyper::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use operations::{Code, Entry, Error, Service, query};
use serde_json::Value;

/// What the paths of the report begin with.
pub const PATH: &str = "/report/";

/// The adapter.
#[derive(Clone, Debug)]
pub struct Report {
    service: Service,
    authenticator: Authenticator,
}

impl Report {
    /// The adapter over a service.
    pub fn new(service: Service, authenticator: Authenticator) -> Report {
        Report { service, authenticator }
    }

    /// Answers a request whose path begins with [`PATH`]. The body is never read.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Full<Bytes>> {
        let (status, text) = match self.answer(&request.into_parts().0).await {
            Ok(text) => (200, text),
            Err(Refusal(status, text)) => (status, text + "\n"),
        };
        let mut response = Response::new(Full::from(text));
        *response.status_mut() = StatusCode::from_u16(status).expect("it is a status");
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if status == Code::Unauthorized.http_status() {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }

    async fn answer(&self, head: &Parts) -> Result<String, Refusal> {
        let id = head.uri.path().strip_prefix(PATH).unwrap_or_default();
        let operation = Entry::all().into_iter().find(|entry| entry.spec.id == id);
        let operation = operation.ok_or_else(|| Refusal(404, "There is no such operation.".to_owned()))?;
        if head.method != Method::GET {
            return Err(Refusal(405, "Only GET is accepted.".to_owned()));
        }
        let authorization = head.headers.get_all(AUTHORIZATION).iter().map(HeaderValue::as_bytes);
        let caller = self.authenticator.authenticate(Surface::Rest, authorization).await?;
        let given = query::parse(head.uri.query().unwrap_or_default());
        let payload = operation.answer(&self.service, &caller, &given).await?;
        let mut text = String::new();
        list(id, &serde_json::from_slice(&payload).expect("a payload is JSON"), &mut text);
        Ok(text)
    }
}

/// A line for each value: where it stands in the payload, and the value as JSON.
fn list(place: &str, value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, member)| list(&format!("{place}.{key}"), member, text));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| list(&format!("{place}.{at}"), item, text));
        }
        scalar => text.push_str(&format!("{place}: {scalar}\n")),
    }
}

/// A request that gets no answer: the status, and what the caller is told.
struct Refusal(u16, String);

impl From<auth::Error> for Refusal {
    fn from(error: auth::Error) -> Refusal {
        let code = if error.is_outage() { Code::Unavailable } else { Code::Unauthorized };
        Refusal(code.http_status(), error.public().to_owned())
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal(error.code().http_status(), error.public())
    }
}
