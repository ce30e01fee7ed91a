//! The trace context of a request (W3C Trace Context, level 1): the trace to which a caller says that its request belongs.

use hyper::HeaderMap;

/// Name of the header with the trace context.
const HEADER: &str = "traceparent";

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
        let mut values = headers.get_all(HEADER).iter();
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
    use hyper::header::HeaderValue;

    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const SPAN: &str = "00f067aa0ba902b7";

    fn read(values: &[&str]) -> Option<TraceContext> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(HEADER, HeaderValue::from_str(value).expect("a value"));
        }
        TraceContext::from_headers(&headers)
    }

    #[test]
    fn valid_header_is_read() {
        for (flags, is_sampled) in [("00", false), ("01", true), ("03", true)] {
            let context = read(&[&format!("00-{TRACE}-{SPAN}-{flags}")]).expect("a context");
            let expected =
                TraceContext { trace_id: TRACE.to_owned(), parent_id: SPAN.to_owned(), is_sampled };
            assert_eq!(context, expected);
        }
        assert!(read(&[&format!("01-{TRACE}-{SPAN}-01-future")]).is_some());
    }

    #[test]
    fn invalid_header_is_ignored() {
        let valid = format!("00-{TRACE}-{SPAN}-01");
        assert_eq!(read(&[]), None);
        assert_eq!(read(&[&valid, &valid]), None);
        for value in [
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("00-{TRACE}-{SPAN}-01-more"),
            format!("00-{}-{SPAN}-01", "0".repeat(32)),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
            format!("00-{TRACE}x-{SPAN}-01"),
            format!("00-{TRACE}-{SPAN}"),
        ] {
            assert_eq!(read(&[&value]), None, "{value}");
        }
    }
}
