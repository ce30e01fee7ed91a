//! The official SDKs in both languages and both generations, in each era they speak: every tool is called, and every
//! answer validated. What they do is in `xtask/clients/sdk.mjs` and `sdk.py`, what they ask in `calls.json`.

use super::node;
use super::suite::{self, SuiteContext};
use crate::python::Python;

pub(super) fn typescript(context: &SuiteContext<'_>) -> Result<(), String> {
    let packages = node::install_locked(context)?;
    let node = node::node(&context.work)?;
    suite::run(context.client(&node).arg(context.committed("sdk.mjs")).env("PACKAGES", packages))
}

pub(super) fn python_one(context: &SuiteContext<'_>) -> Result<(), String> {
    run(context, &one(context)?)
}

pub(super) fn python_two(context: &SuiteContext<'_>) -> Result<(), String> {
    run(context, &two(context)?)
}

fn run(context: &SuiteContext<'_>, python: &Python) -> Result<(), String> {
    suite::run(context.client(&python.program("python")).arg(context.committed("sdk.py")))
}

fn one(context: &SuiteContext<'_>) -> Result<Python, String> {
    environment(context, "python-sdk-1")
}

/// The environment of the newer SDK, which has a judge of tool definitions too.
pub(super) fn two(context: &SuiteContext<'_>) -> Result<Python, String> {
    environment(context, "python-sdk-2")
}

fn environment(context: &SuiteContext<'_>, name: &str) -> Result<Python, String> {
    let python = Python::in_folder(context.work.join(name));
    python.install(&context.committed(&format!("{name}.txt")))?;
    Ok(python)
}
