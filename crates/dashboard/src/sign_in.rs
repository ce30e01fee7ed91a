//! Sign-in at the identity provider with the authorization code flow and PKCE (RFC 6749 section 4.1, RFC 7636), as a
//! public client.
//!
//! One sealed cookie per attempt has the state, the code verifier and the return address. A callback is accepted only
//! from the browser that began the attempt, once, within ten minutes.

use std::collections::HashMap;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hyper::HeaderMap;
use hyper::header::HeaderValue;
use hyper::http::request::Parts;
use passbook_auth::provider::{CodeExchange, ExchangeError};
use passbook_web::query_string::decode;
use passbook_web::{ClientAddress, Pipeline};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};

use crate::cookies::{self, Cookies};
use crate::exchange_limits::{Exchanges, SpentStates};
use crate::sealing::{Sealer, random_text};

/// Time within which a person must sign in, in seconds.
const ATTEMPT_SECONDS: i64 = 600;
/// Number of attempts of one browser at a time. A further attempt ends the earlier ones, so that their cookies cannot fill
/// the head of every request.
const ATTEMPTS_MAX: usize = 5;
/// Number of random bytes of a state and of a code verifier: 43 characters, the minimum of RFC 7636 section 4.1.
const RANDOM_BYTES: usize = 32;
/// Maximum length of a return address, in bytes.
const RETURN_BYTES_MAX: usize = 512;
/// The scopes of the request. The grant of the client decides which data the page may read.
const SCOPE: &str = "openid email profile";
/// Every ASCII character but the unreserved ones (RFC 3986 section 2.3).
const NOT_UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The identity provider, and the registration of the page as its client.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SignInConfig {
    /// The identity provider.
    pub provider: passbook_auth::Provider,
    /// Identifier of the page at the identity provider. The client is public, and its redirect URI is the address of the
    /// page followed by `/session/callback`.
    pub client_id: String,
    /// Address to which a person is sent to sign in: the authorization proxy of this service.
    pub authorization_endpoint: String,
}

impl SignInConfig {
    /// Creates the settings of a sign-in at `provider`.
    pub fn new(
        provider: passbook_auth::Provider,
        client_id: impl Into<String>,
        authorization_endpoint: impl Into<String>,
    ) -> SignInConfig {
        let (client_id, authorization_endpoint) = (client_id.into(), authorization_endpoint.into());
        SignInConfig { provider, client_id, authorization_endpoint }
    }
}

/// The content of the cookie of one attempt.
#[derive(Deserialize, Serialize)]
struct Attempt {
    state: String,
    verifier: String,
    /// The part of the page's address after `#`; empty for the start of the page.
    back: String,
    /// Time at which the attempt ends, in seconds since 1970.
    expires: i64,
}

/// The reason why a sign-in failed. The page explains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// This browser has not begun the attempt, or more than ten minutes ago, or the attempt has had its callback.
    State,
    /// The person has refused.
    Denied,
    /// The identity provider refuses the sign-in, or the callback is from another provider.
    Provider,
    /// This service does not accept the access token.
    Token,
    /// The access token does not fit into a cookie.
    TokenTooLarge,
    /// The identity provider or this service cannot answer now.
    Unavailable,
}

impl Failure {
    /// Returns the code of the failure in the address of the page.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Failure::State => "state",
            Failure::Denied => "denied",
            Failure::Provider => "provider",
            Failure::Token => "token",
            Failure::TokenTooLarge => "token-too-large",
            Failure::Unavailable => "unavailable",
        }
    }
}

/// A sign-in that has succeeded at the identity provider.
pub(crate) struct SignedIn {
    /// The access token, which is not verified yet.
    pub(crate) token: String,
    /// The part of the page's address after `#`.
    pub(crate) back: String,
}

/// Begins and completes attempts.
#[derive(Debug)]
pub(crate) struct SignIn {
    config: SignInConfig,
    redirect_uri: String,
    /// It counts each exchange against the client's address, as the check of an unseen token.
    pipeline: Pipeline,
    exchanges: Exchanges,
    spent: SpentStates,
}

impl SignIn {
    pub(crate) fn new(config: SignInConfig, redirect_uri: String, pipeline: Pipeline) -> SignIn {
        let (exchanges, spent) = Default::default();
        SignIn { config, redirect_uri, pipeline, exchanges, spent }
    }

