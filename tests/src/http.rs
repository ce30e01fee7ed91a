//! An HTTP client for tests that reads each response whole.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Body;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use passbook_web::Router;
use serde_json::{Value, json};

/// A response with its whole body.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: StatusCode,
    /// The response headers.
    pub headers: HeaderMap,
    /// The response body.
    pub body: Bytes,
}

impl Reply {
    /// Reads the body of a response.
    pub async fn read<B: Body<Data = Bytes, Error: std::fmt::Debug>>(response: Response<B>) -> Reply {
        let (head, body) = response.into_parts();
        let body = body.collect().await.expect("the body arrives").to_bytes();
        Reply { status: head.status, headers: head.headers, body }
    }

    /// Parses the body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{}: {error}: {:?}", self.status, self.body))
    }

    /// The error code of an error response.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().expect("an error response has a code").to_owned()
    }

    /// Checks status and code of an error response. `place` names the request.
    #[track_caller]
    pub fn assert_error(&self, status: u16, code: &str, place: impl std::fmt::Display) {
        assert_eq!((self.status.as_u16(), self.code().as_str()), (status, code), "{place}: {:?}", self.body);
    }

    /// Returns the value of a header, or the empty text if the header is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("a header is text"))
    }

    /// Parses the body as JSON. The response must have status 200.
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{:?}", self.body);
        self.json()
    }
}

/// An HTTP client that reuses connections.
#[derive(Clone, Debug)]
pub struct Http {
    client: Client<HttpConnector, Full<Bytes>>,
}

impl Default for Http {
    fn default() -> Http {
        Http { client: Client::builder(TokioExecutor::new()).build_http() }
    }
}

impl Http {
    /// Sends a request without a body.
    pub async fn send(&self, method: Method, url: &str, headers: &[(&str, &str)]) -> Reply {
        self.send_body(method, url, headers, Bytes::new()).await
    }

    /// Sends a request with a body.
    pub async fn send_body(&self, method: Method, url: &str, headers: &[(&str, &str)], body: Bytes) -> Reply {
        let request = request(method, url, headers, body);
        Reply::read(self.client.request(request).await.expect("the server sends a response")).await
    }
}

/// Passes a request to a router without a server.
pub async fn handle(
    router: &Router,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: impl Into<Bytes>,
) -> Reply {
    Reply::read(Box::pin(router.handle(request(method, path, headers, body.into()))).await).await
}

fn request(method: Method, url: &str, headers: &[(&str, &str)], body: Bytes) -> Request<Full<Bytes>> {
    let mut request = Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Full::new(body)).expect("a well-formed request")
}

/// Returns a query string of the parameters, percent-encoded.
pub fn query(parameters: &[(&str, &str)]) -> String {
    let pairs: Vec<String> =
        parameters.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
    pairs.join("&")
}

/// Percent-encodes every byte except the unreserved characters of RFC 3986.
pub fn encode(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(encode).collect()
}

/// Sends the code of an address such as `http://127.0.0.1:8080/#code=…`.
///
/// # Panics
/// If the address has no code.
pub async fn exchange_code(address: &str) -> Reply {
    let (page, code) = address.split_once("#code=").expect("a code in the fragment");
    let headers = [
        ("x-passbook-page", "1"),
        ("origin", page.trim_end_matches('/')),
        ("content-type", "application/json"),
    ];
    let body = json!({ "code": code }).to_string();
    Http::default().send_body(Method::POST, &format!("{page}session/code"), &headers, body.into()).await
}

/// Checks that an address signs a user in once.
///
/// # Panics
/// If it does not, or does twice.
pub async fn assert_signs_in_once(address: &str, email: &str) {
    let (page, code) = address.split_once("#code=").expect("a code in the fragment");
    let first = exchange_code(address).await;
    assert_eq!(first.status, 204, "{:?}", first.body);
    let cookie = first.header("set-cookie").split(';').next().expect("a pair").to_owned();
    let headers = [("x-passbook-page", "1"), ("cookie", cookie.as_str())];
    let me = Http::default().send(Method::GET, &format!("{page}data/v1/me"), &headers).await.ok();
    assert_eq!(me["email"], email);
    let second = exchange_code(address).await;
    assert_eq!((second.status.as_u16(), second.header("set-cookie")), (401, ""));
    assert!(!second.json()["error"]["message"].to_string().contains(code));
}
