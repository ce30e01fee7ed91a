//! Whether questions are worth asking now: what `/ready` answers from.

use crate::ports::BoxFuture;

/// One thing that has to be right before requests are worth sending.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Check {
    /// What was looked at.
    pub name: &'static str,
    /// Whether it is right.
    pub ok: bool,
    /// What to know or do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub message: Option<String>,
}

impl Check {
    /// A check that is right, or wrong for this reason.
    pub fn new(name: &'static str, result: Result<(), String>) -> Check {
        Check { name, ok: result.is_ok(), message: result.err() }
    }
}

/// Finds out whether the service could answer. A store is one; a host with more to look at makes a list of its own.
pub trait Readiness: Send + Sync {
    /// Every check, in a fixed order.
    fn checks(&self) -> BoxFuture<'_, Vec<Check>>;
}
