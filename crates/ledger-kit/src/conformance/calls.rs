//! The ledger under test, the grants under which the kit calls it, and calls of operations with parameters as texts, as
//! REST receives them.

use std::sync::Arc;

use passbook_domain::access::Credential;
use passbook_domain::ports::Ledger;
use passbook_domain::scope::Surface;
use passbook_operations::{CatalogueEntry, Code, Error, ParameterValue, Service};
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

/// A ledger that has stored the rows of [`sample`](crate::sample()), with the sample's day as today.
pub trait Subject: Sync {
    /// Returns the ledger, and a credential for a person of the sample under a grant. None if the ledger has no grants of
    /// this kind: the report then lists the rules about the grant as skipped. [`Grant::Full`] must exist.
    fn open(&self, person: &str, grant: Grant) -> Option<OpenLedger>;
}

/// A kind of grant that the kit needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// A live grant with every scope, that allows REST.
    Full,
    /// A live grant with exactly the scopes `spending:read` and `cashflow:read`.
    Spending,
    /// A grant that was revoked.
    Revoked,
    /// A grant that has expired.
    Expired,
    /// A live grant with every scope that allows REST and not the tool server.
    RestOnly,
    /// A live grant of another person, in a credential of this person.
    OfAnotherPerson,
}

/// A ledger, and the credential of a caller.
#[derive(Clone)]
pub struct OpenLedger {
    /// The ledger under test.
    pub ledger: Arc<dyn Ledger>,
    /// The credential, without a surface.
    pub credential: Credential,
}

impl std::fmt::Debug for OpenLedger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenLedger").field("credential", &self.credential).finish_non_exhaustive()
    }
}

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
