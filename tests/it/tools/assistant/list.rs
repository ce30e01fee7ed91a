//! Reads the list of questions.

use serde::Deserialize;
use serde_json::{Value, json};

const LIST: &str = include_str!("../../../questions.toml");

/// A question and the calls that answer it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    /// The question as a person asks it.
    pub(super) ask: String,
    /// Explanation of the expected figures by the rows of the household, for the reader of the list.
    pub(super) sum: String,
    pub(super) calls: Vec<Call>,
}

/// A call of a tool and the expected result.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) tool: String,
    #[serde(default = "no_arguments")]
    pub(super) arguments: Value,
    /// The parts of the payload that answer the question.
    pub(super) answer: Value,
    /// Everything that the payload admits to have left out.
    pub(super) admits: Value,
}

fn no_arguments() -> Value {
    json!({})
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    questions: Vec<Case>,
}

pub(super) fn cases() -> Vec<Case> {
    toml::from_str::<List>(LIST).expect("a list of questions").questions
}
