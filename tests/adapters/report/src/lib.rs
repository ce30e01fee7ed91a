//! An example adapter: every operation of the catalogue as plain text, one line per value, at
//! `GET /report/top_merchants?timeRange=3m`.

use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use passbook_domain::scope::Surface;
use passbook_operations::CatalogueEntry;
use passbook_web::{Endpoint, ErrorObject, Methods, Pipeline, query_string, response};
use serde_json::Value;

/// Returns the endpoints of the report. No handler reads the body of a request.
pub fn endpoints(pipeline: &Pipeline) -> Vec<Endpoint> {
    let adapter = pipeline.adapter(Surface::Rest, None).with_error_writer(write_error);
    let endpoint = |entry: CatalogueEntry| {
        let id = entry.spec.id;
        let report =
            adapter.authenticated("/report/{operation}", Methods::READ, move |received, caller| async move {
                let parameters = query_string::parse(received.head.uri.query().unwrap_or_default());
                let result = caller.admit().await?.execute(&entry, &parameters).await?;
                Ok(response::private_text(lines(id, &result)))
            });
        report.at(format!("/report/{id}"))
    };
    CatalogueEntry::all().into_iter().map(endpoint).collect()
}

/// Writes an error as its message in plain text. The pipeline sets the status.
fn write_error(error: ErrorObject) -> Response<Full<Bytes>> {
    response::private_text(error.message + "\n")
}

/// Writes a result as text.
fn lines(id: &str, result: &[u8]) -> String {
    let mut text = String::new();
    write_lines(id, &serde_json::from_slice(result).expect("a result is JSON"), &mut text);
    text
}

/// Writes one line per value: its path in the result, and the value as JSON.
fn write_lines(path: &str, value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, member)| write_lines(&format!("{path}.{key}"), member, text));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| write_lines(&format!("{path}.{at}"), item, text));
        }
        scalar => text.push_str(&format!("{path}: {scalar}\n")),
    }
}
