//! Whether the interface, as `docs/openapi.json` describes it, keeps what the last release promised.
//!
//! The promise is `docs/contract/v1.json`, the description at that release. A change that could break a client fails
//! unless a line of `docs/contract/breaking.txt` names exactly that change and gives the reason. Additions are free.
//! Programs of others that compare descriptions were looked at: what they count as breaking is not our policy (values
//! of an answer, defaults), and the test suite needs nothing but cargo and PostgreSQL.
//!
//! `docs/versioning.md` is the policy; this is the part of it that a program can see. Descriptions are not compared:
//! whether a word changed the meaning is for whoever reviews the difference.

mod accepted;
mod document;
mod reference;
mod schema;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub use accepted::{Accepted, parse};

/// Every change between two descriptions that could break a client, in order: where it is, and what it is.
#[must_use]
pub fn breaking_changes(before: &Value, after: &Value) -> Vec<String> {
    let mut changes = document::compare(before, after);
    changes.sort();
    changes.dedup();
    changes
}

/// What is wrong: a change that is not accepted, or an accepted one that is not there.
#[must_use]
pub fn problems(before: &Value, after: &Value, accepted: &[Accepted]) -> Vec<String> {
    let changes = breaking_changes(before, after);
    let unsaid = changes.iter().filter(|change| !accepted.iter().any(|known| &known.change == *change));
    let stale = accepted.iter().filter(|known| !changes.contains(&known.change));
    unsaid
        .map(|change| format!("{change}: undo it, or say why in docs/contract/breaking.txt"))
        .chain(
            stale.map(|known| format!("{}: is accepted and did not happen: remove the line", known.change)),
        )
        .collect()
}
