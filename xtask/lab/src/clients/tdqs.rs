//! Checks the tool definitions with the rules of the Tool Definition Quality Score that need no language model:
//! descriptions, arguments, annotations, and tools that are too similar. Notes fail like errors.

use serde_json::Value;

use super::sdk;
use super::suite::{self, SuiteContext};
use crate::command::print_line;

pub(super) fn run(context: &SuiteContext<'_>) -> Result<(), String> {
    let python = sdk::two(context)?;
    // tdqs takes a token only on its command line. The demo's token ends with this run.
    let header = format!("Authorization: Bearer {}", context.token);
    let printed = suite::capture(context.client(&python.program("tdqs")).args([
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
        serde_json::from_str(&printed).map_err(|error| format!("the report: {error}\n{printed}"))?;
    check(&report)
}

/// Checks that the report covers at least one tool and has no findings.
fn check(report: &Value) -> Result<(), String> {
    let tools = report["tools"].as_array().ok_or("the report has no list of tools")?;
    let of = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let mut found = of(report, "findings");
    found.extend(of(report, "shadowCandidates"));
    for tool in tools {
        found.extend(of(tool, "findings"));
        found.extend(of(tool, "flags"));
    }
    found.iter().for_each(|finding| print_line(&finding.to_string()));
    print_line(&format!("{} tools checked, {} findings", tools.len(), found.len()));
    if tools.is_empty() || !found.is_empty() {
        return Err(format!("{} findings in {} tools", found.len(), tools.len()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn report_with_findings_or_without_tools_fails() {
        let report = |tools: Value| json!({ "findings": [], "shadowCandidates": [], "tools": tools });
        assert_eq!(check(&report(json!([{ "findings": [], "flags": [] }]))), Ok(()));
        assert!(check(&report(json!([]))).is_err());
        assert!(check(&json!({})).is_err());
        assert!(check(&report(json!([{ "findings": [{ "rule": "tautology" }], "flags": [] }]))).is_err());
        assert!(check(&report(json!([{ "findings": [], "flags": ["shadow"] }]))).is_err());
    }
}
