//! Runs the two programs of `docs/clients.md` against the demo server. They must print the same totals. The
//! TypeScript is also type-checked.

use std::path::Path;
use std::process::Command;

use super::node;
use super::suite::{self, SuiteContext};
use super::typescript::Project;
use crate::command::{print_line, read, write};

const DOCUMENT: &str = "docs/clients.md";

pub(super) fn run(context: &SuiteContext<'_>) -> Result<(), String> {
    let text = read(&context.root.join(DOCUMENT))?;
    let node = node::node(&context.work)?;
    type_check(context, &text)?;
    let printed = [("python", "py", Path::new("python3")), ("typescript", "ts", &node)]
        .map(|(language, ending, program)| execute(context, &text, language, ending, program));
    let [python, typescript] = printed;
    let (python, typescript) = (python?, typescript?);
    if python != typescript || !python.contains(" transactions, ") {
        return Err(format!("{DOCUMENT}: Python printed {python:?}, TypeScript printed {typescript:?}"));
    }
    print_line(&format!("both programs: {}", python.trim()));
    Ok(())
}

/// Type-checks the first block of TypeScript as an ECMAScript module.
fn type_check(context: &SuiteContext<'_>, text: &str) -> Result<(), String> {
    let project = Project::new(context, "client-guide")?;
    write(&project.file("client-guide.mts"), first_block(text, "typescript")?)?;
    project.check(context)
}

/// Runs the block of a language, and returns its standard output.
fn execute(
    context: &SuiteContext<'_>,
    text: &str,
    language: &str,
    ending: &str,
    program: &Path,
) -> Result<String, String> {
    let block = first_block(text, language)?;
    let file = context.work.join(format!("client-guide.{ending}"));
    write(&file, block)?;
    let mut command: Command = context.client(program);
    suite::capture(command.arg(&file).env("BASE", context.base).env("TOKEN", context.token))
}

fn first_block<'t>(text: &'t str, language: &str) -> Result<&'t str, String> {
    block(text, language).ok_or(format!("{DOCUMENT} has no block of {language}"))
}

/// Returns the text of the first block of a language.
fn block<'t>(text: &'t str, language: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("\n```{language}\n"))?;
    Some(rest.split_once("\n```")?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_block_of_a_language_is_found() {
        let text = "a\n```sh\nb\n```\n```python\nc\nd\n```\n```python\ne\n```\n";
        assert_eq!(block(text, "python"), Some("c\nd"));
        assert_eq!(block(text, "typescript"), None);
    }
}
