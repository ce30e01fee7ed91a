//! Why a caller was not authenticated. From outside all of these but the last look alike.

use domain::ports::ReadError;

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
    /// Whether the token is good cannot be found out now: not the caller's fault.
    #[error("the token directory did not answer")]
    Directory(#[source] ReadError),
}

impl Error {
    /// What the caller is told: what to do, and nothing of why this token is none.
    pub fn public(&self) -> &'static str {
        match self {
            Error::Missing => "A bearer token is required: send it in the header Authorization.",
            Error::Malformed | Error::Unknown => "The access token is missing or invalid.",
            Error::Directory(_) => "The service cannot reach its data right now: try again shortly.",
        }
    }

    /// Whether it is an outage of ours, to be tried again, and not the caller's fault.
    pub fn is_outage(&self) -> bool {
        match self {
            Error::Missing | Error::Malformed | Error::Unknown => false,
            Error::Directory(_) => true,
        }
    }
}
