//! An example adapter: serves every operation of a catalogue as a method of JSON-RPC 2.0 at `POST /json-rpc`.
//!
//! The pipeline of `web` limits, authenticates, catches panics and logs; this crate translates messages. The surface has a
//! name of its own: `json-rpc` in the log, and `surface:json-rpc` among the stored scopes of a grant.

use hyper::Method;
use passbook_domain::scope::Surface;
use passbook_operations::{Catalogue, Code};
use passbook_web::{Caller, Endpoint, HttpError, Methods, Pipeline, RequestRecord};
use passbook_web::{json_parameters, read_body, response};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The path of the route.
pub const PATH: &str = "/json-rpc";
/// The surface that a grant must allow.
pub const SURFACE: Surface = Surface::host("json-rpc");

const METHODS: Methods = Methods { allowed: &[Method::POST], rule: "Only POST is accepted here." };
/// Maximum size of a message, in bytes.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// Maximum number of parameters.
const PARAMETERS_MAX: usize = 64;

/// A message of a client (JSON-RPC 2.0 section 4).
#[derive(Deserialize)]
struct Call<'a> {
    jsonrpc: &'a str,
    method: String,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct Reply<'a> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure>,
    id: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct Failure {
    code: i32,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Data>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    code: &'static str,
    details: passbook_web::Details,
    retry_after_seconds: Option<u64>,
    request_id: String,
}

/// Returns the endpoint for the operations of a catalogue.
pub fn endpoints(pipeline: &Pipeline, catalogue: &Catalogue) -> Vec<Endpoint> {
    let (adapter, catalogue) = (pipeline.adapter(SURFACE, None), catalogue.clone());
    let endpoint = adapter.authenticated(PATH, METHODS, move |received, caller| {
        let catalogue = catalogue.clone();
        async move {
            let body = read_body(received.body, BODY_BYTES_MAX).await?;
            let caller = caller.admit().await?;
            Ok(response::private(reply(&catalogue, &received.record, &caller, &body).await))
        }
    });
    vec![endpoint.at(PATH)]
}

/// Executes the call in a body and writes its reply.
async fn reply(catalogue: &Catalogue, record: &RequestRecord, caller: &Caller, body: &[u8]) -> Vec<u8> {
    let (id, result) = match serde_json::from_slice::<Call<'_>>(body) {
        Err(_) => (None, Err(failure(-32700, "The body must be one JSON-RPC call."))),
        Ok(call) if call.jsonrpc != "2.0" => (call.id, Err(failure(-32600, "jsonrpc must be \"2.0\"."))),
        Ok(call) => (call.id, execute(catalogue, record, caller, &call).await),
    };
    let (result, error) = result.map_or_else(|error| (None, Some(error)), |result| (Some(result), None));
    let reply = Reply { jsonrpc: "2.0", result, error, id };
    serde_json::to_vec(&reply).expect("a reply has only string keys")
}

async fn execute(
    catalogue: &Catalogue,
    record: &RequestRecord,
    caller: &Caller,
    call: &Call<'_>,
) -> Result<Box<RawValue>, Failure> {
    let entry = catalogue.entries().iter().find(|entry| entry.spec.id == call.method);
    let entry = entry.ok_or_else(|| failure(-32601, "There is no such method."))?;
    record.set_call(entry.spec.id);
    let parameters = call.params.map_or(Ok(Vec::new()), |params| json_parameters(params, PARAMETERS_MAX));
    let parameters = parameters.map_err(|invalid| failure(-32602, format!("params {invalid}.")))?;
    // The guard reports a timeout or a panic of the operation here, in the format of JSON-RPC.
    let executed = record.guard(caller.execute(entry, &parameters)).await;
    let payload = executed.map_err(HttpError::from).and_then(|result| result.map_err(HttpError::from));
    let payload = payload.map_err(|error| {
        record.record_error(&error);
        Failure {
            code: if error.code() == Code::InvalidRequest.as_str() { -32602 } else { -32000 },
            message: error.message().to_owned(),
            data: Some(Data {
                code: error.code(),
                details: error.details().clone(),
                retry_after_seconds: error.retry_after_seconds(),
                request_id: record.request_id().as_str().to_owned(),
            }),
        }
    })?;
    let payload = String::from_utf8(payload).expect("JSON is UTF-8");
    Ok(RawValue::from_string(payload).expect("the payload was serialised as JSON"))
}

fn failure(code: i32, message: impl Into<String>) -> Failure {
    Failure { code, message: message.into(), data: None }
}
