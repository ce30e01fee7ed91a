//! Domain verification for a vendor of assistants: the vendor gives the operator a token, and this service serves the
//! token at the root of the origin, where the vendor reads it.

use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use passbook_domain::Invalid;
use passbook_web::response;

/// Maximum length of a vendor's name, in bytes.
const VENDOR_BYTES_MAX: usize = 32;
/// Maximum length of a verification token, in bytes.
const TOKEN_BYTES_MAX: usize = 512;

/// A vendor's name, and the token that the vendor has given the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppsChallenge {
    path: String,
    token: Bytes,
}

impl AppsChallenge {
    /// The route template of all vendors, for the log.
    pub(crate) const TEMPLATE: &'static str = "/.well-known/{vendor}-apps-challenge";

    /// Creates the domain verification that is served at `/.well-known/<vendor>-apps-challenge`.
    ///
    /// # Errors
    /// Those of [`AppsChallenge::check_vendor`] and [`AppsChallenge::check_token`].
    pub fn new(vendor: &str, token: &str) -> Result<AppsChallenge, Invalid> {
        Self::check_vendor(vendor)?;
        Self::check_token(token)?;
        let path = format!("/.well-known/{vendor}-apps-challenge");
        Ok(AppsChallenge { path, token: Bytes::copy_from_slice(token.as_bytes()) })
    }

    /// Checks a vendor's name.
    ///
    /// # Errors
    /// The name is not 1 to 32 lower-case letters, digits and hyphens.
    pub fn check_vendor(vendor: &str) -> Result<(), Invalid> {
        let part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if (1..=VENDOR_BYTES_MAX).contains(&vendor.len()) && vendor.bytes().all(part) {
            return Ok(());
        }
        Err(Invalid::new("must be 1 to 32 lower-case letters, digits and hyphens, such as openai"))
    }

    /// Checks a verification token.
    ///
    /// # Errors
    /// The token is not 1 to 512 visible ASCII characters.
    pub fn check_token(token: &str) -> Result<(), Invalid> {
        if (1..=TOKEN_BYTES_MAX).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Ok(());
        }
        Err(Invalid::new("must be 1 to 512 visible ASCII characters, as the vendor shows them"))
    }

    /// Returns the path of the token at the root of the origin.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the response that contains the token as plain text, without a line end.
    pub(crate) fn response(&self) -> Response<Full<Bytes>> {
        let mut response = response::public(self.token.clone());
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        response.headers_mut().insert(CONTENT_TYPE, text);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vendor_and_token_with_other_characters_are_rejected() {
        assert!(AppsChallenge::new("openai", "t-1_x.y").is_ok());
        for vendor in ["", "a/b", "../a", "OpenAI", "a b", "%61", &"a".repeat(33)] {
            assert!(AppsChallenge::new(vendor, "t").is_err(), "{vendor}");
        }
        for token in ["", "a b", "a\n", "é", &"a".repeat(513)] {
            assert!(AppsChallenge::new("openai", token).is_err(), "{token}");
        }
    }
}
