//! Finds breaking changes between two OpenAPI documents: `docs/contract/v1.json`, of the last release, and
//! `docs/openapi.json`, of this version.
//!
//! A breaking change fails unless a line of `docs/contract/breaking.txt` names exactly that change with a reason.
//! Additions pass. `docs/versioning.md` is the policy. Descriptions are not compared: a reviewer has to judge if new
//! wording changes their meaning.
//!
//! Existing comparison programs have another policy for enumerations of a response and for defaults, and they would
//! be a dependency of the test suite, which needs nothing but cargo and PostgreSQL.

mod accepted;
mod document;
mod reference;
mod schema;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub use accepted::{Accepted, parse};

/// Returns every change between two documents that could break a client, sorted. Each starts with its location.
#[must_use]
pub fn breaking_changes(before: &Value, after: &Value) -> Vec<String> {
    let mut changes = document::compare(before, after);
    changes.sort();
    changes.dedup();
    changes
}

/// Returns a line per breaking change that is not accepted, and per accepted change that did not happen.
#[must_use]
pub fn problems(before: &Value, after: &Value, accepted: &[Accepted]) -> Vec<String> {
    let changes = breaking_changes(before, after);
    let unaccepted = changes.iter().filter(|change| !accepted.iter().any(|known| &known.change == *change));
    let stale = accepted.iter().filter(|known| !changes.contains(&known.change));
    unaccepted
        .map(|change| format!("{change}: undo it, or accept it with a reason in docs/contract/breaking.txt"))
        .chain(stale.map(|known| format!("{}: remove the accepted change: it did not happen", known.change)))
        .collect()
}
