//! Why a caller was not authenticated. From outside all that are the caller's look alike, but for a token whose time is
//! over.

use domain::ports::ReadError;

/// A cause, for the log.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// A caller who is not authenticated, or an authentication that cannot be decided now.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No bearer token was sent.
    #[error("no bearer token")]
    Missing,
    /// More than one Authorization header, another scheme, or text that is no token.
    #[error("the Authorization header is malformed")]
    Malformed,
    /// A well-formed token that nobody has.
    #[error("the token is unknown")]
    Unknown,
    /// An access token that breaks a rule: `access_token::Invalid`.
    #[error("the access token is refused")]
    Invalid(#[source] Cause),
    /// An access token that was good and whose time is over.
    #[error("the access token has expired")]
    Expired,
    /// Whether the token is good cannot be found out now: not the caller's fault.
    #[error("the token directory did not answer")]
    Directory(#[source] ReadError),
    /// Whether the token is good cannot be found out now, as the identity provider's keys are not to be had: not the
    /// caller's fault.
    #[error("the access token cannot be verified now")]
    Provider(#[source] Cause),
}

impl Error {
    /// What the caller is told: what to do, and nothing of why this token is none.
    pub fn public(&self) -> &'static str {
        match self {
            Error::Missing => "A bearer token is required: send it in the header Authorization.",
            Error::Malformed | Error::Unknown | Error::Invalid(_) | Error::Expired => {
                "The access token is missing or invalid."
            }
            Error::Provider(_) => "The service cannot verify access tokens right now: try again shortly.",
            Error::Directory(_) => "The service cannot reach its data right now: try again shortly.",
        }
    }

    /// Whether it is an outage of ours, to be tried again, and not the caller's fault.
    pub fn is_outage(&self) -> bool {
        match self {
            Error::Missing | Error::Malformed | Error::Unknown | Error::Invalid(_) | Error::Expired => false,
            Error::Directory(_) | Error::Provider(_) => true,
        }
    }
}

#[cfg(feature = "provider")]
impl From<crate::access_token::Invalid> for Error {
    fn from(invalid: crate::access_token::Invalid) -> Error {
        Error::Invalid(Box::new(invalid))
    }
}
