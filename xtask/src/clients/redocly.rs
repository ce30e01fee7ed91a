//! The OpenAPI document as served, against Redocly's `recommended` rules, none of them switched off. A warning fails
//! as an error does.

use std::process::{Command, Stdio};

use serde_json::Value;

use super::{Site, node};
use crate::command::say;

const PACKAGE: &str = "@redocly/cli";
const VERSION: &str = "2.77.0";

/// What keeps the program from calling anybody.
const QUIET: [(&str, &str); 2] = [("REDOCLY_TELEMETRY", "off"), ("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true")];

pub(super) fn run(site: &Site<'_>) -> Result<(), String> {
    let node = node::node(&site.work)?;
    let folder = site.work.join("redocly");
    node::install(&folder, PACKAGE, VERSION)?;
    let output = Command::new(&node)
        .arg(folder.join("node_modules").join(PACKAGE).join("bin/cli.js"))
        .args(["lint", &format!("{}/openapi.json", site.base), "--format", "json", "--config"])
        .arg(site.committed("redocly.yaml"))
        .envs(QUIET)
        .current_dir(site.root)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", node.display()))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the report of {PACKAGE} is not JSON: {error}\n{complaint}"))?;
    judge(&report)
}

/// Refuses a report with anything in it.
fn judge(report: &Value) -> Result<(), String> {
    let found = report["problems"].as_array().ok_or("the report must list its problems")?;
    for problem in found {
        let place = &problem["location"][0]["pointer"];
        say(&format!("{} {}: {} at {place}", problem["severity"], problem["ruleId"], problem["message"]));
    }
    match found.len() {
        0 => Ok(()),
        count => Err(format!("{count} problems of the OpenAPI document")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_warning_fails_and_a_report_without_problems_is_required() {
        assert_eq!(judge(&json!({ "problems": [] })), Ok(()));
        let warning = json!({ "problems": [{ "severity": "warn", "ruleId": "info-license" }] });
        assert_eq!(judge(&warning), Err("1 problems of the OpenAPI document".to_owned()));
        assert!(judge(&json!({})).is_err());
    }
}
