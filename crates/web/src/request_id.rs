//! The identifiers of a request in its headers: its own, which connects a response with its log lines, and the identifiers of
//! the trace to which a caller says that its request belongs (W3C Trace Context, level 1).

use hyper::HeaderMap;
use hyper::header::HeaderValue;
use uuid::Uuid;

/// Name of the header that contains the request identifier.
pub(crate) const REQUEST_ID_HEADER: &str = "x-request-id";
/// Maximum length of an identifier that a caller chooses, in characters.
const CHARACTERS_MAX: usize = 64;
/// Maximum number of letters and digits without a separator in such an identifier. The identifiers of tracing systems
/// have at most 32. Tokens have more: a token that was sent in the wrong header must not reach the log or the response.
const RUN_CHARACTERS_MAX: usize = 32;
/// Name of the header with the trace context.
const TRACE_HEADER: &str = "traceparent";

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
        let received =
            headers.get(REQUEST_ID_HEADER).and_then(|value| value.to_str().ok()).filter(is_allowed);
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

/// The trace context of a caller. Its identifiers consist of lower-case hexadecimal digits only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceContext {
    /// The identifier of the trace: 32 digits, not all zero.
    pub trace_id: String,
    /// The identifier of the caller's span: 16 digits, not all zero.
    pub parent_id: String,
    /// True if the caller may have recorded the trace.
    pub is_sampled: bool,
}

impl TraceContext {
    /// Reads the header `traceparent`. Returns `None` if it is absent, repeated or invalid: an invalid header is ignored
    /// (W3C Trace Context section 3.2.2.3).
    pub fn from_headers(headers: &HeaderMap) -> Option<TraceContext> {
        let mut values = headers.get_all(TRACE_HEADER).iter();
        let text = values.next().filter(|_| values.next().is_none())?.to_str().ok()?;
        let mut parts = text.split('-');
        let version = digits(parts.next()?, 2)?;
        let trace_id = digits(parts.next()?, 32)?;
        let parent_id = digits(parts.next()?, 16)?;
        let flags = digits(parts.next()?, 2)?;
        // Later versions may add parts; version ff is forbidden.
        let has_more = parts.next().is_some();
        if version == "ff" || (version == "00" && has_more) || is_zero(trace_id) || is_zero(parent_id) {
            return None;
        }
        let is_sampled = u8::from_str_radix(flags, 16).ok()? & 1 == 1;
        Some(TraceContext { trace_id: trace_id.to_owned(), parent_id: parent_id.to_owned(), is_sampled })
    }
}

fn digits(part: &str, length: usize) -> Option<&str> {
    let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (part.len() == length && part.bytes().all(is_digit)).then_some(part)
}

fn is_zero(digits: &str) -> bool {
    digits.bytes().all(|digit| digit == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const SPAN: &str = "00f067aa0ba902b7";

    fn identifier(received: &'static str) -> String {
        let headers = HeaderMap::from_iter([(
            REQUEST_ID_HEADER.parse().expect("a name"),
            HeaderValue::from_static(received),
        )]);
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

    fn trace(values: &[&str]) -> Option<TraceContext> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(TRACE_HEADER, HeaderValue::from_str(value).expect("a value"));
        }
        TraceContext::from_headers(&headers)
    }

    #[test]
    fn valid_trace_header_is_read() {
        for (flags, is_sampled) in [("00", false), ("01", true), ("03", true)] {
            let context = trace(&[&format!("00-{TRACE}-{SPAN}-{flags}")]).expect("a context");
            let expected =
                TraceContext { trace_id: TRACE.to_owned(), parent_id: SPAN.to_owned(), is_sampled };
            assert_eq!(context, expected);
        }
        assert!(trace(&[&format!("01-{TRACE}-{SPAN}-01-future")]).is_some());
    }

    #[test]
    fn invalid_trace_header_is_ignored() {
        let valid = format!("00-{TRACE}-{SPAN}-01");
        assert_eq!(trace(&[]), None);
        assert_eq!(trace(&[&valid, &valid]), None);
        for value in [
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("00-{TRACE}-{SPAN}-01-more"),
            format!("00-{}-{SPAN}-01", "0".repeat(32)),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
            format!("00-{TRACE}x-{SPAN}-01"),
            format!("00-{TRACE}-{SPAN}"),
        ] {
            assert_eq!(trace(&[&value]), None, "{value}");
        }
    }
}
