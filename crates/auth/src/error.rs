//! Reasons for which a caller was not authenticated.
//!
//! All authentication failures return the same response, except an expired token, which clients must be able to
//! refresh. The variants exist for the log.

use passbook_domain::ports::ReadError;

/// The underlying error, for the log.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// A caller who is not authenticated, or an outage that prevents authentication.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request has no `Authorization` header.
    #[error("no bearer token")]
    Missing,
    /// The request has more than one `Authorization` header, another scheme than `Bearer`, or text that is not a token.
    #[error("the Authorization header is malformed")]
    Malformed,
    /// The token is a well-formed personal access token that is not in the token directory.
    #[error("the token is unknown")]
    Unknown,
    /// The access token breaks a rule. The source is an `access_token::Invalid`.
    #[error("the access token is refused")]
    Invalid(#[source] Cause),
    /// The access token is valid but has expired.
    #[error("the access token has expired")]
    Expired,
    /// The client's address has sent too many tokens that were not seen before. The token was not checked.
    #[error("too many unseen tokens of one address")]
    TooManyUnseen {
        /// Number of seconds until an unseen token is checked again, at least 1.
        retry_after_seconds: u64,
    },
    /// The token directory could not be read. An outage of this service, not an error of the caller.
    #[error("the token directory did not answer")]
    Directory(#[source] ReadError),
    /// The identity provider's signing keys are not available. An outage, not an error of the caller.
    #[error("the access token cannot be verified now")]
    Provider {
        /// Number of seconds after which the keys are fetched again for a request, at least 1.
        retry_after_seconds: u64,
        /// The reason, for the log.
        #[source]
        source: Cause,
    },
}

impl Error {
    /// Returns the message for the caller. It never states why a token was rejected.
    pub fn public(&self) -> &'static str {
        match self {
            Error::Missing => "A bearer token is required: send it in the header Authorization.",
            Error::Malformed | Error::Unknown | Error::Invalid(_) | Error::Expired => {
                "The access token is missing or invalid."
            }
            Error::TooManyUnseen { .. } => "There were too many unknown tokens: try again shortly.",
            Error::Provider { .. } => "The service cannot verify access tokens right now: try again shortly.",
            Error::Directory(_) => "The service cannot reach its data right now: try again shortly.",
        }
    }

    /// Returns true for an outage: the caller may repeat the request later with the same token.
    pub fn is_outage(&self) -> bool {
        match self {
            Error::Missing
            | Error::Malformed
            | Error::Unknown
            | Error::Invalid(_)
            | Error::Expired
            | Error::TooManyUnseen { .. } => false,
            Error::Directory(_) | Error::Provider { .. } => true,
        }
    }
}
