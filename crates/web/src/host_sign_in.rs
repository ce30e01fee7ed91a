//! The sign-in of a host with sessions of its own, for responses and documents.

use hyper::header::HeaderValue;
use serde_json::{Value, json};

/// The sign-in of a host with sessions of its own: the response to a caller without a session, and the description of
/// the sessions in OpenAPI. Without it, responses and documents name bearer tokens only.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HostSignIn {
    /// Message of a 401 response, which tells a person how to sign in.
    pub message: String,
    /// Value of the header `WWW-Authenticate` in a 401 response (RFC 9110 section 11.6.1).
    pub challenge: HeaderValue,
    /// Name of the security scheme in the OpenAPI document.
    pub scheme_name: String,
    /// Security scheme object of the OpenAPI document (OpenAPI 3.1 section 4.8.27).
    pub scheme: Value,
    /// True if the host issues tokens too. Then an invalid token still gets a challenge for bearer tokens, and OpenAPI
    /// lists both schemes.
    pub accepts_tokens: bool,
}

impl HostSignIn {
    /// Creates the sign-in with a session cookie. `page` is the path of the page on which a person signs in, such as
    /// `/sign-in`. The challenge has the scheme `Cookie`, for which no program opens a dialog.
    ///
    /// # Errors
    /// The name of the cookie or the path contains a character that a header or a quoted text does not allow.
    pub fn cookie(cookie: &str, page: &str) -> Result<HostSignIn, passbook_domain::Invalid> {
        let is_plain =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\".contains(&byte));
        let challenge = format!("Cookie form-action=\"{page}\", cookie-name=\"{cookie}\"");
        let challenge = HeaderValue::try_from(challenge).ok().filter(|_| is_plain(cookie) && is_plain(page));
        let rule = "must be visible ASCII characters without quotation marks and backslashes";
        Ok(HostSignIn {
            message: format!("There is no session: sign in at {page}."),
            challenge: challenge.ok_or_else(|| passbook_domain::Invalid::new(rule))?,
            scheme_name: "session".to_owned(),
            scheme: json!({
                "type": "apiKey",
                "in": "cookie",
                "name": cookie,
                "description": format!("The session of a person who has signed in at {page}."),
            }),
            accepts_tokens: true,
        })
    }

    /// Sets the message of a 401 response.
    #[must_use]
    pub fn with_message(self, message: impl Into<String>) -> HostSignIn {
        HostSignIn { message: message.into(), ..self }
    }

    /// Declares that the host issues no tokens: every 401 response has the host's message and challenge, and OpenAPI
    /// lists the host's scheme only.
    #[must_use]
    pub fn without_tokens(self) -> HostSignIn {
        HostSignIn { accepts_tokens: false, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookie_sign_in_names_cookie_and_page() {
        let sign_in = HostSignIn::cookie("sid", "/sign-in").expect("plain texts");
        assert_eq!(sign_in.challenge, "Cookie form-action=\"/sign-in\", cookie-name=\"sid\"");
        assert_eq!(sign_in.message, "There is no session: sign in at /sign-in.");
        assert_eq!((&sign_in.scheme["in"], &sign_in.scheme["name"]), (&json!("cookie"), &json!("sid")));
        assert!(sign_in.accepts_tokens && !sign_in.without_tokens().accepts_tokens);
        for (cookie, page) in [("a\"b", "/"), ("sid", "/a b"), ("sid", "/a\n")] {
            assert!(HostSignIn::cookie(cookie, page).is_err(), "{cookie:?} {page:?}");
        }
    }
}
