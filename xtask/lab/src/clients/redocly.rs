//! Checks the served OpenAPI document against all of Redocly's `recommended` rules. Warnings fail like errors, except
//! those of [`ACCEPTED`].

use std::process::{Command, Stdio};

use serde_json::Value;

use super::node;
use super::suite::SuiteContext;
use crate::command::print_line;

const PACKAGE: &str = "@redocly/cli";
const VERSION: &str = "2.77.0";

/// Environment variables that switch off the program's telemetry and update check.
const NO_NETWORK: [(&str, &str); 2] =
    [("REDOCLY_TELEMETRY", "off"), ("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true")];

/// Accepted problems in the OpenAPI document, each with the rule, the JSON pointer and the reason.
const ACCEPTED: [(&str, &str, &str); 1] = [(
    "operation-2xx-response",
    "#/paths/~1oauth~1authorize/get/responses",
    "the authorization proxy only redirects: 302 is its success (RFC 6749 section 4.1.1)",
)];

pub(super) fn run(context: &SuiteContext<'_>) -> Result<(), String> {
    let node = node::node(&context.work)?;
    let folder = context.work.join("redocly");
    node::install(&folder, PACKAGE, VERSION)?;
    let output = Command::new(&node)
        .arg(folder.join("node_modules").join(PACKAGE).join("bin/cli.js"))
        .args(["lint", &format!("{}/openapi.json", context.base), "--format", "json", "--config"])
        .arg(context.committed("redocly.yaml"))
        .envs(NO_NETWORK)
        .current_dir(context.root)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", node.display()))?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the report of {PACKAGE} is not JSON: {error}\n{stderr}"))?;
    check(&report)
}

/// Checks that the report contains exactly the accepted problems.
fn check(report: &Value) -> Result<(), String> {
    let found = report["problems"].as_array().ok_or("the report has no list of problems")?;
    let mut missing = ACCEPTED.to_vec();
    let mut count = 0;
    for problem in found {
        let (rule, place) = (&problem["ruleId"], &problem["location"][0]["pointer"]);
        let listed = missing.len();
        missing.retain(|(accepted, at, _)| rule != accepted || place != at);
        if missing.len() == listed {
            print_line(&format!("{} {rule}: {} at {place}", problem["severity"], problem["message"]));
            count += 1;
        }
    }
    match (count, missing.first()) {
        (0, None) => Ok(()),
        (0, Some((rule, place, _))) => {
            Err(format!("{rule} at {place} is accepted but was not found: remove it from the list"))
        }
        (count, _) => Err(format!("{count} problems in the OpenAPI document")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn report_with_other_than_the_accepted_problems_fails() {
        let problem = |rule: &str, place: &str| json!({ "ruleId": rule, "location": [{ "pointer": place }] });
        let accepted: Vec<Value> = ACCEPTED.iter().map(|(rule, place, _)| problem(rule, place)).collect();
        assert_eq!(check(&json!({ "problems": accepted })), Ok(()));
        let warning = json!({ "severity": "warn", "ruleId": "info-license" });
        let more: Vec<&Value> = accepted.iter().chain([&warning]).collect();
        assert_eq!(check(&json!({ "problems": more })), Err("1 problems in the OpenAPI document".to_owned()));
        let elsewhere = json!({ "ruleId": ACCEPTED[0].0, "location": [{ "pointer": "#/paths/~1v1~1me" }] });
        let more: Vec<&Value> = accepted.iter().chain([&elsewhere]).collect();
        assert!(check(&json!({ "problems": more })).is_err(), "the rule applies everywhere else");
        assert!(check(&json!({ "problems": [] })).is_err(), "an accepted problem must exist");
        assert!(check(&json!({})).is_err());
    }
}
