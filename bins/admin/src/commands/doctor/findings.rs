//! The findings of `doctor`.

use serde::Serialize;

use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing};

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// The checked subject works.
    Ok,
    /// The checked subject works for some clients only.
    #[serde(rename = "warn")]
    Warning,
    /// The checked subject does not work.
    Broken,
}

/// One finding: the result, the subject, and the facts with the remedy.
#[derive(Debug, Serialize)]
struct Finding {
    state: State,
    subject: &'static str,
    text: String,
}

/// The findings in the order of the checks.
#[derive(Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    pub(super) fn ok(&mut self, subject: &'static str, text: impl Into<String>) {
        self.add(State::Ok, subject, text);
    }

    pub(super) fn warning(&mut self, subject: &'static str, text: impl Into<String>) {
        self.add(State::Warning, subject, text);
    }

    pub(super) fn broken(&mut self, subject: &'static str, text: impl Into<String>) {
        self.add(State::Broken, subject, text);
    }

    pub(super) fn add(&mut self, state: State, subject: &'static str, text: impl Into<String>) {
        self.0.push(Finding { state, subject, text: text.into() });
    }

    /// Returns the number of broken subjects.
    pub(super) fn broken_count(&self) -> usize {
        self.0.iter().filter(|finding| finding.state == State::Broken).count()
    }

    /// Prints one line of text for each finding, or all findings as JSON.
    pub(super) fn print(&self, listing: Listing) -> Result<(), CommandError> {
        listing::print(&self.0, listing)
    }
}

impl ListEntry for Finding {
    // Each line says what it is about, so no column has a heading.
    const COLUMNS: &[Column<Finding>] = &[
        ("", |entry| {
            let state = match entry.state {
                State::Ok => "ok",
                State::Warning => "warn",
                State::Broken => "broken",
            };
            state.to_owned()
        }),
        ("", |entry| entry.subject.to_owned()),
        ("", |entry| entry.text.clone()),
    ];
}
