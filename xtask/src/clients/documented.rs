//! `docs/connecting-assistants.md`, followed to the letter: the blocks that say so are run as they stand, with the
//! address and the token of the demo in the place of those of the page.

use std::path::Path;

use super::suite::{self, SuiteContext};
use super::{node, sdk};
use crate::command::{print_line, read, write};

const DOCUMENT: &str = "docs/connecting-assistants.md";
/// Stands above each block that is run here.
const NOTE: &str = "<!-- run by cargo xtask clients -->";
/// What the page has in the place of the reader's own.
const ADDRESS: &str = "http://127.0.0.1:8080/api/mcp";
const TOKEN: &str = "pbk_…";
/// Runs what is installed: `npx` would ask for the newest.
const NPX: &str =
    r#"npx() { program="${1##*/}"; shift; "$NODE" "$PACKAGES/node_modules/.bin/$program" "$@"; }"#;

pub(super) fn run(context: &SuiteContext<'_>) -> Result<(), String> {
    let text = read(&context.root.join(DOCUMENT))?;
    let packages = node::install_locked(context)?;
    let node = node::node(&context.work)?;
    let blocks = blocks(&text);
    let mut languages: Vec<&str> = blocks.iter().map(|(language, _)| *language).collect();
    languages.sort_unstable();
    if languages != ["json", "python", "sh"] {
        return Err(format!("{DOCUMENT} must have one block of each kind to run; found {languages:?}"));
    }
    for (language, block) in blocks {
        let block = block.replace(ADDRESS, &context.tool_server()).replace(TOKEN, context.token);
        let said = match language {
            "json" => suite::capture(
                context
                    .client(&node)
                    .arg(context.committed("desktop.mjs"))
                    .arg(&block)
                    .env("PACKAGES", &packages)
                    // Where it would keep sign-ins.
                    .env("MCP_REMOTE_CONFIG_DIR", context.work.join("mcp-remote")),
            )?,
            "python" => merchants(language, python(context, &block)?)?,
            _ => merchants(language, shell(context, &node, &packages, &block)?)?,
        };
        print_line(&format!("{language}: {}", said.trim()));
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
    suite::capture(
        context.client(Path::new("sh")).args(["-c", &script]).env("NODE", node).env("PACKAGES", packages),
    )
}

/// Both programs ask for two merchants and print them.
fn merchants(language: &str, said: String) -> Result<String, String> {
    let found = said.matches("percentOfTotal").count();
    // The Inspector prints the text of an answer beside its payload.
    if (language, found) == ("python", 2) || (language, found) == ("sh", 4) {
        return Ok(format!("answered with two merchants in {} characters", said.chars().count()));
    }
    Err(format!("two merchants were asked for: {said}"))
}

/// Language and text of each block under the note.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let opened = text.split(NOTE).skip(1).filter_map(|rest| rest.trim_start().strip_prefix("```"));
    opened.filter_map(|rest| rest.split_once("\n```")?.0.split_once('\n')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_noted_blocks_are_run() {
        let text = format!("```sh\na\n```\n{NOTE}\n```python\nb\nc\n```\n```sh\nd\n```\n");
        assert_eq!(blocks(&text), [("python", "b\nc")]);
    }
}
