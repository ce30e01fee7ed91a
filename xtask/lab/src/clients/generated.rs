//! Generates clients from the served OpenAPI document, type-checks them strictly, and reads three filtered pages of
//! transactions with each.
//!
//! The programs are `xtask/lab/clients/generated/walk.mts` and `walk.py`.

use std::process::Command;

use super::suite::{self, SuiteContext};
use super::typescript::Project;
use super::{node, sdk};
use crate::command::{create_folder, read, write};

/// Generates types with openapi-typescript, and calls the server with openapi-fetch.
pub(super) fn typescript(context: &SuiteContext<'_>) -> Result<(), String> {
    let project = Project::new(context, "generated")?;
    let node = node::node(&context.work)?;
    let generator = node::find(&node::install_locked(context)?, "openapi-typescript/bin/cli.js")?;
    let walk = project.file("walk.mts");
    write(&walk, &read(&context.committed("generated/walk.mts"))?)?;
    let mut generate = context.client(&node);
    generate.arg(generator).arg(document(context)).arg("--output").arg(project.file("schema.d.ts"));
    suite::capture(&mut generate)?;
    project.check(context)?;
    suite::run(with_server(context, &mut context.client(&node)).arg(walk))
}

/// Generates a client with openapi-python-client. A warning of the generator fails the suite, because the client would
/// lack a part of the document.
pub(super) fn python(context: &SuiteContext<'_>) -> Result<(), String> {
    let python = sdk::two(context)?;
    let folder = context.work.join("generated");
    create_folder(&folder)?;
    for name in ["walk.py", "mypy.ini"] {
        write(&folder.join(name), &read(&context.committed(&format!("generated/{name}")))?)?;
    }
    let mut generate = context.client(&python.program("openapi-python-client"));
    generate
        .args(["generate", "--url", &document(context), "--output-path"])
        .arg(folder.join("passbook_client"));
    generate.args(["--meta", "none", "--overwrite", "--fail-on-warning"]);
    // The generator formats its output with the program `ruff`, which it finds on the search path.
    #[expect(clippy::disallowed_methods, reason = "the search path of the child process is not a setting")]
    let path = std::env::var("PATH").unwrap_or_default();
    suite::capture(generate.env("PATH", format!("{}:{path}", python.programs().display())))?;
    suite::run(context.client(&python.program("mypy")).arg(".").current_dir(&folder))?;
    let mut walk = context.client(&python.program("python"));
    suite::run(with_server(context, &mut walk).arg("walk.py").current_dir(&folder))
}

/// Returns the address of the served OpenAPI document.
fn document(context: &SuiteContext<'_>) -> String {
    format!("{}/openapi.json", context.base)
}

/// Adds the address of REST and the token to a program's environment.
fn with_server<'c>(context: &SuiteContext<'_>, command: &'c mut Command) -> &'c mut Command {
    command.env("BASE", context.base).env("TOKEN", context.token)
}
