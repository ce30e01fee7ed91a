//! Lists the tools with the MCP Inspector in each protocol era, and checks that the schemas are portable.
//!
//! The Inspector's option `--strict` reports JSON Schema keywords that some assistants cannot read.

use serde_json::Value;

use super::node;
use super::suite::{self, SuiteContext};
use crate::command::print_line;

/// Values of `--protocol-era`: never, if possible, or always the revision without a handshake.
const ERAS: [&str; 3] = ["legacy", "auto", "modern"];

pub(super) fn run(context: &SuiteContext<'_>) -> Result<(), String> {
    let program = node::find(&node::install_locked(context)?, ".bin/mcp-inspector")?;
    let node = node::node(&context.work)?;
    // The Inspector takes a token only on its command line. The demo's token ends with this run.
    let header = format!("Authorization: Bearer {}", context.token);
    for era in ERAS {
        let printed = suite::capture(
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
        print_line(&format!("{era}: {} tools, portable schemas", tool_count(&printed)?));
    }
    Ok(())
}

/// Returns the number of tools in a `tools/list` result. An empty list is an error.
fn tool_count(printed: &str) -> Result<usize, String> {
    let list: Value =
        serde_json::from_str(printed).map_err(|error| format!("the list: {error}\n{printed}"))?;
    match list["result"]["tools"].as_array().map(Vec::len) {
        None | Some(0) => Err(format!("the list has no tools: {printed}")),
        Some(count) => Ok(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_without_tools_is_an_error() {
        assert_eq!(tool_count(r#"{"result":{"tools":[{"name":"a"}]}}"#), Ok(1));
        assert!(tool_count(r#"{"result":{"tools":[]}}"#).is_err());
        assert!(tool_count(r#"{"error":{}}"#).is_err() && tool_count("").is_err());
    }
}
