//! Prefixes to adapters.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, Response, Uri};
use rest::Rest;

/// Where the base address lies on the origin.
pub const PREFIX: &str = "/api";

/// Everything that is served, by prefix.
#[derive(Clone, Debug)]
pub struct Mount {
    rest: Rest,
}

impl Mount {
    /// The REST adapter below [`PREFIX`].
    pub fn new(rest: Rest) -> Mount {
        Mount { rest }
    }

    /// Answers a request of the whole origin.
    pub async fn handle<B>(&self, mut request: Request<B>) -> Response<Full<Bytes>> {
        *request.uri_mut() = relative(request.uri());
        self.rest.handle(request).await
    }
}

/// The target below the prefix. What lies outside becomes the root, where the adapter serves nothing.
fn relative(uri: &Uri) -> Uri {
    let target = uri.path_and_query().map_or("/", |target| target.as_str());
    let below = target.strip_prefix(PREFIX).filter(|below| below.starts_with('/'));
    below.and_then(|below| below.parse().ok()).unwrap_or_else(|| Uri::from_static("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_prefix_is_taken_off() {
        for (from, to) in [
            ("/api/v1/me?x=1", "/v1/me?x=1"),
            ("http://localhost/api/health", "/health"),
            ("/v1/me", "/"),
            ("/apiv1/me", "/"),
            ("/api", "/"),
            ("/", "/"),
        ] {
            assert_eq!(relative(&from.parse().expect("a URI")).to_string(), to, "{from}");
        }
    }
}
