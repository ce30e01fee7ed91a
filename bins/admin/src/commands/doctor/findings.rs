//! The findings of `doctor`.

use crate::output;

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The checked subject works.
    Ok,
    /// The checked subject works for some clients only.
    Warning,
    /// The checked subject does not work.
    Broken,
}

/// One finding: the result, the subject, and the facts with the remedy.
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

    /// Returns one line of text for each finding.
    pub(super) fn lines(&self) -> Vec<String> {
        let rows: Vec<[String; 3]> = self.0.iter().map(Finding::row).collect();
        output::table(&rows)
    }
}

impl Finding {
    fn row(&self) -> [String; 3] {
        let state = match self.state {
            State::Ok => "ok",
            State::Warning => "warn",
            State::Broken => "broken",
        };
        [state.to_owned(), self.subject.to_owned(), self.text.clone()]
    }
}
