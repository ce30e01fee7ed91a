//! The Inspector's command line in each era it speaks, with its lint of schemas on: what it says is portable is read
//! alike by every host.

use serde_json::Value;

use super::node;
use super::suite::{self, SuiteContext};
use crate::command::print_line;

/// Never, when possible, and always the revision without a handshake.
const ERAS: [&str; 3] = ["legacy", "auto", "modern"];

pub(super) fn run(context: &SuiteContext<'_>) -> Result<(), String> {
    let program = node::install_locked(context)?.join("node_modules/.bin/mcp-inspector");
    let node = node::node(&context.work)?;
    // It takes the token on its command line only: the one of a demo that ends with this run.
    let header = format!("Authorization: Bearer {}", context.token);
    for era in ERAS {
        let said = suite::capture(
            context
                .client(&node)
                .arg(&program)
                .args([
                    "--cli",
                    "--server-url",
                    &context.tool_server(),
                    "--transport",
                    "http",
                    "--header",
                    &header,
                ])
                .args(["--stored-auth-only", "--protocol-era", era, "--method", "tools/list"])
                .args(["--strict", "--format", "json"]),
        )
        .map_err(|problem| format!("{era}: {problem}"))?;
        print_line(&format!("{era}: {} tools, portable schemas", listed(&said)?));
    }
    Ok(())
}

/// How many tools a list has; none is an error.
fn listed(said: &str) -> Result<usize, String> {
    let list: Value = serde_json::from_str(said).map_err(|error| format!("the list: {error}\n{said}"))?;
    match list["result"]["tools"].as_array().map(Vec::len) {
        None | Some(0) => Err(format!("no tools are listed: {said}")),
        Some(count) => Ok(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_without_tools_is_none() {
        assert_eq!(listed(r#"{"result":{"tools":[{"name":"a"}]}}"#), Ok(1));
        assert!(listed(r#"{"result":{"tools":[]}}"#).is_err());
        assert!(listed(r#"{"error":{}}"#).is_err() && listed("").is_err());
    }
}
