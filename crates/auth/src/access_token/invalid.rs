//! Which rule an access token breaks: for the log of an operator, never for the caller.

/// The rule that an access token breaks. It repeats nothing of the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// The header is no JSON object, or says something twice.
    #[error("its header cannot be read")]
    Header,
    /// The header names a feature or a key of its own, which is never followed (RFC 7515 sections 4.1.2 to 4.1.11).
    #[error("its header has a member that is not accepted")]
    HeaderMember,
    /// The header says that it is something else than an access token (RFC 8725 section 3.11).
    #[error("its type is not that of an access token")]
    Type,
    /// The algorithm is not accepted, or not that of the key.
    #[error("its algorithm is not accepted or not that of its key")]
    Algorithm,
    /// The provider has no such key.
    #[error("its key is not one of the provider's")]
    Key,
    /// The signature is not that of the key.
    #[error("its signature is wrong")]
    Signature,
    /// The claims are no JSON object, or say something twice.
    #[error("its claims cannot be read")]
    Claims,
    /// The issuer is not the configured one.
    #[error("its issuer is another")]
    Issuer,
    /// The audience is not one of the configured ones.
    #[error("its audience is another")]
    Audience,
    /// The subject is not a user's identifier.
    #[error("its subject is no UUID")]
    Subject,
    /// No client is named, or several.
    #[error("it names no client, or more than one")]
    Client,
    /// The session's identifier is none.
    #[error("its session identifier is malformed")]
    Session,
    /// It was signed for somebody who has not signed in as anybody.
    #[error("it belongs to an anonymous user")]
    Anonymous,
    /// It is bound to a key that a bearer does not show (RFC 7800).
    #[error("it is bound to a key of its sender")]
    Bound,
    /// It is an ID token: a statement to the client about who signed in.
    #[error("it is an ID token")]
    IdToken,
    /// A time is missing, is no whole number of seconds, or lies in the future.
    #[error("one of its times is missing, malformed or in the future")]
    Time,
    /// It is meant to live longer than is permitted.
    #[error("it is meant to live too long")]
    Lifetime,
}
