//! Runs operations over an in-memory ledger, for the unit tests of this crate.

use std::sync::Arc;

use passbook_domain::access::Credential;
use passbook_domain::scope::Surface;
use passbook_test_support::{InMemoryLedger, credential};
use serde_json::Value;
use serde_json::value::to_raw_value;

use crate::{Entry, Error, Operation, ParameterValue, Service};

/// Converts names and texts to received query parameters.
pub(crate) fn texts(parameters: &[(&str, &str)]) -> Vec<(String, ParameterValue)> {
    let text = |(name, value): &(&str, &str)| ((*name).to_owned(), ParameterValue::Text((*value).to_owned()));
    parameters.iter().map(text).collect()
}

/// Converts a JSON object to received tool arguments.
pub(crate) fn arguments(arguments: &Value) -> Vec<(String, ParameterValue)> {
    let members = arguments.as_object().expect("an object");
    let json = |(name, value): (&String, &Value)| {
        (name.clone(), ParameterValue::Json(to_raw_value(value).expect("JSON")))
    };
    members.iter().map(json).collect()
}

/// Runs an operation with the received parameters and returns its JSON.
#[expect(clippy::disallowed_methods, reason = "a unit test has no pipeline")]
pub(crate) fn execute<O: Operation>(
    ledger: Arc<InMemoryLedger>,
    credential: &Credential,
    received: &[(String, ParameterValue)],
) -> Result<Value, Error> {
    let service = Service::new(ledger);
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let json = runtime.block_on(Entry::new::<O>().execute(&service, credential, received))?;
    Ok(serde_json::from_slice(&json).expect("JSON"))
}

/// Runs an operation over REST and returns its JSON.
pub(crate) fn rest<O: Operation>(
    ledger: InMemoryLedger,
    parameters: &[(&str, &str)],
) -> Result<Value, Error> {
    execute::<O>(Arc::new(ledger), &credential().through(Surface::Rest), &texts(parameters))
}

/// Runs an operation as a tool with these arguments and returns its JSON.
pub(crate) fn tool<O: Operation>(ledger: InMemoryLedger, received: &Value) -> Result<Value, Error> {
    execute::<O>(Arc::new(ledger), &credential().through(Surface::Mcp), &arguments(received))
}

/// Runs an operation over REST with valid parameters and returns its JSON. Panics on an error.
pub(crate) fn result<O: Operation>(ledger: InMemoryLedger, parameters: &[(&str, &str)]) -> Value {
    rest::<O>(ledger, parameters).expect("a result")
}

/// Returns the faults of an error, each as a text with parameter and message.
pub(crate) fn faults<T: std::fmt::Debug>(result: Result<T, Error>) -> Vec<String> {
    match result.expect_err("faults") {
        Error::Invalid(faults) | Error::InvalidCursor(faults) => {
            faults.into_iter().map(|fault| format!("{} {}", fault.parameter, fault.message)).collect()
        }
        other => panic!("{other}"),
    }
}

/// Returns the cents of a JSON amount of money, which must be in the preferred currency.
pub(crate) fn cents(money: &Value) -> i64 {
    assert_eq!(money["currency"], "EUR");
    money["amount_cents"].as_i64().expect("cents")
}

/// Returns the member `member` of each object in a JSON list.
pub(crate) fn each<'a>(list: &'a Value, member: &str) -> Vec<&'a Value> {
    list.as_array().expect("a list").iter().map(|entry| &entry[member]).collect()
}
