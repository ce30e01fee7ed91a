//! Calls every tool with the official SDKs for TypeScript and Python, two major versions of each, in every protocol era
//! that an SDK supports, and validates every result.
//!
//! The programs are `xtask/lab/clients/sdk.mjs` and `sdk.py`; `calls.json` has the arguments.

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

/// Returns the Python environment with the older SDK. It contains agent frameworks that use this SDK too.
pub(super) fn one(context: &SuiteContext<'_>) -> Result<Python, String> {
    environment(context, "python-sdk-1")
}

/// Returns the Python environment with the newer SDK. It contains agent frameworks that use this SDK, the program `tdqs`
/// and a generator of clients too.
pub(super) fn two(context: &SuiteContext<'_>) -> Result<Python, String> {
    environment(context, "python-sdk-2")
}

/// Returns the Python environment with the packages of a committed list.
pub(super) fn environment(context: &SuiteContext<'_>, name: &str) -> Result<Python, String> {
    let python = Python::in_folder(context.work.join(name));
    python.install(&context.committed(&format!("{name}.txt")))?;
    Ok(python)
}
