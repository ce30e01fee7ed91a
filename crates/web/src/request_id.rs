//! The request identifier, which connects a response with its log lines.

use hyper::HeaderMap;
use hyper::header::HeaderValue;
use uuid::Uuid;

/// Name of the header that contains the request identifier.
pub(crate) const HEADER: &str = "x-request-id";
/// Maximum length of an identifier that a caller chooses, in characters.
const CHARACTERS_MAX: usize = 64;

/// The identifier of a request: sent by the caller, or a new UUID.
#[derive(Clone, Debug)]
pub struct RequestId(String);

impl RequestId {
    /// Returns the identifier in the request headers if it consists of 1 to 64 letters, digits, `.`, `_` and `-`;
    /// otherwise a new UUID.
    pub fn from_headers(headers: &HeaderMap) -> RequestId {
        let is_allowed = |text: &&str| {
            (1..=CHARACTERS_MAX).contains(&text.len())
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        };
        let received = headers.get(HEADER).and_then(|value| value.to_str().ok()).filter(is_allowed);
        RequestId(received.map_or_else(|| Uuid::now_v7().to_string(), str::to_owned))
    }

    /// Returns the identifier as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn to_header(&self) -> HeaderValue {
        HeaderValue::from_str(&self.0).expect("an identifier has only visible ASCII characters")
    }
}
