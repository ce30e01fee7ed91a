//! The exchange of an authorization code for an access token (RFC 6749 section 4.1.3) with PKCE (RFC 7636 section 4.5), as
//! a public client.

use reqwest::{StatusCode, Url};
use serde::Deserialize;

use super::fetch::{FetchError, Fetcher};

/// Maximum length of an error code that is repeated, in characters.
const REASON_CHARACTERS_MAX: usize = 64;

/// An authorization code, with the values that prove that the same client has requested it.
#[derive(Clone, Copy)]
pub struct CodeExchange<'a> {
    /// The authorization code.
    pub code: &'a str,
    /// The code verifier, whose hash was the challenge of the authorization request.
    pub code_verifier: &'a str,
    /// The redirect URI of the authorization request, byte for byte.
    pub redirect_uri: &'a str,
    /// Identifier of the client.
    pub client_id: &'a str,
}

impl std::fmt::Debug for CodeExchange<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CodeExchange").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

/// The reason why a code was not exchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The provider rejects the code, the verifier or the client, or issues a token of another type. Contains the reason.
    #[error("the identity provider rejects the sign-in: {0}")]
    Rejected(String),
    /// The provider cannot be reached or fails. Contains the reason.
    #[error("the identity provider cannot complete the sign-in now: {0}")]
    Unavailable(String),
}

/// A successful response of a token endpoint (RFC 6749 section 5.1). Other members, such as an ID token, are ignored.
#[derive(Deserialize)]
struct Issued {
    access_token: String,
    token_type: String,
}

/// An error response of a token endpoint (RFC 6749 section 5.2).
#[derive(Deserialize)]
struct Refused {
    error: String,
}

/// Exchanges a code at a token endpoint whose address was checked.
pub(super) async fn access_token(
    fetcher: &Fetcher,
    endpoint: &str,
    exchange: &CodeExchange<'_>,
) -> Result<String, ExchangeError> {
    let endpoint = Url::parse(endpoint).map_err(|error| ExchangeError::Unavailable(error.to_string()))?;
    let form = [
        ("grant_type", "authorization_code"),
        ("code", exchange.code),
        ("redirect_uri", exchange.redirect_uri),
        ("client_id", exchange.client_id),
        ("code_verifier", exchange.code_verifier),
    ];
    let (status, body) = fetcher.post_form(endpoint, &form).await.map_err(|error| match error {
        FetchError::NotFound => ExchangeError::Unavailable("its token endpoint does not exist".to_owned()),
        FetchError::Failed(reason) => ExchangeError::Unavailable(reason),
    })?;
    read(status, &body)
}

/// Reads the response of a token endpoint.
fn read(status: StatusCode, body: &[u8]) -> Result<String, ExchangeError> {
    if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS {
        let refused = serde_json::from_slice::<Refused>(body).map(|refused| refused.error);
        let reason = refused.unwrap_or_else(|_| format!("status {}", status.as_u16()));
        let is_printable = |character: &char| character.is_ascii_graphic() || *character == ' ';
        let reason = reason.chars().filter(is_printable).take(REASON_CHARACTERS_MAX).collect();
        return Err(ExchangeError::Rejected(reason));
    }
    if status != StatusCode::OK {
        return Err(ExchangeError::Unavailable(format!("its token endpoint answers {}", status.as_u16())));
    }
    let issued: Issued = serde_json::from_slice(body)
        .map_err(|_| ExchangeError::Rejected("the response has no access token".to_owned()))?;
    if !issued.token_type.eq_ignore_ascii_case("bearer") {
        return Err(ExchangeError::Rejected("the access token is not a bearer token".to_owned()));
    }
    Ok(issued.access_token)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(status: u16, body: &str) -> String {
        let status = StatusCode::from_u16(status).expect("a status");
        match read(status, body.as_bytes()) {
            Ok(token) => token,
            Err(ExchangeError::Rejected(reason)) => format!("rejected: {reason}"),
            Err(ExchangeError::Unavailable(_)) => "unavailable".to_owned(),
        }
    }

    #[test]
    fn response_of_the_token_endpoint_is_a_token_a_rejection_or_an_outage() {
        for (status, body, expected) in [
            (200, r#"{"access_token":"t","token_type":"Bearer","expires_in":60,"id_token":"i"}"#, "t"),
            (200, r#"{"access_token":"t","token_type":"bearer"}"#, "t"),
            (
                200,
                r#"{"access_token":"t","token_type":"DPoP"}"#,
                "rejected: the access token is not a bearer token",
            ),
            (200, r#"{"token_type":"Bearer"}"#, "rejected: the response has no access token"),
            (200, "<html>", "rejected: the response has no access token"),
            (400, r#"{"error":"invalid_grant"}"#, "rejected: invalid_grant"),
            (400, r#"{"error":"invalid\n\u001b[1m gr\u00e4nt"}"#, "rejected: invalid[1m grnt"),
            (401, "", "rejected: status 401"),
            (429, "", "unavailable"),
            (302, "", "unavailable"),
            (503, r#"{"error":"temporarily_unavailable"}"#, "unavailable"),
        ] {
            assert_eq!(result(status, body), expected, "{status} {body}");
        }
    }

    #[test]
    fn debug_text_has_no_secret() {
        let exchange =
            CodeExchange { code: "secret", code_verifier: "secret", redirect_uri: "r", client_id: "c" };
        assert!(!format!("{exchange:?}").contains("secret"));
    }
}
