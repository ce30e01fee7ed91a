//! The request identifier, which connects a response with its log lines.

use hyper::HeaderMap;
use hyper::header::HeaderValue;
use uuid::Uuid;

/// Name of the header that contains the request identifier.
pub(crate) const HEADER: &str = "x-request-id";
/// Maximum length of an identifier that a caller chooses, in characters.
const CHARACTERS_MAX: usize = 64;
/// Maximum number of letters and digits without a separator in such an identifier. The identifiers of tracing systems
/// have at most 32. Tokens have more: a token that was sent in the wrong header must not reach the log or the response.
const RUN_CHARACTERS_MAX: usize = 32;

/// The identifier of a request: sent by the caller, or a new UUID.
#[derive(Clone, Debug)]
pub struct RequestId(String);

impl RequestId {
    /// Returns the identifier in the request headers if it consists of 1 to 64 letters, digits, `.`, `_` and `-`, with at
    /// most 32 letters and digits in a row; otherwise a new UUID.
    pub fn from_headers(headers: &HeaderMap) -> RequestId {
        let is_allowed = |text: &&str| {
            (1..=CHARACTERS_MAX).contains(&text.len())
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
                && text.split(['.', '_', '-']).all(|run| run.len() <= RUN_CHARACTERS_MAX)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn identifier(received: &'static str) -> String {
        let headers =
            HeaderMap::from_iter([(HEADER.parse().expect("a name"), HeaderValue::from_static(received))]);
        RequestId::from_headers(&headers).as_str().to_owned()
    }

    #[test]
    fn identifiers_of_tracing_systems_are_used() {
        for received in ["req-1", "4bf92f3577b34da6a3ce929d0e0e4736", "01HF7YAT00000000000000000Z", "a.b_c"] {
            assert_eq!(identifier(received), received);
        }
    }

    #[test]
    fn token_in_the_header_is_replaced() {
        for received in [
            "pbk_0123456789abcdefghijABCDEFGHIJ0123456789ab",
            "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ.eyJpc3MiOiJodHRwcyJ9.c2ln",
            "a b",
        ] {
            assert_ne!(identifier(received), received);
        }
    }
}
