//! Calls of operations with parameters as texts, as REST receives them.

use passbook_domain::access::Credential;
use passbook_operations::{Code, Entry, Error, ParameterValue, Service};
use serde_json::{Value, json};

use crate::subject::OpenLedger;

/// Runs an operation, and returns its payload or its error.
///
/// # Panics
/// The catalogue has no such operation.
#[expect(clippy::disallowed_methods, reason = "the kit calls a ledger without a request pipeline")]
pub(crate) async fn execute(
    open: &OpenLedger,
    credential: &Credential,
    operation: &str,
    parameters: &[(&str, &str)],
) -> Result<Value, Error> {
    let entry = Entry::all().into_iter().find(|entry| entry.spec.id == operation);
    let entry = entry.expect("an operation of the catalogue");
    let received: Vec<(String, ParameterValue)> = parameters
        .iter()
        .map(|(name, value)| ((*name).to_owned(), ParameterValue::Text((*value).to_owned())))
        .collect();
    let payload = entry.execute(&Service::new(open.ledger.clone()), credential, &received).await?;
    Ok(serde_json::from_slice(&payload).expect("the payload of an operation is JSON"))
}

/// Runs an operation with the credential of the open ledger. An error is the JSON object `{"error": code}`.
pub(crate) async fn answer(open: &OpenLedger, operation: &str, parameters: &[(&str, &str)]) -> Value {
    outcome(execute(open, &open.credential, operation, parameters).await)
}

/// Returns the payload, or the code of the error as JSON.
pub(crate) fn outcome(result: Result<Value, Error>) -> Value {
    result.unwrap_or_else(|error| json!({ "error": error.code().as_str(), "cause": cause(&error) }))
}

/// Returns true if the ledger does not offer what the operation reads.
pub(crate) fn is_not_offered(answer: &Value) -> bool {
    answer.get("error").is_some_and(|code| code == Code::NotFound.as_str())
}

fn cause(error: &Error) -> String {
    passbook_domain::error_chain(error)
}

/// Returns a call as text for a report.
pub(crate) fn describe(person: &str, operation: &str, parameters: &[(&str, &str)]) -> String {
    let parameters: Vec<String> = parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    format!("{person}: {operation} {}", parameters.join(" ")).trim_end().to_owned()
}
