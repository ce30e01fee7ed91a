//! Readiness checks: the port from which `/ready` gets its result.

use crate::ports::BoxFuture;

/// Result of one readiness check.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Check {
    /// Name of the check.
    pub name: &'static str,
    /// True if the check passed.
    pub ok: bool,
    /// Reason for a failure, or advice.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub message: Option<String>,
}

impl Check {
    /// Creates a check. An `Err` is a failed check with its message.
    pub fn new(name: &'static str, result: Result<(), String>) -> Check {
        Check { name, ok: result.is_ok(), message: result.err() }
    }
}

/// Checks whether the service can answer requests. `store` implements it for the database; a host may combine several.
pub trait Readiness: Send + Sync {
    /// Runs every check and returns the results in a fixed order.
    fn checks(&self) -> BoxFuture<'_, Vec<Check>>;
}
