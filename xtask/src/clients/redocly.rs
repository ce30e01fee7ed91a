//! The OpenAPI document as served, against Redocly's `recommended` rules, none of them switched off. A warning fails
//! as an error does, but for what [`MEANT`] lists.

use std::process::{Command, Stdio};

use serde_json::Value;

use super::node;
use super::suite::SuiteContext;
use crate::command::print_line;

const PACKAGE: &str = "@redocly/cli";
const VERSION: &str = "2.77.0";

/// What keeps the program from calling anybody.
const QUIET: [(&str, &str); 2] = [("REDOCLY_TELEMETRY", "off"), ("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true")];

/// What breaks a rule on purpose: the rule, the place, and why.
const MEANT: [(&str, &str, &str); 1] = [(
    "operation-2xx-response",
    "#/paths/~1oauth~1authorize/get/responses",
    "the authorization proxy only sends on: 302 is its success (RFC 6749 section 4.1.1)",
)];

pub(super) fn run(context: &SuiteContext<'_>) -> Result<(), String> {
    let node = node::node(&context.work)?;
    let folder = context.work.join("redocly");
    node::install(&folder, PACKAGE, VERSION)?;
    let output = Command::new(&node)
        .arg(folder.join("node_modules").join(PACKAGE).join("bin/cli.js"))
        .args(["lint", &format!("{}/openapi.json", context.base), "--format", "json", "--config"])
        .arg(context.committed("redocly.yaml"))
        .envs(QUIET)
        .current_dir(context.root)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", node.display()))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the report of {PACKAGE} is not JSON: {error}\n{complaint}"))?;
    judge(&report)
}

/// Refuses a report with anything in it that is not meant, and without something that is.
fn judge(report: &Value) -> Result<(), String> {
    let found = report["problems"].as_array().ok_or("the report must list its problems")?;
    let mut missing = MEANT.to_vec();
    let mut count = 0;
    for problem in found {
        let (rule, place) = (&problem["ruleId"], &problem["location"][0]["pointer"]);
        let listed = missing.len();
        missing.retain(|(meant, at, _)| rule != meant || place != at);
        if missing.len() == listed {
            print_line(&format!("{} {rule}: {} at {place}", problem["severity"], problem["message"]));
            count += 1;
        }
    }
    match (count, missing.first()) {
        (0, None) => Ok(()),
        (0, Some((rule, place, _))) => Err(format!("{rule} at {place} is listed as meant and not found")),
        (count, _) => Err(format!("{count} problems of the OpenAPI document")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_warning_fails_and_a_report_without_problems_is_required() {
        let meant = |rule: &str, place: &str| json!({ "ruleId": rule, "location": [{ "pointer": place }] });
        let meant: Vec<Value> = MEANT.iter().map(|(rule, place, _)| meant(rule, place)).collect();
        assert_eq!(judge(&json!({ "problems": meant })), Ok(()));
        let warning = json!({ "severity": "warn", "ruleId": "info-license" });
        let more: Vec<&Value> = meant.iter().chain([&warning]).collect();
        assert_eq!(judge(&json!({ "problems": more })), Err("1 problems of the OpenAPI document".to_owned()));
        let elsewhere = json!({ "ruleId": MEANT[0].0, "location": [{ "pointer": "#/paths/~1v1~1me" }] });
        let more: Vec<&Value> = meant.iter().chain([&elsewhere]).collect();
        assert!(judge(&json!({ "problems": more })).is_err(), "the rule holds everywhere else");
        assert!(judge(&json!({ "problems": [] })).is_err(), "what is not found is not meant any more");
        assert!(judge(&json!({})).is_err());
    }
}
