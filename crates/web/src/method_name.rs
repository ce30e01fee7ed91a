//! The names of HTTP methods in log lines, spans and metrics.

use hyper::Method;

/// Returns the name of a method of RFC 9110 section 9 or RFC 5789, and `other` for any other method. A caller may send up
/// to 64 KiB of text as the method, such as a token, and the text must not get into a log.
pub(crate) fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::OPTIONS => "OPTIONS",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::CONNECT => "CONNECT",
        Method::TRACE => "TRACE",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_an_unknown_method_is_not_part_of_its_name() {
        for method in ["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "CONNECT", "TRACE"] {
            assert_eq!(method_name(&method.parse().expect("a method")), method);
        }
        for method in ["get", "PROPFIND", "pbk_secret"] {
            assert_eq!(method_name(&method.parse().expect("a token")), "other", "{method}");
        }
    }
}
