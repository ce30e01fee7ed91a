//! The rules that an access token can break.

use crate::error::Error;

/// The rule that an access token breaks. For the operator's log, never for the caller; contains no text of the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// The token's header is not a JSON object, or has two members of one name.
    #[error("its header is not a JSON object with distinct member names")]
    Header,
    /// The token's header has a member that names an extension or supplies a key, such as `crit`, `zip` or `jwk` (RFC
    /// 7515 sections 4.1.2 to 4.1.11, RFC 7516 and RFC 7797).
    #[error("its header has a member that is not accepted")]
    HeaderMember,
    /// The member `typ` of the token's header does not name the type of an access token (RFC 8725 section 3.11).
    #[error("its type is not that of an access token")]
    Type,
    /// The token's signature algorithm is not accepted, or differs from the algorithm of the verification key.
    #[error("its algorithm is not accepted or not that of its key")]
    Algorithm,
    /// The provider has no key with the identifier that the token's header names.
    #[error("its key is not one of the provider's")]
    Key,
    /// The signature does not verify with the key.
    #[error("its signature is wrong")]
    Signature,
    /// The claims of the token are not a JSON object, or have two members of one name.
    #[error("its claims are not a JSON object with distinct member names")]
    Claims,
    /// `iss` is not the configured issuer.
    #[error("its issuer is not the configured one")]
    Issuer,
    /// `aud` contains none of the accepted audiences.
    #[error("its audience is not an accepted one")]
    Audience,
    /// `sub` is not a user's identifier.
    #[error("its subject is not a UUID")]
    Subject,
    /// No claim names the OAuth client, or several claims name different clients.
    #[error("it names no client, or more than one")]
    Client,
    /// The session identifier in the token is malformed.
    #[error("its session identifier is malformed")]
    Session,
    /// A scope claim of the token is neither a string nor an array of strings, or two claims name different data scopes.
    #[error("its scopes are malformed or contradict each other")]
    Scope,
    /// The token was issued to an anonymous user.
    #[error("it belongs to an anonymous user")]
    Anonymous,
    /// The token is bound to a key of its sender (RFC 7800), and a bearer token proves no key.
    #[error("it is bound to a key of its sender")]
    Bound,
    /// The token is an ID token: a statement to the client about the user.
    #[error("it is an ID token")]
    IdToken,
    /// The claim `typ` or `token_use` states that the token is an ID token or a refresh token.
    #[error("it is not an access token")]
    TokenUse,
    /// A time claim is missing, is not a whole number of seconds, or is in the future.
    #[error("one of its times is missing, malformed or in the future")]
    Time,
    /// The time from `iat` to `exp` is longer than the maximum lifetime.
    #[error("its lifetime is longer than the maximum")]
    Lifetime,
}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Error {
        Error::Invalid(Box::new(invalid))
    }
}
