//! Compares the outcome of each sign-in with the matrix of expected outcomes.

use super::journeys::Outcome;
use super::matrix::{CLIENTS, SETTINGS};

/// Returns one line per sign-in that differs from the matrix.
pub(super) fn differences(outcomes: &[Outcome]) -> Vec<String> {
    let mut found = Vec::new();
    for client in &CLIENTS {
        for (setting, expected) in SETTINGS.iter().zip(client.expected) {
            let place = format!("{} at {}", client.name, setting.name);
            match outcomes.iter().find(|outcome| outcome.is_of(client, setting)) {
                None => found.push(format!("{place}: no outcome; expected {expected:?}")),
                Some(outcome) => {
                    if outcome.end != Some(expected) {
                        found.push(format!(
                            "{place}: expected {expected:?}; received {}",
                            outcome.description()
                        ));
                    }
                    if let Some(problem) = outcome.wrong_authorization(client, setting) {
                        found.push(format!("{place}: {problem}"));
                    }
                }
            }
        }
    }
    found
}
