//! Finds breaking changes between two OpenAPI documents: `docs/contract/v1.json`, of the last release, and
//! `docs/openapi.json`, of this version.
//!
//! A breaking change fails unless a line of `docs/contract/breaking.txt` names exactly that change with a reason.
//! Additions pass. `docs/clients.md` has the policy. Descriptions are not compared: a reviewer has to judge if new
//! wording changes their meaning. A breaking change is:
//!
//! - the removal of a path, an operation, a parameter, a status, a media type, a response header, a field, a value, an
//!   alternative or a security scheme;
//! - in a request: a new required parameter or field, a narrower type, bound, pattern or enumeration, another default;
//! - in a response: a field that is no longer always present, a wider type, bound, pattern or format, an enumeration that
//!   becomes any text;
//! - of an operation: more scopes, or another `operationId`, from which generators take the names of functions.
//!
//! Existing comparison programs have another policy for enumerations of a response and for defaults.

mod accepted;
mod document;
mod reference;
mod schema;
#[cfg(test)]
mod tests;

use std::path::Path;

use serde_json::Value;

use accepted::{Accepted, parse};

use crate::command::{print_line, read};

/// Path of the OpenAPI document of this version. The tests compare it with the served document.
const PRESENT: &str = "docs/openapi.json";
/// Path of the OpenAPI document of the last release.
const RELEASED: &str = "docs/contract/v1.json";
/// Path of the list of accepted breaking changes since the last release.
const ACCEPTED: &str = "docs/contract/breaking.txt";

/// `cargo lab contract`: compares the OpenAPI document with that of the last release.
///
/// # Errors
/// A file cannot be read, or the changes and the accepted changes differ.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let accepted = parse(&read(&root.join(ACCEPTED))?)
        .map_err(|(line, advice)| format!("{ACCEPTED}:{line}: {advice}"))?;
    let problems = problems(&document(root, RELEASED)?, &document(root, PRESENT)?, &accepted);
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    print_line(&format!("{PRESENT} has no breaking change since {RELEASED} that is not accepted"));
    Ok(())
}

fn document(root: &Path, path: &str) -> Result<Value, String> {
    serde_json::from_str(&read(&root.join(path))?).map_err(|error| format!("{path}: {error}"))
}

/// Returns every change between two documents that could break a client, sorted. Each starts with its location.
fn breaking_changes(before: &Value, after: &Value) -> Vec<String> {
    let mut changes = document::compare(before, after);
    changes.sort();
    changes.dedup();
    changes
}

/// Returns a line per breaking change that is not accepted, and per accepted change that did not happen.
fn problems(before: &Value, after: &Value, accepted: &[Accepted]) -> Vec<String> {
    let changes = breaking_changes(before, after);
    let unaccepted = changes.iter().filter(|change| !accepted.iter().any(|known| &known.change == *change));
    let stale = accepted.iter().filter(|known| !changes.contains(&known.change));
    unaccepted
        .map(|change| format!("{change}: undo it, or accept it with a reason in docs/contract/breaking.txt"))
        .chain(stale.map(|known| format!("{}: remove the accepted change: it did not happen", known.change)))
        .collect()
}
