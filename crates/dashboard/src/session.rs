//! The session: an access token or personal access token in a sealed cookie. The server stores nothing.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hyper::HeaderMap;
use hyper::header::HeaderValue;
use serde::{Deserialize, Serialize};

use crate::cookies::{self, Cookies, VALUE_BYTES_MAX};
use crate::sealing::Sealer;

/// Lifetime of a session with a personal access token, in seconds: a day. The grant of the token is checked with each
/// request, so no session outlives its token.
const PERSONAL_SECONDS: i64 = 24 * 60 * 60;

/// The content of the session cookie.
#[derive(Deserialize, Serialize)]
pub(crate) struct Session {
    /// The token that data requests are sent with.
    pub(crate) token: String,
    /// Time at which the session ends, in seconds since 1970.
    expires: i64,
}

/// The sealed session does not fit into a cookie.
#[derive(Debug)]
pub(crate) struct TooLarge;

impl Session {
    /// Creates a session that starts at `now` and lives as long as the token.
    pub(crate) fn new(token: String, now: i64) -> Session {
        let expires = expiry(&token).unwrap_or(now + PERSONAL_SECONDS);
        Session { token, expires }
    }

    /// Returns the header value that stores the session.
    ///
    /// # Errors
    /// The token is too large.
    pub(crate) fn store(
        &self,
        cookies: &Cookies,
        sealer: &Sealer,
        now: i64,
    ) -> Result<HeaderValue, TooLarge> {
        let name = cookies.session_name();
        let value = serde_json::to_vec(self).expect("a session has only string keys");
        let value = sealer.seal(&name, value);
        if value.len() > VALUE_BYTES_MAX {
            return Err(TooLarge);
        }
        Ok(cookies.store(&name, &value, (self.expires - now).max(0)))
    }

    /// Returns the session of a request; `None` without a session cookie that was sealed here and has not expired.
    pub(crate) fn read(headers: &HeaderMap, cookies: &Cookies, sealer: &Sealer, now: i64) -> Option<Session> {
        let name = cookies.session_name();
        let opened = cookies::values(headers, &name).filter_map(|value| sealer.open(&name, value));
        let mut sessions = opened.filter_map(|value| serde_json::from_slice::<Session>(&value).ok());
        sessions.find(|session| session.expires > now)
    }
}

/// Returns the expiry of a signed access token (RFC 7519 section 4.1.4), in seconds since 1970; `None` for any other token.
/// The signature is not verified here: the REST adapter verifies the token with each request.
fn expiry(token: &str) -> Option<i64> {
    #[derive(Deserialize)]
    struct Claims {
        exp: serde_json::Number,
    }
    let mut parts = token.split('.');
    let claims = parts.nth(1).filter(|_| parts.next().is_some() && parts.next().is_none())?;
    let claims: Claims = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()?;
    let fraction = || claims.exp.as_f64().filter(|seconds| (0.0..1e15).contains(seconds));
    #[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
    let whole = || fraction().map(|seconds| seconds as i64);
    claims.exp.as_i64().or_else(whole)
}

#[cfg(test)]
mod tests {
    use passbook_web::BaseUrl;

    use super::*;
    use crate::sealing::SessionKey;

    const NOW: i64 = 1_000;

    fn signed(claims: &str) -> String {
        format!("e30.{}.c2ln", URL_SAFE_NO_PAD.encode(claims))
    }

    fn browser() -> (Cookies, Sealer) {
        let page_url = BaseUrl::parse("http://127.0.0.1:1").expect("an address");
        (Cookies::new(&page_url), Sealer::new(&SessionKey::generate(), page_url.origin()))
    }

    #[test]
    fn session_lives_as_long_as_its_token() {
        let expires = |token: String| Session::new(token, NOW).expires;
        assert_eq!(expires(signed("{\"exp\":1300}")), 1_300);
        assert_eq!(expires(signed("{\"exp\":1300.9}")), 1_300);
        for token in ["pbk_x".to_owned(), signed("{}"), signed("{\"exp\":1e300}"), "a.b.c.d".to_owned()] {
            assert_eq!(expires(token.clone()), NOW + PERSONAL_SECONDS, "{token}");
        }
        let (cookies, sealer) = browser();
        let stored = Session::new(signed("{\"exp\":1300}"), NOW).store(&cookies, &sealer, NOW);
        let stored = stored.expect("it fits");
        assert!(stored.to_str().expect("text").ends_with("; Max-Age=300"), "{stored:?}");
    }

    #[test]
    fn expired_session_is_not_read() {
        let (cookies, sealer) = browser();
        let stored =
            Session::new(signed("{\"exp\":1300}"), NOW).store(&cookies, &sealer, NOW).expect("it fits");
        let pair = stored.to_str().expect("text").split(';').next().expect("a pair").to_owned();
        let headers = HeaderMap::from_iter([(hyper::header::COOKIE, pair.parse().expect("a header"))]);
        assert!(Session::read(&headers, &cookies, &sealer, 1_299).is_some());
        assert!(Session::read(&headers, &cookies, &sealer, 1_300).is_none());
    }

    #[test]
    fn token_that_does_not_fit_into_a_cookie_is_refused() {
        let (cookies, sealer) = browser();
        let fits = |bytes| Session::new("x".repeat(bytes), NOW).store(&cookies, &sealer, NOW).is_ok();
        assert!(fits(2_900));
        assert!(!fits(3_000));
    }
}
