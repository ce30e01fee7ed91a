//! The challenge by which a vendor of assistants finds out that a domain is its operator's: a word at the root of the
//! origin.

use bytes::Bytes;
use domain::Invalid;
use http_body_util::Full;
use hyper::Response;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use web::reply;

/// Bytes of a vendor's name and of a token at most.
const VENDOR_BYTES_MAX: usize = 32;
const TOKEN_BYTES_MAX: usize = 512;

/// A vendor and the token that it has given the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppsChallenge {
    path: String,
    token: Bytes,
}

impl AppsChallenge {
    /// The path, for logs and descriptions: which vendor it is does not matter there.
    pub(crate) const TEMPLATE: &'static str = "/.well-known/{vendor}-apps-challenge";

    /// The challenge at `/.well-known/<vendor>-apps-challenge`.
    ///
    /// # Errors
    /// [`AppsChallenge::check_vendor`] and [`AppsChallenge::check_token`].
    pub fn new(vendor: &str, token: &str) -> Result<AppsChallenge, Invalid> {
        Self::check_vendor(vendor)?;
        Self::check_token(token)?;
        let path = format!("/.well-known/{vendor}-apps-challenge");
        Ok(AppsChallenge { path, token: Bytes::copy_from_slice(token.as_bytes()) })
    }

    /// Refuses what is no vendor's name.
    ///
    /// # Errors
    /// Unless it is 1 to 32 lower-case letters, digits and hyphens.
    pub fn check_vendor(vendor: &str) -> Result<(), Invalid> {
        let part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if (1..=VENDOR_BYTES_MAX).contains(&vendor.len()) && vendor.bytes().all(part) {
            return Ok(());
        }
        Err(Invalid::new("must be 1 to 32 lower-case letters, digits and hyphens, such as openai"))
    }

    /// Refuses what is no token.
    ///
    /// # Errors
    /// Unless it is 1 to 512 visible ASCII characters.
    pub fn check_token(token: &str) -> Result<(), Invalid> {
        if (1..=TOKEN_BYTES_MAX).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Ok(());
        }
        Err(Invalid::new("must be 1 to 512 visible ASCII characters, as the vendor shows them"))
    }

    /// Where on the origin it is.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The token and nothing else: no line end.
    pub(crate) fn reply(&self) -> Response<Full<Bytes>> {
        let mut response = reply::public(self.token.clone());
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        response.headers_mut().insert(CONTENT_TYPE, text);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_would_be_another_path_is_refused() {
        assert!(AppsChallenge::new("openai", "t-1_x.y").is_ok());
        for vendor in ["", "a/b", "../a", "OpenAI", "a b", "%61", &"a".repeat(33)] {
            assert!(AppsChallenge::new(vendor, "t").is_err(), "{vendor}");
        }
        for token in ["", "a b", "a\n", "é", &"a".repeat(513)] {
            assert!(AppsChallenge::new("openai", token).is_err(), "{token}");
        }
    }
}
