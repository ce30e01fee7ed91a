//! Errors of operations. `Display` and the sources are for the log; [`Error::public`] is for the caller.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use passbook_domain::access::MissingScope;
use passbook_domain::ports::ReadError;
use passbook_domain::tally::Overflow;
use passbook_input::Fault;

/// The stable code of an error, which clients may compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Code {
    /// A request parameter breaks a rule.
    InvalidRequest,
    /// The cursor is malformed, or names no transaction of the user.
    InvalidCursor,
    /// The request has no valid token.
    Unauthorized,
    /// The grant or the token does not include the scope that the operation needs.
    InsufficientScope,
    /// The grant belongs to another user or does not allow the surface.
    Forbidden,
    /// The ledger does not offer the data.
    NotFound,
    /// The service has a defect.
    Internal,
    /// The data cannot be reached now. The client may send the request again.
    Unavailable,
    /// The request took too long.
    Timeout,
}

impl Code {
    /// Every code, for tables of codes.
    pub const ALL: &[Code] = &[
        Code::InvalidRequest,
        Code::InvalidCursor,
        Code::Unauthorized,
        Code::InsufficientScope,
        Code::Forbidden,
        Code::NotFound,
        Code::Internal,
        Code::Unavailable,
        Code::Timeout,
    ];

    /// Returns the error code as the response contains it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Code::InvalidRequest => "INVALID_REQUEST",
            Code::InvalidCursor => "INVALID_CURSOR",
            Code::Unauthorized => "UNAUTHORIZED",
            Code::InsufficientScope => "INSUFFICIENT_SCOPE",
            Code::Forbidden => "FORBIDDEN",
            Code::NotFound => "NOT_FOUND",
            Code::Internal => "INTERNAL",
            Code::Unavailable => "UNAVAILABLE",
            Code::Timeout => "TIMEOUT",
        }
    }
}

/// The reason why an operation has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Request parameters break rules. Contains every fault.
    #[error("{} parameter fault(s)", .0.len())]
    Invalid(Vec<ParameterFault>),
    /// The cursor names no transaction of this user. Contains the fault of the cursor.
    #[error("the cursor names no row")]
    InvalidCursor(Vec<ParameterFault>),
    /// The grant is unknown, revoked or expired.
    #[error("the grant is not live")]
    Unauthorized {
        /// True if the grant has expired. Only this reason is shown to the caller.
        expired: bool,
    },
    /// The grant belongs to another user or does not allow the surface.
    #[error("the grant does not allow this user or surface")]
    Forbidden,
    /// The grant or the token does not include the scope that the operation needs.
    #[error(transparent)]
    InsufficientScope(MissingScope),
    /// The host's ledger does not offer the data. Contains the name of the missing data, as a plural.
    #[error("the ledger does not offer {0}")]
    NotOffered(&'static str),
    /// The ledger cannot be reached now.
    #[error("the ledger is unavailable")]
    Unavailable(#[source] ReadError),
    /// A query of the ledger exceeded its time limit.
    #[error("the ledger took too long")]
    Timeout(#[source] ReadError),
    /// An operation or the ledger has a defect. Contains the cause, for the log.
    #[error("the result cannot be computed")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// Creates the error of one request parameter whose rule depends on the data.
    pub fn invalid_parameter(parameter: &'static str, message: impl Into<String>) -> Error {
        Error::Invalid(vec![Fault::verbatim(parameter, message).into()])
    }

    /// Returns the stable code of the error.
    pub fn code(&self) -> Code {
        match self {
            Error::Invalid(_) => Code::InvalidRequest,
            Error::InvalidCursor(_) => Code::InvalidCursor,
            Error::Unauthorized { .. } => Code::Unauthorized,
            Error::Forbidden => Code::Forbidden,
            Error::InsufficientScope(_) => Code::InsufficientScope,
            Error::NotOffered(_) => Code::NotFound,
            Error::Unavailable(_) => Code::Unavailable,
            Error::Timeout(_) => Code::Timeout,
            Error::Internal(_) => Code::Internal,
        }
    }

    /// Returns the message for the caller: the cause and how to fix it, without internal details.
    pub fn public(&self) -> String {
        match self {
            Error::Invalid(faults) | Error::InvalidCursor(faults) => {
                let rules: Vec<String> =
                    faults.iter().map(|fault| format!("{} {}", fault.parameter, fault.message)).collect();
                rules.join("; ")
            }
            Error::Unauthorized { expired: true } => "The access token has expired.".to_owned(),
            Error::Unauthorized { expired: false } => "The access token is missing or invalid.".to_owned(),
            Error::Forbidden => {
                "This credential may not be used for this person or through this surface.".to_owned()
            }
            Error::InsufficientScope(MissingScope { required, is_granted, .. }) => {
                let remedy = if *is_granted {
                    "sign in again and allow it"
                } else {
                    "enable it where the token or client was created"
                };
                format!("The access token lacks the scope {required}: {remedy}.")
            }
            Error::NotOffered(data) => format!("This service does not offer {data}."),
            Error::Unavailable(_) => {
                "The service cannot reach its data right now: try again shortly.".to_owned()
            }
            Error::Timeout(_) => {
                "The answer took too long: ask about a shorter range, or try again.".to_owned()
            }
            Error::Internal(_) => {
                "Something went wrong here; the request id identifies it in our log.".to_owned()
            }
        }
    }
}

impl From<ReadError> for Error {
    fn from(error: ReadError) -> Error {
        match error {
            ReadError::Revoked => Error::Unauthorized { expired: false },
            ReadError::Expired => Error::Unauthorized { expired: true },
            ReadError::Forbidden => Error::Forbidden,
            ReadError::MissingScope(missing) => Error::InsufficientScope(missing),
            ReadError::UnknownCursor => {
                let rule = "must be exactly the nextCursor of an earlier answer";
                Error::InvalidCursor(vec![Fault::verbatim("cursor", rule).into()])
            }
            ReadError::NotOffered(data) => Error::NotOffered(data),
            ReadError::Unavailable(_) => Error::Unavailable(error),
            ReadError::TimedOut(_) => Error::Timeout(error),
            // `ReadError::Broken`. A kind of a later version is a defect too, until it has a kind of its own here.
            _ => Error::Internal(Box::new(error)),
        }
    }
}

impl From<Overflow> for Error {
    fn from(error: Overflow) -> Error {
        Error::Internal(Box::new(error))
    }
}

/// A parameter that broke a rule.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct ParameterFault {
    /// The parameter.
    pub parameter: String,
    /// The rule, and what was received.
    pub message: String,
    /// Every allowed value, where the rule is a closed list; the names that a name fits, or the nearest if it fits none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<Cow<'static, str>>,
}

/// The place of the fault is the name of the parameter.
impl From<Fault> for ParameterFault {
    fn from(fault: Fault) -> ParameterFault {
        let message = fault.message();
        let allowed = fault.allowed.into_iter().map(Cow::Borrowed).collect();
        ParameterFault { message, parameter: fault.place, allowed }
    }
}