    /// Begins an attempt at `now`. Returns the address to which the browser is redirected, and the headers that store the
    /// attempt's cookie and delete those of too many earlier ones.
    pub(crate) fn begin(
        &self,
        headers: &HeaderMap,
        query: &str,
        (cookies, sealer): (&Cookies, &Sealer),
        now: i64,
    ) -> (String, Vec<HeaderValue>) {
        let attempt = Attempt {
            state: random_text::<RANDOM_BYTES>(),
            verifier: random_text::<RANDOM_BYTES>(),
            back: return_address(query),
            expires: now + ATTEMPT_SECONDS,
        };
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, attempt.verifier.as_bytes()));
        let parameters = [
            ("response_type", "code"),
            ("client_id", &self.config.client_id),
            ("redirect_uri", &self.redirect_uri),
            ("scope", SCOPE),
            ("state", &attempt.state),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        let pair =
            |(name, value): (&str, &str)| format!("{name}={}", utf8_percent_encode(value, NOT_UNRESERVED));
        let query: Vec<String> = parameters.into_iter().map(pair).collect();
        let location = format!("{}?{}", self.config.authorization_endpoint, query.join("&"));
        let earlier = cookies.attempts(headers);
        let mut stored: Vec<HeaderValue> = match earlier.len() {
            0..ATTEMPTS_MAX => Vec::new(),
            _ => earlier.into_iter().map(|name| cookies.delete(name)).collect(),
        };
        let name = cookies.attempt_name(&attempt.state);
        let value = serde_json::to_vec(&attempt).expect("an attempt has only string keys");
        stored.push(cookies.store(&name, &sealer.seal(&name, value), ATTEMPT_SECONDS));
        (location, stored)
    }

    /// Completes the attempt that the callback's `state` names. Returns the name of the attempt's cookie, which is spent,
    /// with the result.
    pub(crate) async fn complete(
        &self,
        head: &Parts,
        (cookies, sealer): (&Cookies, &Sealer),
        now: i64,
    ) -> (Option<String>, Result<SignedIn, Failure>) {
        let Some(callback) = parameters(head.uri.query().unwrap_or_default()) else {
            return (None, Err(Failure::State));
        };
        let state = callback.get("state").map_or("", String::as_str);
        let name = cookies.attempt_name(state);
        let opened = cookies::values(&head.headers, &name).find_map(|value| sealer.open(&name, value));
        let attempt: Option<Attempt> = opened.and_then(|value| serde_json::from_slice(&value).ok());
        let is_own = |attempt: &Attempt| {
            verify_slices_are_equal(attempt.state.as_bytes(), state.as_bytes()).is_ok()
                && now < attempt.expires
                && self.spent.spend(attempt.state.clone(), attempt.expires, now)
        };
        let Some(attempt) = attempt.filter(is_own) else { return (None, Err(Failure::State)) };
        (Some(name), self.exchange(&callback, attempt, head).await)
    }

    async fn exchange(
        &self,
        callback: &HashMap<String, String>,
        attempt: Attempt,
        head: &Parts,
    ) -> Result<SignedIn, Failure> {
        let provider = &self.config.provider;
        self.pipeline.charge_unseen(head).map_err(|_| Failure::Unavailable)?;
        let client = head.extensions.get().map(|ClientAddress(address)| *address);
        let _exchange = self.exchanges.begin(client).ok_or(Failure::Unavailable)?;
        let discovery = provider.discovery_document().await.map_err(|_| Failure::Unavailable)?;
        match callback.get("iss") {
            Some(issuer) if issuer == provider.issuer() => {}
            None if !discovery.authorization_response_iss_parameter_supported => {}
            _ => return Err(Failure::Provider),
        }
        let code = match (callback.get("error").map(String::as_str), callback.get("code")) {
            (Some("access_denied"), _) => return Err(Failure::Denied),
            (None, Some(code)) => code,
            _ => return Err(Failure::Provider),
        };
        let exchange = CodeExchange {
            code,
            code_verifier: &attempt.verifier,
            redirect_uri: &self.redirect_uri,
            client_id: &self.config.client_id,
        };
        match provider.exchange_code(&exchange).await {
            Ok(token) => Ok(SignedIn { token, back: attempt.back }),
            Err(ExchangeError::Rejected(_)) => Err(Failure::Provider),
            // Unavailable, or a reason of a later version.
            Err(_) => Err(Failure::Unavailable),
        }
    }
}

/// Returns the parameters of a callback; `None` if one is repeated (RFC 6749 section 3.1) or unreadable.
fn parameters(query: &str) -> Option<HashMap<String, String>> {
    let mut found = HashMap::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        if found.insert(decode(name)?, decode(value)?).is_some() {
            return None;
        }
    }
    Some(found)
}

/// Returns the part of the page's address after `#` to which the person returns: the parameter `return`, if it starts with
/// a slash and has only characters of a fragment (RFC 3986 section 3.5). Other values are ignored, and no value can lead to
/// another page.
fn return_address(query: &str) -> String {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"/?=&.,_~:+%-".contains(&byte);
    let value = parameters(query).and_then(|mut parameters| parameters.remove("return")).unwrap_or_default();
    let is_address =
        value.starts_with('/') && value.len() <= RETURN_BYTES_MAX && value.bytes().all(is_allowed);
    if is_address { value } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn return_address_is_a_fragment_of_the_page() {
        for (query, expected) in [
            ("return=%2Fnet-worth%3Frange%3D1y", "/net-worth?range=1y"),
            ("", ""),
            ("return=", ""),
            ("return=net-worth", ""),
            ("return=https%3A%2F%2Fevil.example", ""),
            ("return=%2Fa%0D%0Aset-cookie%3A+x", ""),
            ("return=%2Fa%23b", ""),
            ("return=%2Fa&return=%2Fb", ""),
        ] {
            assert_eq!(return_address(query), expected, "{query}");
        }
        assert_eq!(return_address(&format!("return=/{}", "a".repeat(RETURN_BYTES_MAX))), "");
    }

    #[test]
    fn repeated_and_unreadable_parameters_of_a_callback_are_refused() {
        assert_eq!(parameters("code=a&state=b").map(|found| found.len()), Some(2));
        assert!(parameters("code=a&state=b&code=c").is_none());
        assert!(parameters("code=%zz").is_none());
    }
}
