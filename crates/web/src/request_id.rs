//! The identifier of a request, by which an answer and a line of the log find each other.

use hyper::HeaderMap;
use hyper::header::HeaderValue;
use uuid::Uuid;

/// The header that carries it.
pub(crate) const HEADER: &str = "x-request-id";
/// Characters of an identifier that a caller may choose.
const CHARACTERS_MAX: usize = 64;

/// The caller's own identifier where it is harmless, else a new one.
#[derive(Clone, Debug)]
pub struct RequestId(String);

impl RequestId {
    /// Letters, digits, `.`, `_` and `-`, at most [`CHARACTERS_MAX`], are taken over.
    pub fn of(headers: &HeaderMap) -> RequestId {
        let harmless = |text: &&str| {
            (1..=CHARACTERS_MAX).contains(&text.len())
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        };
        let given = headers.get(HEADER).and_then(|value| value.to_str().ok()).filter(harmless);
        RequestId(given.map_or_else(|| Uuid::now_v7().to_string(), str::to_owned))
    }

    /// The identifier.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn to_header(&self) -> HeaderValue {
        HeaderValue::from_str(&self.0).expect("only harmless characters are taken over")
    }
}
