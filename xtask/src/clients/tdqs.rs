//! The rules of the Tool Definition Quality Score that need no model: descriptions, arguments, annotations and tools
//! that are too much alike. A note fails as an error does.

use serde_json::Value;

use super::sdk;
use super::suite::{self, SuiteContext};
use crate::command::print_line;

pub(super) fn run(context: &SuiteContext<'_>) -> Result<(), String> {
    let python = sdk::two(context)?;
    // It takes the token on its command line only: the one of a demo that ends with this run.
    let header = format!("Authorization: Bearer {}", context.token);
    let said = suite::capture(context.client(&python.program("tdqs")).args([
        "lint",
        "--url",
        &context.tool_server(),
        "--header",
        &header,
        "--fail-on",
        "never",
        "--format",
        "json",
    ]))?;
    let report: Value =
        serde_json::from_str(&said).map_err(|error| format!("the report: {error}\n{said}"))?;
    judge(&report)
}

/// Refuses a report without tools, and one with anything to say of them.
fn judge(report: &Value) -> Result<(), String> {
    let tools = report["tools"].as_array().ok_or("the report must list the tools")?;
    let of = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let mut found = of(report, "findings");
    found.extend(of(report, "shadowCandidates"));
    for tool in tools {
        found.extend(of(tool, "findings"));
        found.extend(of(tool, "flags"));
    }
    found.iter().for_each(|finding| print_line(&finding.to_string()));
    print_line(&format!("{} tools judged, {} findings", tools.len(), found.len()));
    if tools.is_empty() || !found.is_empty() {
        return Err(format!("{} findings of {} tools", found.len(), tools.len()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn anything_found_fails_and_so_does_nothing_judged() {
        let report = |tools: Value| json!({ "findings": [], "shadowCandidates": [], "tools": tools });
        assert_eq!(judge(&report(json!([{ "findings": [], "flags": [] }]))), Ok(()));
        assert!(judge(&report(json!([]))).is_err());
        assert!(judge(&json!({})).is_err());
        assert!(judge(&report(json!([{ "findings": [{ "rule": "tautology" }], "flags": [] }]))).is_err());
        assert!(judge(&report(json!([{ "findings": [], "flags": ["shadow"] }]))).is_err());
    }
}
