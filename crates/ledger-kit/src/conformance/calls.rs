//! Calls of operations with parameters as texts, as REST receives them.

use passbook_domain::access::Credential;
use passbook_domain::scope::Surface;
use passbook_operations::{CatalogueEntry, Code, Error, ParameterValue, Service};
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use crate::conformance::subject::OpenLedger;

/// Runs an operation, and returns its payload or its error.
///
/// # Panics
/// The catalogue has no such operation.
pub(crate) async fn execute(
    open: &OpenLedger,
    credential: &Credential,
    operation: &str,
    parameters: &[(&str, &str)],
) -> Result<Value, Error> {
    let text = |(name, value): &(&str, &str)| ((*name).to_owned(), ParameterValue::Text((*value).to_owned()));
    let received: Vec<(String, ParameterValue)> = parameters.iter().map(text).collect();
    execute_received(open, credential, operation, &received).await
}

#[expect(clippy::disallowed_methods, reason = "the kit calls a ledger without a request pipeline")]
async fn execute_received(
    open: &OpenLedger,
    credential: &Credential,
    operation: &str,
    received: &[(String, ParameterValue)],
) -> Result<Value, Error> {
    let entry = CatalogueEntry::all().into_iter().find(|entry| entry.spec.id == operation);
    let entry = entry.expect("an operation of the catalogue");
    let payload = entry.execute(&Service::new(open.ledger.clone()), credential, received).await?;
    Ok(serde_json::from_slice(&payload).expect("the payload of an operation is JSON"))
}

/// Runs an operation with parameters as texts, and returns its answer over REST. An error is a JSON object with the
/// members `error`, its code, and `faults`, one text for each rejected parameter.
///
/// # Panics
/// Passbook has no such operation.
pub async fn answer(open: &OpenLedger, operation: &str, parameters: &[(&str, &str)]) -> Value {
    outcome(execute(open, &open.credential, operation, parameters).await)
}

/// Runs an operation with JSON arguments, and returns its answer as a tool. Errors are those of [`answer`].
///
/// # Panics
/// `arguments` is not an object, or Passbook has no such operation.
pub async fn answer_tool(open: &OpenLedger, operation: &str, arguments: &Value) -> Value {
    let members = arguments.as_object().expect("an object");
    let json = |(name, value): (&String, &Value)| {
        (name.clone(), ParameterValue::Json(to_raw_value(value).expect("JSON")))
    };
    let received: Vec<(String, ParameterValue)> = members.iter().map(json).collect();
    let credential = open.credential.clone().through(Surface::Mcp);
    outcome(execute_received(open, &credential, operation, &received).await)
}

/// Returns the payload, or the code of the error as JSON.
pub(crate) fn outcome(result: Result<Value, Error>) -> Value {
    result.unwrap_or_else(|error| {
        let faults: Vec<String> = match &error {
            Error::Invalid(faults) | Error::InvalidCursor(faults) => {
                faults.iter().map(|fault| format!("{} {}", fault.parameter, fault.message)).collect()
            }
            _ => Vec::new(),
        };
        json!({ "error": error.code().as_str(), "cause": cause(&error), "faults": faults })
    })
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
