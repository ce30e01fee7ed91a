//! Runs the examples of `docs/connecting-assistants.md`, with the address and the token of the demo server.

use std::path::Path;

use super::suite::{self, SuiteContext};
use super::{node, sdk};
use crate::command::{print_line, read, write};

const DOCUMENT: &str = "docs/connecting-assistants.md";
/// Line before each code block that is run.
const MARKER: &str = "<!-- run by cargo lab clients -->";
/// The address that the examples contain. The run replaces it and the token.
const ADDRESS: &str = "http://127.0.0.1:8080/api/mcp";
const TOKEN: &str = "pbk_…";
/// A shell function that replaces `npx`: it runs the installed package instead of downloading the newest.
const NPX: &str =
    r#"npx() { program="$(PATH="$PROGRAMS" command -v "${1##*/}")"; shift; "$NODE" "$program" "$@"; }"#;

pub(super) fn run(context: &SuiteContext<'_>) -> Result<(), String> {
    let text = read(&context.root.join(DOCUMENT))?;
    let packages = node::install_locked(context)?;
    let node = node::node(&context.work)?;
    let blocks = blocks(&text);
    let mut languages: Vec<&str> = blocks.iter().map(|(language, _)| *language).collect();
    languages.sort_unstable();
    if languages != ["json", "python", "sh"] {
        return Err(format!(
            "{DOCUMENT} must have one marked block each of json, python and sh; found {languages:?}"
        ));
    }
    for (language, block) in blocks {
        let block = block.replace(ADDRESS, &context.tool_server()).replace(TOKEN, context.token);
        let result = match language {
            "json" => suite::capture(
                context
                    .client(&node)
                    .arg(context.committed("desktop.mjs"))
                    .arg(&block)
                    .env("PACKAGES", &packages)
                    // mcp-remote stores its sign-ins in this folder.
                    .env("MCP_REMOTE_CONFIG_DIR", context.work.join("mcp-remote")),
            )?,
            "python" => merchants(language, python(context, &block)?)?,
            _ => merchants(language, shell(context, &node, &packages, &block)?)?,
        };
        print_line(&format!("{language}: {}", result.trim()));
    }
    Ok(())
}

fn python(context: &SuiteContext<'_>, block: &str) -> Result<String, String> {
    let program = context.work.join("documented.py");
    write(&program, block)?;
    suite::capture(context.client(&sdk::two(context)?.program("python")).arg(&program))
}

fn shell(context: &SuiteContext<'_>, node: &Path, packages: &Path, block: &str) -> Result<String, String> {
    let script = format!("set -eu\n{NPX}\n{block}");
    let mut command = context.client(Path::new("sh"));
    command.args(["-c", &script]).env("NODE", node).env("PROGRAMS", node::search_path(packages)?);
    suite::capture(&mut command)
}

/// Checks that the example printed two merchants.
fn merchants(language: &str, printed: String) -> Result<String, String> {
    let found = printed.matches("percentOfTotal").count();
    // The Inspector prints each result twice: as text and as structured content.
    if (language, found) == ("python", 2) || (language, found) == ("sh", 4) {
        return Ok(format!("returned two merchants in {} characters", printed.chars().count()));
    }
    Err(format!("expected two merchants; received {printed}"))
}

/// Returns language and text of each code block that follows [`MARKER`].
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let opened = text.split(MARKER).skip(1).filter_map(|rest| rest.trim_start().strip_prefix("```"));
    opened.filter_map(|rest| rest.split_once("\n```")?.0.split_once('\n')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_marked_blocks_are_run() {
        let text = format!("```sh\na\n```\n{MARKER}\n```python\nb\nc\n```\n```sh\nd\n```\n");
        assert_eq!(blocks(&text), [("python", "b\nc")]);
    }
}
